import FoundationEssentials
import Testing
import WireProtocol

@testable import MatchEngine

/// Who fits whom, row by row.
@Suite("Who fits")
struct FitTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var order = MatchEngineTests.order(1)
        var deliverer = MatchEngineTests.deliverer(1)
        var fits: Bool
    }

    private static let bakery = stop(3, 0, 400)

    static let rows: [Row] = [
        Row(testDescription: "same restaurant, same building", fits: true),
        Row(testDescription: "another restaurant", deliverer: deliverer(1, at: bakery), fits: false),
        Row(
            testDescription: "one of several restaurants", order: order(1, from: [canteen, bakery]),
            deliverer: deliverer(1, at: bakery, detour: 600), fits: true),
        Row(
            testDescription: "nobody brings to themselves", order: order(1, person: 7),
            deliverer: deliverer(1, person: 7), fits: false),
        Row(
            testDescription: "of the same campus", order: order(1, campus: "hill"),
            deliverer: deliverer(1, campus: "hill"), fits: true),
        Row(
            testDescription: "of another campus", order: order(1, campus: "hill"),
            deliverer: deliverer(1, campus: "port"), fits: false),
        Row(testDescription: "of no campus", order: order(1, campus: "hill"), fits: false),
        Row(
            testDescription: "the fee that is asked", order: order(1, fee: 200), deliverer: deliverer(1, leastFee: 200),
            fits: true),
        Row(
            testDescription: "less than that", order: order(1, fee: 199), deliverer: deliverer(1, leastFee: 200),
            fits: false),
        Row(testDescription: "no hand free", deliverer: deliverer(1, capacity: 2, taken: 2), fits: false),
        Row(testDescription: "one of two hands free", deliverer: deliverer(1, capacity: 2, taken: 1), fits: true),
        Row(testDescription: "gone already", deliverer: deliverer(1, for: 0), fits: false),
        // A kilometre guessed as 1,300 m takes 1,000 s.
        Row(testDescription: "just in time", order: order(1, waits: 1001), fits: true),
        Row(testDescription: "too late", order: order(1, waits: 999), fits: false),
        // 1.3 × 1,000 m to the order, 1.3 × 100 m on, instead of 1.3 × 1,100 m.
        Row(testDescription: "on the way", deliverer: deliverer(1, to: stop(4, 1100), detour: 1), fits: true),
        // 1.3 × 100 m too far, and back.
        Row(
            testDescription: "as far as they would go", deliverer: deliverer(1, to: stop(4, 900), detour: 261),
            fits: true),
        Row(
            testDescription: "farther than they would go", deliverer: deliverer(1, to: stop(4, 900), detour: 259),
            fits: false),
        Row(testDescription: "only their own building", deliverer: deliverer(1, trip: 900, detour: 0), fits: true),
        Row(testDescription: "asked by name", order: order(1, asks: 1), fits: true),
        Row(testDescription: "another one was asked", order: order(1, asks: 2), fits: false),
    ]

    @Test(arguments: rows) func one_order_and_one_deliverer(row: Row) {
        // One who is asked by name and has no hand free, so that the order waits for them.
        let named = deliverer(2, capacity: 1, taken: 1)
        let expected: [WaitingOrder.ID: FreeDeliverer.ID] = row.fits ? [orderID(1): delivererID(1)] : [:]
        var first = MatchEngine([row.deliverer, named])
        #expect(first.placed(row.order, at: noon).pairs == expected, "the deliverer was there first")
        var second = MatchEngine([named], [row.order])
        #expect(second.came(row.deliverer, at: noon).pairs == expected, "the order was there first")
        var both = MatchEngine([row.deliverer, named], [row.order])
        #expect(both.decide(at: noon).pairs == expected, "both at once")
    }

    @Test func circles_take_every_restaurant_in_them_whichever_is_learned_first() {
        for metres in [399.0, 401] {
            var wish = order(1)
            wish.restaurants = .around(position(0, 0), metres: metres)
            let there = deliverer(1, at: Self.bakery, detour: 600)
            let expected: [WaitingOrder.ID: FreeDeliverer.ID] = metres > 400 ? [orderID(1): delivererID(1)] : [:]
            var first = MatchEngine([there])
            #expect(first.placed(wish, at: noon).pairs == expected)
            var second = MatchEngine([], [wish])
            #expect(second.came(there, at: noon).pairs == expected)
            #expect(second.withdrawn(orderID(1), at: noon).isEmpty)
        }
    }

    @Test func circles_cross_the_date_line_and_the_pole() {
        for (middle, place) in [((10.0, 179.9995), (10.0, -179.9995)), ((89.999, 0.0), (89.999, 180.0))] {
            let eatery = Stop(id: id(5), position: Position(latitude: place.0, longitude: place.1))
            var wish = order(1, to: eatery)
            wish.restaurants = .around(Position(latitude: middle.0, longitude: middle.1), metres: 300)
            var engine = MatchEngine([deliverer(1, at: eatery, to: eatery)])
            #expect(engine.placed(wish, at: noon).pairs.count == 1)
        }
    }

    @Test func who_is_apart_is_not_asked_until_they_no_longer_are() {
        var engine = MatchEngine([deliverer(1, person: 7)])
        engine.learn(person(7), isApartFrom: person(8))
        #expect(engine.placed(order(1, person: 8), at: noon) == [.keepWaiting(orderID(1), .nobodyFits), .ask(hops)])
        engine.learn(person(8), isApartFrom: person(7), false)
        #expect(engine.decide(at: noon).pairs == [orderID(1): delivererID(1)])
    }

    private var hops: [Hop] { [Hop(canteen.id, house.id)] }

    @Test func streets_that_are_told_count_instead_of_guesses_and_are_asked_for_once() {
        let near = stop(4, 900)
        var engine = MatchEngine([deliverer(1, to: near, detour: 259)])
        let first = engine.placed(order(1), at: noon)
        #expect(first.pairs.isEmpty && Set(first.questions) == [Hop(canteen.id, house.id), Hop(near.id, house.id)])
        engine.learn(Hop(house.id, near.id), metres: 101)
        #expect(engine.decide(at: noon).pairs == [orderID(1): delivererID(1)])
        #expect(engine.placed(order(2), at: noon).questions.isEmpty)
    }
}
