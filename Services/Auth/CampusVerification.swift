import FoundationEssentials
import WireProtocol

/// Somebody wants to show that they read the mail of a campus address. What is true of it; no I/O, no clock.
struct CampusVerification: Hashable, SentCode {
    let id: UUID
    let person: PersonID
    let email: EmailAddress
    /// Of the address, keyed.
    let digest: [UInt8]
    let campus: String
    let requestedAt: Date
    let expiresAt: Date
}

/// An address that somebody has verified.
struct CampusAddress: Hashable, Sendable {
    let email: EmailAddress
    let digest: [UInt8]
    let campus: String
    let verifiedAt: Date
}
