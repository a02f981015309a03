import DurableMessaging
import FoundationEssentials
import MatchEngine
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// In which order Maya best drops what she carries.
@Suite struct DropOrderTests {
    private func place(_ name: String, _ east: Double, _ north: Double = 0) -> DeliveryPlace {
        DeliveryPlace(name: name, position: position(east, north))
    }

    /// What was offered as the how-manieth.
    private func match(
        _ number: Int, to dropOff: DeliveryPlace, _ state: MatchState = .accepted,
        _ change: (inout MatchAgreement) -> Void = { _ in }
    ) -> MatchAgreement {
        var match = MatchAgreement(
            of: Example.order { $0.dropOff = dropOff }, "Soup", to: Example.availability(), Example.fit,
            id: MatchID("00000000-0000-4000-8000-0000000000d\(number)")!, code: "0472", until: after(minutes: 1),
            at: noon)
        match.state = state
        if state != .offered { match.acceptedAt = noon }
        if ![.offered, .accepted].contains(state) { match.pickedUpAt = noon }
        change(&match)
        return match
    }

    /// The names of where it goes.
    private func order(_ deliveries: HeldDeliveries, to goal: DeliveryPlace = exactum.shown) -> [String] {
        deliveries.inOrder(to: goal).map(\.dropOff.name)
    }

    @Test func the_nearest_first_on_the_way_there_and_offers_before_all() {
        let matches = [
            match(1, to: place("far", 800)), match(2, to: place("offered", 10), .offered),
            match(3, to: place("near", 200)),
            match(4, to: place("between", 500)),
        ]
        #expect(order(HeldDeliveries(matches: matches)) == ["offered", "near", "between", "far"])
        #expect(order(HeldDeliveries(matches: [])) == [])
        #expect(order(HeldDeliveries(matches: [matches[0]])) == ["far"])
    }

    @Test func streets_say_it_where_they_are_known() {
        let (east, north) = (place("east", 300), place("north", 0, 300))
        var deliveries = HeldDeliveries(matches: [match(1, to: east), match(2, to: north)])
        #expect(order(deliveries) == ["north", "east"])
        // A river lies between the restaurant and the north, with a bridge in the east.
        deliveries.ways.learn(Hop(unicafe.id, north.stop.id), KnownWay(metres: 2000, isAlongStreets: true))
        deliveries.ways.learn(Hop(east.stop.id, north.stop.id), KnownWay(metres: 450, isAlongStreets: true))
        deliveries.ways.learn(Hop(north.stop.id, exactum.id), KnownWay(metres: 1100, isAlongStreets: true))
        #expect(order(deliveries) == ["east", "north"])
    }

    @Test func where_it_is_all_the_same_what_was_offered_first_comes_first() {
        let matches = [match(2, to: place("second", 400)), match(1, to: place("first", 400))].sorted { $0.id < $1.id }
        #expect(order(HeldDeliveries(matches: matches)) == ["first", "second"])
    }

    @Test func with_all_of_it_in_their_hands_they_go_on_from_what_they_dropped_last() {
        let (left, right) = (place("left", 0, 400), place("right", 700, 400))
        let goal = place("middle", 350, 400)
        let carried = [match(1, to: left, .pickedUp), match(2, to: right, .pickedUp)]
        let before = match(3, to: place("before", 600, 400), .completed) { $0.changedAt = after(minutes: -10) }
        func dropped(_ state: MatchState, minutes: Double) -> [MatchAgreement] {
            var since = match(4, to: place("since", 680, 400), state)
            since.changedAt = after(minutes: minutes)
            return [before, since]
        }
        func order(_ carried: [MatchAgreement], _ dropped: [MatchAgreement] = []) -> [String] {
            self.order(HeldDeliveries(matches: carried, dropped: dropped), to: goal)
        }
        #expect(order(carried) == ["left", "right"])
        #expect(order(carried, dropped(.delivered, minutes: 3)) == ["right", "left"])
        // What was dropped before the rest was picked up lies behind.
        #expect(order(carried, dropped(.received, minutes: -3)) == ["left", "right"])
        // For what is not picked up yet they go back.
        let half = [match(1, to: left), match(2, to: right, .pickedUp)]
        #expect(order(half, dropped(.delivered, minutes: 3)) == ["left", "right"])
    }

    @Test func of_more_than_hands_can_hold_not_every_order_is_tried() {
        let matches = (1...8).map { match($0, to: place("\($0)", Double(900 - 100 * $0)), .pickedUp) }
        #expect(order(HeldDeliveries(matches: matches)) == (1...8).map { "\($0)" })
        #expect(order(HeldDeliveries(matches: Array(matches.prefix(6)))) == (1...6).reversed().map { "\($0)" })
    }

    /// Beside all orders that there are, of ways of which some are known.
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func no_order_is_shorter(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let drops = (0..<Int.random(in: 2...4, using: &chance)).map { number in
            place("\(number)", .random(in: -900...900, using: &chance), .random(in: -900...900, using: &chance))
        }
        var deliveries = HeldDeliveries(matches: drops.enumerated().map { match($0.offset + 1, to: $0.element) })
        let places = [unicafe.shown, exactum.shown] + drops
        for hop in KnownWays.hops(among: places).sorted(by: { ($0.one, $0.other) < ($1.one, $1.other) })
        where Bool.random(using: &chance) {
            deliveries.ways.learn(
                hop, KnownWay(metres: .random(in: 50...3000, using: &chance), isAlongStreets: .random(using: &chance)))
        }
        func length(_ order: [DeliveryPlace]) -> Double {
            let stops = [unicafe.shown] + order + [exactum.shown]
            return zip(stops, stops.dropFirst()).reduce(0) { $0 + deliveries.ways.metres(from: $1.0, to: $1.1) }
        }
        func orders(of places: [DeliveryPlace]) -> [[DeliveryPlace]] {
            if places.isEmpty { return [[]] }
            return places.indices.flatMap { index in
                orders(of: places.enumerated().filter { $0.offset != index }.map(\.element)).map {
                    [places[index]] + $0
                }
            }
        }
        let found = deliveries.inOrder(to: exactum.shown).map(\.dropOff)
        let lengths = orders(of: drops).map(length)
        #expect(found.count == drops.count && Set(found) == Set(drops))
        #expect(abs(length(found) - (lengths.min() ?? 0)) < 0.001)
    }

    // MARK: Kept

    /// The ways between drop-offs are asked for as soon as there are two.
    @Test func two_that_are_accepted_stand_in_their_order_by_the_streets() async throws {
        try await Deliveries.with { deliveries in
            let there = try await deliveries.bringing { ($0.capacity, $0.detour, $0.minutes) = (2, 500, 60) }
            func accepted(_ east: Double, by person: PersonID) async throws -> MatchID {
                let drop = DropOffDraft(name: "\(Int(east)) m", position: position(east))
                let match = try await deliveries.requested(by: person, of: there) { $0.dropOff = drop }.match
                try await deliveries.act(.accept, on: match, by: maya)
                return match
            }
            func order() async throws -> [MatchID]? {
                try await deliveries.useCases.availability(for: Caller(person: maya)).availability?.matches
            }
            func between() async throws -> Int {
                let places = [700, 400].map { DeliveryPlace(name: "", position: position($0)) }
                let ids = places.map(\.stop.id)
                return try await deliveries.database.query(
                    "SELECT FROM hops WHERE one = ANY(\(ids)) AND other = ANY(\(ids))"
                ).count
            }
            let far = try await accepted(700, by: tom)
            #expect(try await order() == [far])
            #expect(try await between() == 0)
            let near = try await accepted(400, by: kim)
            #expect(try await order() == [near, far])
            #expect(try await between() == 1)
            let longer = try await deliveries.useCases.offerDelivery(AvailabilityDraft(minutes: 90), .from(maya))
            #expect(longer.matches == [near, far], "what a command answers, too")
            // The nearer one can be reached from behind only.
            let hops = StreetHops(store: deliveries.store, logger: .quiet) { from, others in
                others.map { to in
                    let isBarred = [from, to].contains(position(0)) && [from, to].contains(position(400))
                    return KnownWay(metres: isBarred ? 5000 : Int(to.metres(to: from).rounded()), isAlongStreets: true)
                }
            }
            _ = try await hops.round()
            #expect(try await order() == [far, near])
            // With the other one dropped it is the only one.
            try await deliveries.act(.pickUp, on: near, by: maya, MatchActDraft(spent: euros(900)))
            try await deliveries.act(.pickUp, on: far, by: maya, MatchActDraft(spent: euros(900)))
            #expect(try await order() == [far, near])
            try await deliveries.act(.complete, on: far, by: maya)
            #expect(try await order() == [near])
        }
    }
}
