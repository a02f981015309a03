import Crypto
import ServiceKit

/// The head of what an authenticator signs (WebAuthn Level 3, 6.1): for whom, whether somebody was there, and how often it was used.
/// What follows it is libfido2's to read.
struct AuthenticatorData: Hashable, Sendable {
    struct Flags: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        /// Somebody was there (UP).
        static let present = Flags(rawValue: 1 << 0)
        /// They have shown who they are (UV): by a finger, a face, a code.
        static let verified = Flags(rawValue: 1 << 2)
        /// It may be kept elsewhere too (BE), and is (BS).
        static let eligible = Flags(rawValue: 1 << 3)
        static let backedUp = Flags(rawValue: 1 << 4)
        /// A new credential follows (AT).
        static let credential = Flags(rawValue: 1 << 6)
    }

    let partyHash: [UInt8]
    let flags: Flags
    let counter: UInt32

    /// - Throws: `.unreadable` where it is cut off.
    init(_ bytes: [UInt8]) throws(PasskeyRefusal) {
        guard bytes.count >= 37 else { throw .unreadable }
        partyHash = Array(bytes[..<32])
        flags = Flags(rawValue: bytes[32])
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// 7.1, steps 14 to 17; 7.2, steps 15 to 18.
    func check(for party: RelyingParty) throws(PasskeyRefusal) {
        guard partyHash == Array(SHA256.hash(data: Array(party.id.utf8))) else { throw .otherParty }
        guard flags.contains(.present) else { throw .nobodyThere }
        guard flags.contains(.verified) else { throw .notVerified }
        guard flags.contains(.eligible) || !flags.contains(.backedUp) else { throw .contradiction }
    }
}
