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

    func spot(_ id: SpotID) async throws -> ParkingSpot?

    /// At most `page.limit` + 1 spots, so that it shows whether there is another page.
    func spots(_ page: SpotPage, at now: Date) async throws -> [FoundSpot]

    /// Does what a person asked for once, however often the request comes, and answers the same each time. All of it is
    /// done or, if the body throws, nothing.
    func command<Reply: Codable & Sendable>(
        _ request: RequestContext, _ body: @Sendable @escaping (Transaction) async throws -> Reply
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

    /// The spot as it is committed at this moment.
    func spot(_ id: SpotID) async throws -> ParkingSpot?

    /// What is known of people, without asking anybody else.
    func people(_ ids: Set<PersonID>) async throws -> KnownPeople

    /// How much a person has already. From here to the end of the transaction the same person's others wait, so that the
    /// numbers stay true.
    func holdings(of person: PersonID, claimsSince: Date) async throws -> SpotHoldings

    func add(_ decision: SpotDecision) async throws

    /// Locks the spot, decides, and keeps what was decided.
    /// - Throws: What `decide` throws; `notFound`.
    func update(
        _ id: SpotID, _ decide: @Sendable (ParkingSpot) throws(SpotError) -> SpotDecision
    ) async throws -> ParkingSpot

    /// The same for what a person sees there; `decide` also gets what that person said before.
    func observe(
        _ id: SpotID, _ seen: ObservedState, by person: PersonID,
        _ decide: @Sendable (ParkingSpot, _ before: ObservedState?) throws(SpotError) -> SpotDecision
    ) async throws -> ParkingSpot

    /// Keeps a claim if the spot is free at this very moment: one conditional update, so that two people never hold one
    /// spot and nobody waits for one that is taken.
    /// - Returns: The spot as it is now, or nil where somebody was faster.
    func claim(_ decision: SpotDecision) async throws -> ParkingSpot?

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

/// How much a person has at once.
struct SpotHoldings: Hashable, Sendable {
    /// Free spots on the map, posted by the person.
    var free: Int
    /// Spots that the person holds.
    var claims: Int
}
