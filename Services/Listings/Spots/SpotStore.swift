import Messaging
import People
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where spots live.
protocol SpotStore: Sendable {
    associatedtype Transaction: SpotTransaction

    /// Nil where there is none, and where there is none for this person.
    func spot(_ id: SpotID, for viewer: SpotViewer) async throws -> ParkingSpot?

    /// At most `page.limit` + 1 spots, so that it shows whether there is another page. Those of people who are apart from the one who
    /// asks are not among them.
    func spots(_ page: SpotPage, for person: PersonID?, at now: Date) async throws -> [FoundSpot]

    /// Which of these pictures belong to a spot.
    func photos(among photos: [String]) async throws -> [String]

    /// Does what a person asked for once, however often the request comes, and answers the same each time. All of it is
    /// done or, if the body throws, nothing. The same person's others wait until then, so that what `body` is told of how much the
    /// person has stays true.
    func command<Reply: Codable & Sendable>(
        _ request: RequestContext, of person: PersonID, within limits: SpotLimits,
        _ body: @Sendable @escaping (Transaction, SpotHoldings) async throws -> Reply
    ) async throws -> Reply

    /// The same without anybody's request.
    func transaction<Result: Sendable>(
        _ body: @Sendable @escaping (Transaction) async throws -> Result
    ) async throws -> Result
}

/// What may be done to spots, all together or not at all. Whatever changes a spot also tells its events.
protocol SpotTransaction: Sendable {
    /// The moment at which all of it happens.
    var now: Date { get }

    /// The spot as it is committed at this moment; nil also where there is none for this person.
    func spot(_ id: SpotID, for viewer: SpotViewer) async throws -> ParkingSpot?

    /// What is known of people, without asking anybody else.
    /// - Parameter viewer: Whom it is told, where people who are apart from them may be among these; nil where they cannot.
    func people(_ ids: Set<PersonID>, for viewer: PersonID?) async throws -> KnownPeople

    func add(_ decision: SpotDecision) async throws

    /// Makes spots and claims follow from who is suspended now; at most so many.
    /// - Parameter person: of this person alone; nil for everybody's, but for those that another process is at.
    /// - Returns: How many were looked at.
    func reconcile(_ person: PersonID?, atMost limit: Int, within limits: SpotLimits) async throws -> Int

    /// Locks a spot, whoever may see it, decides, and keeps what was decided; nothing where there is none.
    func moderate(_ id: SpotID, _ decide: @Sendable (ParkingSpot) -> SpotDecision) async throws

    /// Locks the spot, decides, and keeps what was decided, at the end of the transaction.
    /// - Throws: What `decide` throws; `notFound`, also where there is none for this person.
    func update(
        _ id: SpotID, for viewer: SpotViewer, _ decide: @Sendable (ParkingSpot) throws(SpotError) -> SpotDecision
    ) async throws -> ParkingSpot

    /// The same for what a person sees there; `decide` also gets what that person said before.
    func observe(
        _ id: SpotID, _ seen: ObservedState, by person: PersonID, for viewer: SpotViewer,
        _ decide: @Sendable (ParkingSpot, _ before: ObservedState?) throws(SpotError) -> SpotDecision
    ) async throws -> ParkingSpot

    /// Keeps a claim if the spot is free at this very moment: one conditional update, so that two people never hold one
    /// spot and nobody waits for one that is taken.
    /// - Parameter price: What it has to cost at that moment; nil where any price will do.
    /// - Returns: The spot as it is now, or nil where somebody was faster, or it costs something else.
    func claim(_ decision: SpotDecision, for price: Int?) async throws -> ParkingSpot?

    /// Ends free spots whose time is over, at most so many. Spots that another process is at are left to it.
    /// - Returns: How many.
    func expire(atMost limit: Int, _ decide: @Sendable (ParkingSpot) -> SpotDecision) async throws -> Int

    /// Decides what becomes of claims that were made by `moment` and that nobody has completed; at most so many, and none that another
    /// process is at.
    /// - Returns: How many.
    func settle(
        claimedBy moment: Date, atMost limit: Int, _ decide: @Sendable (ParkingSpot) -> SpotDecision
    ) async throws -> Int

    /// Deletes spots that ended without a claim and whose time was over before `moment`, with what was said of them; at most so many.
    /// - Returns: How many.
    func forget(endedBefore moment: Date, atMost limit: Int) async throws -> Int
}

/// Who looks at a spot. For those who are apart from its poster there is none, but for one that they hold themselves.
struct SpotViewer: Hashable, Sendable {
    /// Nil for somebody who is not signed in.
    var person: PersonID?
    /// Claims since then still run.
    var claimsSince: Date
    /// Whether what moderators have hidden is there for them.
    var seesHidden = false

    /// For whom nothing is hidden: the service itself.
    static let everything = SpotViewer(person: nil, claimsSince: .distantPast, seesHidden: true)
}

/// How much a person has at once.
struct SpotHoldings: Hashable, Sendable {
    /// Free spots on the map, posted by the person.
    var free: Int
    /// Spots that the person holds.
    var claims: Int
    /// Whether the person is suspended, and may do nothing here now.
    var isSuspended = false
}
