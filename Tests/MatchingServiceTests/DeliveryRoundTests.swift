import FoundationEssentials
import MatchEngine
import Testing
import WireProtocol

@testable import MatchingService

@Suite("From what is stored to the engine, and back")
struct DeliveryRoundTests: DecidingRounds {
    // MARK: Values

    @Test func an_order_waits_for_anybody() {
        let order = Example.order { $0.asked = Example.availability().id }
        let waiting = WaitingOrder(order, of: "aalto")
        #expect(waiting.id.uuid == order.id.uuid && waiting.person == tom && waiting.fee == 200)
        #expect(waiting.restaurants == .anyOf([unicafe.id]) && waiting.campus == "aalto")
        #expect(waiting.building == Stop(id: exactum.id, position: exactum.position) && waiting.asks == nil)
        #expect(waiting.placedAt == noon && waiting.waitsUntil == after(minutes: 60))
        let around = Example.order {
            $0.around = OrderedAround(position: position(0), radius: 300, items: "Anything")
            $0.terms.fee = nil
        }
        let circle = WaitingOrder(around, of: nil)
        #expect(circle.restaurants == .around(position(0), metres: 300) && circle.fee == 0 && circle.campus == nil)
    }

    @Test func a_deliverer_has_the_hands_that_they_have() {
        let offered = Example.availability { ($0.taken, $0.leastFee) = (1, euros(150)) }
        let free = FreeDeliverer(offered, carrying: [physicum.shown], of: nil, KnownWays())
        #expect(free.id.uuid == offered.id.uuid && free.person == maya && free.restaurant.id == unicafe.id)
        #expect(free.capacity == 2 && free.taken == 1 && free.leastFee == 150 && free.carries == [physicum.id])
        #expect(free.until == offered.until && free.detour == 150)
        #expect(abs(free.trip - 1300) < 1, "guessed")
        let measured = Example.availability { $0.trip = KnownWay(metres: 1210, isAlongStreets: true) }
        #expect(FreeDeliverer(measured, carrying: [], of: nil, KnownWays()).trip == 1210)
        let straight = Example.availability { $0.trip = KnownWay(metres: 1000, isAlongStreets: false) }
        #expect(FreeDeliverer(straight, carrying: [], of: nil, KnownWays()).trip == 1300)
        let ways = way(unicafe.shown, exactum.shown, 1150)
        #expect(FreeDeliverer(offered, carrying: [], of: nil, ways).trip == 1150)
    }

    @Test func who_refused_is_not_asked_again_but_for_whom_it_was_withdrawn_from() {
        for state in MatchState.allCases {
            #expect((Decline(Example.match(state)) == nil) == (state == .withdrawn))
        }
        #expect(Decline(Example.match(.declined))?.person == maya)
        for (state, count) in [(MatchState.declined, 0), (.cancelled, 0), (.withdrawn, 1)] {
            var round = DeliveryRound()
            round.add(Example.availability(), of: nil)
            round.add(Example.order(), after: [Example.match(state)], of: nil)
            #expect(round.decide(at: noon).offers.count == count)
        }
    }

    @Test func a_point_of_the_map_is_a_place_of_its_own() {
        let near = DeliveryPlace(name: "By the oak", position: position(1000.2, 40))
        #expect(oak.stop.id == near.stop.id && oak.stop.id != exactum.id, "a fifth of a metre is nothing")
        let south = DeliveryPlace(name: "South", position: Position(latitude: -1, longitude: -25))
        #expect(Set([oak, south, exactum.shown].map(\.stop.id)).count == 3)
        #expect(south.stop.id.description == "fffe7960-0000-8000-8000-0000ffd9da60")
        #expect(exactum.shown.stop.id == exactum.id)
    }

    // MARK: Decisions

    @Test func who_fits_is_asked() throws {
        let outcome = decide([Example.order()], [Example.availability()])
        let offer = try #require(outcome.offers.first)
        #expect(offer.order == Example.order() && offer.availability == Example.availability())
        #expect(offer.fit.detour == 0 && !offer.fit.isTurn && offer.fit.chances == [])
        #expect(offer.fit.walk == 1000, "1,300 metres at 1.3 a second")
        let decision = try offer.order.offer(
            to: offer.availability, offer.fit, id: Example.match().id, code: "0472", until: after(minutes: 1), at: noon)
        #expect(decision.offer == Example.match())
    }

    @Test func ways_that_are_known_count() throws {
        let order = Example.order { $0.dropOff = physicum.shown }
        var ways = way(unicafe.shown, physicum.shown, 1100)
        ways.learn(Hop(physicum.id, exactum.id), KnownWay(metres: 60, isAlongStreets: true))
        let offered = Example.availability { $0.trip = KnownWay(metres: 1030, isAlongStreets: true) }
        let outcome = decide([order], [offered], ways: ways)
        let fit = try #require(outcome.offers.first?.fit)
        #expect(fit.detour == 130 && fit.detourSeconds == 100 && fit.walk == 846 && outcome.questions == [])
        ways.learn(Hop(physicum.id, exactum.id), KnownWay(metres: 60, isAlongStreets: false))
        let guessed = try #require(decide([order], [offered], ways: ways).offers.first?.fit)
        #expect(guessed.detour == 148 && guessed.detourSeconds == nil, "78 metres for 60 straight ones")
        ways.learn(Hop(physicum.id, exactum.id), KnownWay(metres: 81, isAlongStreets: true))
        #expect(decide([order], [offered], ways: ways).offers == [], "a metre too many")
    }

    @Test func ways_that_are_not_known_are_asked_for() {
        let outcome = decide([Example.order { $0.dropOff = oak }], [Example.availability()])
        let asked = Set(outcome.questions.map { Set([$0.from, $0.to]) })
        #expect(asked == [[unicafe.position, oak.position], [oak.position, exactum.position]])
        #expect(outcome.questions.allSatisfy { $0.hop == Hop($0.hop.one, $0.hop.other) })
    }

    @Test func what_is_too_late_is_offered_to_nobody_and_what_finds_nobody_waits() {
        let late = Example.order { $0.waitsUntil = noon }
        #expect(decide([late], [Example.availability()]).offers == [])
        let outcome = decide([Example.order()], [])
        #expect(outcome.offers == [], "it waits")
    }

    @Test func who_is_apart_or_of_another_campus_is_not_asked() {
        #expect(decide([Example.order()], [Example.availability()]) { $0.separate(tom, maya) }.offers == [])
        var round = DeliveryRound()
        round.add(Example.availability(), of: "aalto")
        round.add(Example.order(), of: "helsinki")
        #expect(round.decide(at: noon).offers == [])
    }

    @Test func circles_take_whoever_is_in_them() {
        let around = Example.order {
            $0.around = OrderedAround(position: position(0, 100), radius: 250, items: "Anything")
        }
        let north = availability(1) { $0.restaurant = chemicum }
        #expect(decide([around], [north]).offers.map(\.availability) == [north])
        let near = Example.order { $0.around = OrderedAround(position: position(0, 100), radius: 150, items: "Any") }
        #expect(decide([near], [north]).offers == [])
    }

    @Test func what_is_carried_to_the_same_building_is_preferred() {
        let (one, other) = (availability(1), availability(2, of: kim) { ($0.capacity, $0.taken) = (2, 1) })
        var round = DeliveryRound()
        round.add(one, of: nil)
        round.add(other, carrying: [exactum.shown], of: nil)
        round.add(Example.order(), of: nil)
        #expect(round.decide(at: noon).offers.map(\.availability) == [other])
    }
}
