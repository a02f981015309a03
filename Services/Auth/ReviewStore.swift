import FoundationEssentials
import WireProtocol

/// The port for reviews and what they stand on.
protocol ReviewStore: Sendable {
    /// Notes an encounter; one that is known, or of people who are not here, changes nothing.
    func add(_ encounter: CompletedEncounter) async throws
    /// An encounter of two people, which is theirs alone until the end of this transaction.
    func lockedEncounter(_ subject: Subject, of one: PersonID, and other: PersonID) async throws
        -> CompletedEncounter?
    /// What the two have written of each other about it.
    func reviews(_ subject: Subject, between one: PersonID, and other: PersonID) async throws
        -> [WrittenReview]
    /// Those that the person may still write, of people who are not apart from them: completed after `since`, the latest first. One
    /// more than `limit`, where there are more.
    func waiting(
        for person: PersonID, with other: PersonID?, since: Date, after: MomentCursor?, limit: Int
    ) async throws -> [WaitingEncounter]
    func add(_ review: WrittenReview) async throws
    /// Publishes a review and counts its rating, once.
    /// - Returns: The account of the one whom it is about, as it is now; nil where it was published before.
    func publish(_ review: WrittenReview) async throws -> Account?
    /// Some of those whose time has come, which no other process is at.
    func due(at now: Date, atMost limit: Int) async throws -> [WrittenReview]
    /// - Parameter locked: For a change: others wait until the end of this transaction.
    func review(_ id: ReviewID, locked: Bool) async throws -> WrittenReview?
    /// What everybody may read, the latest first. One more than `limit`, where there are more.
    func published(
        about person: PersonID, for reader: ReviewReader, after: MomentCursor?, limit: Int
    ) async throws -> [WrittenReview]
    /// By somebody, the latest first, whether or not they can be read; one more than `limit`, where there are more.
    func written(by person: PersonID, after: MomentCursor?, limit: Int) async throws -> [WrittenReview]
    /// All of somebody's, in the same way.
    func encounters(of person: PersonID, after: MomentCursor?, limit: Int) async throws -> [CompletedEncounter]
    func reply(to review: WrittenReview) async throws
    /// Hides a published review, which does not count then, or lets it be seen and count again.
    /// - Returns: The account of the one whom it is about, as it is now; nil where nothing changed.
    func set(_ hiding: Hiding?, of id: ReviewID) async throws -> Account?
}

/// An encounter as one of the two sees it.
struct WaitingEncounter: Hashable, Sendable {
    let encounter: CompletedEncounter
    let other: PersonID
}

/// For whom reviews of somebody are read.
enum ReviewReader: Hashable, Sendable {
    /// Without what those wrote who are apart from them; nil is a stranger.
    case anybody(PersonID?)
    /// The archive of the one whom they are about: all.
    case archive
}
