import FoundationEssentials
import MatchEngine
import WireProtocol

@testable import MatchingService

/// Some who are there, some orders, and a round.
protocol DecidingRounds {}

extension DecidingRounds {
    var oak: DeliveryPlace { DeliveryPlace(name: "The oak", position: position(1000, 40)) }

    func availability(
        _ number: Int, of person: PersonID = maya, _ change: (inout OfferedAvailability) -> Void = { _ in }
    ) -> OfferedAvailability {
        var other = OfferedAvailability(
            id: AvailabilityID("00000000-0000-4000-8000-00000000b00\(number)")!, deliverer: person, beganAt: noon,
            state: .available, restaurant: unicafe, dropOff: exactum.shown, capacity: 1, detour: 300,
            until: after(minutes: 30), isListed: true, changedAt: noon)
        change(&other)
        return other
    }

    func decide(
        _ orders: [PlacedOrder], _ availabilities: [OfferedAvailability], ways: KnownWays = KnownWays(),
        _ more: (inout DeliveryRound) -> Void = { _ in }
    ) -> RoundOutcome {
        var round = DeliveryRound(ways: ways)
        for availability in availabilities { round.add(availability, of: nil) }
        for order in orders { round.add(order, of: nil) }
        more(&round)
        return round.decide(at: noon)
    }

    func way(_ one: DeliveryPlace, _ other: DeliveryPlace, _ metres: Int, _ isAlong: Bool = true) -> KnownWays {
        var ways = KnownWays()
        ways.learn(Hop(one.stop.id, other.stop.id), KnownWay(metres: metres, isAlongStreets: isAlong))
        return ways
    }
}
