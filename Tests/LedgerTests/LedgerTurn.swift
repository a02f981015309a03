import TestKit
import Testing

/// What takes turns beside the deliberate faults and the audits' own tests, which run each time: each of these hurts a stack of its own for most
/// of a minute.
enum LedgerTurn: Int, CaseIterable {
    case havoc, fullDisk, replicas, farewells, chatter, rentalModel, rideModel, seatRounds, deliveries, searches

    /// One of them each time.
    var inTurn: ConditionTrait { .inTurn(rawValue, of: Self.allCases.count) }
}
