import FoundationEssentials
import WireProtocol

/// Receipts of those who have erased themselves, and what of them is still to be done.
protocol ErasureStore: Sendable {
    /// Deletes all that auth has of a person, but for what their reviews add to others' ratings.
    /// - Parameter now: sessions whose access tokens live longer stay known as revoked.
    /// - Returns: nil where somebody else was faster.
    func erase(_ person: PersonID, now: Date) async throws -> ErasedAccount?
    /// - Parameter email: where the receipt goes; kept, encrypted, until the mail is handed over. Nil where there is no address to write to.
    func add(_ erasure: Erasure, to email: EmailAddress?) async throws
    func erasure(_ id: ErasureID) async throws -> Erasure?
    /// A service has done its part: once, however often it says so.
    func finish(_ part: ErasurePart, of id: ErasureID, photos: [String]) async throws
    /// Pictures that are deleted where nobody else shows them.
    func add(_ photos: [String], of id: ErasureID) async throws
    /// Pictures of those whom every service has forgotten, at most so many.
    func photos(atMost limit: Int) async throws -> [ErasedPhotos]
    func finish(_ photos: ErasedPhotos, now: Date) async throws
    /// Which of these are the picture of somebody.
    func portraits(among photos: [String]) async throws -> [String]
    func address(of id: ErasureID) async throws -> EmailAddress?
    func forgetAddress(of id: ErasureID) async throws
    /// Forgets receipts that were complete before `date`, and revoked sessions whose tokens are dead.
    func prune(completedBefore date: Date, now: Date) async throws
}

/// What was there of a person.
struct ErasedAccount: Hashable, Sendable {
    var records: [ErasedRecords]
    /// Those that had not ended.
    var sessions: [RevokedSessions.Revoked]
    var photo: String?
}

enum ErasurePolicy {
    /// Whose part is awaited.
    static let services = Capability.erasure.services
    /// How long a receipt can be read after it is complete, in seconds.
    static let keepReceipts: TimeInterval = 30 * 86_400
    /// How long the mail with it is tried.
    static let mailLifetime: TimeInterval = 3 * 86_400
}
