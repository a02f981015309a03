import FoundationEssentials
import Testing
import WireProtocol

@testable import MatchingService

@Suite("What an order must be")
struct OrderWishTests {
    private func place(
        _ draft: OrderDraft, having open: Int = 0, among known: KnownPlaces = places
    ) throws(DeliveryError) -> PlacedOrder {
        try PlacedOrder.place(
            draft, id: Example.order().id, by: tom, having: open, asking: nil, among: known, at: noon, within: limits
        ).order
    }

    private func faults(_ change: (inout OrderDraft) -> Void) -> [String] {
        wrong { () throws(DeliveryError) in _ = try place(Example.orderDraft(change)) }
    }

    @Test func what_is_right_is_placed() throws {
        #expect(try place(Example.orderDraft()) == Example.order())
    }

    @Test func what_is_not_said_is_usual() throws {
        let order = try place(Example.orderDraft { ($0.door, $0.fee) = (nil, nil) })
        #expect(order.door == nil && order.terms.fee == nil && order.terms.paidBy == .cash && !order.rollsOn)
        #expect(order.waitsUntil == after(minutes: 60) && order.asked == nil && !order.terms.isPrepaid)
        #expect(try place(Example.orderDraft { $0.fee = Money(amount: 0, currency: "USD") }).terms.fee == nil)
    }

    // MARK: Where from

    @Test func it_comes_from_one_to_eight_restaurants() throws {
        func from(_ count: Int) -> [OrderedFromDraft] {
            (0..<count).map { _ in OrderedFromDraft(restaurant: PlaceID.new(at: noon), items: "Soup") }
        }
        func order(_ drafts: [OrderedFromDraft]) -> [String] {
            let known =
                drafts.compactMap(\.restaurant).map {
                    KnownPlace(id: $0, name: "Here", position: position(0))
                } + [exactum]
            return wrong { () throws(DeliveryError) in
                _ = try place(Example.orderDraft { $0.from = drafts }, among: KnownPlaces(known))
            }
        }
        #expect(faults { $0.from = nil } == ["from: required"] && order([]) == ["from: required"])
        #expect(order(from(8)) == [] && order(from(9)) == ["from: too_many"])
        #expect(order(from(1) + [OrderedFromDraft()]) == ["from.1.restaurant: required", "from.1.items: required"])
    }

    @Test func what_is_wanted_from_each_is_said() {
        func from(_ restaurant: PlaceID?, _ items: String?) -> [String] {
            faults { $0.from = [OrderedFromDraft(restaurant: restaurant, items: items)] }
        }
        #expect(from(PlaceID.new(at: noon), "Soup") == ["from.0.restaurant: unknown_place"])
        #expect(from(unicafe.id, " \n ") == ["from.0.items: required"])
        #expect(from(unicafe.id, String(repeating: "a", count: 1000)) == [])
        #expect(from(unicafe.id, String(repeating: "a", count: 1001)) == ["from.0.items: too_long"])
        let twice = [unicafe.id, unicafe.id].map { OrderedFromDraft(restaurant: $0, items: "Soup") }
        #expect(faults { $0.from = twice } == ["from.1.restaurant: duplicate"])
    }

    private func around(_ change: (inout OrderedAroundDraft) -> Void = { _ in }) -> OrderDraft {
        var circle = OrderedAroundDraft(position: position(0, 100), items: "Anything")
        change(&circle)
        return Example.orderDraft { ($0.from, $0.around) = (nil, circle) }
    }

    @Test func it_may_come_from_anywhere_around_a_point() throws {
        let order = try place(around())
        #expect(order.around == OrderedAround(position: position(0, 100), radius: 400, items: "Anything"))
        #expect(
            order.from.map(\.restaurant) == [unicafe, chemicum] && order.from.allSatisfy { $0.items == "Anything" })
        let near = try place(around { $0.radius = 150 })
        #expect(near.from.map(\.restaurant) == [unicafe], "the other one is 200 metres away")
        #expect(near.items(from: unicafe) == "Anything" && near.items(from: chemicum) == nil)
        let new = KnownPlace(id: PlaceID.new(at: noon), name: "New", position: position(20, 100))
        #expect(near.items(from: new) == "Anything", "it need not be shown")
        let many = (0..<30).map { _ in KnownPlace(id: PlaceID.new(at: noon), name: "Here", position: position(0)) }
        #expect(try place(around(), among: KnownPlaces([exactum], around: many)).from.count == 20)
    }

    @Test func a_circle_has_its_range() throws {
        func wrongly(_ change: (inout OrderedAroundDraft) -> Void) -> [String] {
            wrong { () throws(DeliveryError) in _ = try place(around(change)) }
        }
        #expect([99, 101, 1000, 1001].map { radius in wrongly { $0.radius = radius }.count } == [1, 0, 0, 1])
        #expect(wrongly { $0.position = nil } == ["around.position: required"])
        #expect(wrongly { $0.position?.latitude = 86 } == ["around.position: out_of_range"])
        #expect(wrongly { $0.items = nil } == ["around.items: required"])
        #expect(wrongly { $0.position = position(3000) } == ["around: nothing_there"])
        let both = Example.orderDraft { $0.around = OrderedAroundDraft() }
        #expect(wrong { () throws(DeliveryError) in _ = try place(both) } == ["around: not_allowed"])
    }

    @Test func places_are_asked_for_before() {
        #expect(Example.orderDraft().places == [unicafe.id, exactum.id] && Example.orderDraft().circle == nil)
        let circle = around().circle
        #expect(circle?.middle == position(0, 100) && circle?.radius == 400)
        #expect(around { $0.radius = 1001 }.circle == nil && around { $0.position?.longitude = .nan }.circle == nil)
        let many = (0..<100).map { _ in OrderedFromDraft(restaurant: PlaceID.new(at: noon)) }
        #expect(Example.orderDraft { $0.from = many }.places.count == 9, "no more than an order may have")
    }

    // MARK: Money and words

    @Test func money_has_its_range() throws {
        func fee(_ amount: Int, _ currency: String = "EUR") -> [String] {
            faults { $0.fee = Money(amount: amount, currency: currency) }
        }
        func limit(_ amount: Int, _ currency: String = "EUR") -> [String] {
            faults { $0.limit = Money(amount: amount, currency: currency) }
        }
        #expect(fee(-1) == ["fee.amount: out_of_range"] && fee(10_000) == [])
        #expect(fee(10_001) == ["fee.amount: out_of_range"] && fee(5, "USD") == ["fee.currency: wrong_currency"])
        #expect(limit(-1) == ["limit.amount: out_of_range"] && limit(50_000) == [] && limit(0) == [])
        #expect(limit(50_001) == ["limit.amount: out_of_range"])
        #expect(limit(5, "USD") == ["limit.currency: wrong_currency"])
        #expect(try place(Example.orderDraft { $0.limit = Money(amount: 0, currency: "USD") }).terms.limit == euros(0))
        #expect(DeliveryRules.text(of: 1205, "EUR") == "EUR 12.05")
    }

    @Test func goods_have_a_limit_or_are_paid_for() throws {
        let prepaid = try place(Example.orderDraft { ($0.limit, $0.pickUpCode) = (nil, " A7 ") })
        #expect(prepaid.terms.isPrepaid && prepaid.terms.limit == nil && prepaid.pickUpCode == "A7")
        #expect(faults { $0.limit = nil } == ["limit: required"])
        #expect(faults { ($0.limit, $0.pickUpCode) = (nil, " ") } == ["limit: required"])
        #expect(faults { $0.pickUpCode = "A7" } == ["limit: not_allowed"])
        let long = String(repeating: "a", count: 61)
        #expect(faults { ($0.limit, $0.pickUpCode) = (nil, long) } == ["pickUpCode: too_long"])
        #expect(faults { $0.door = String(repeating: "a", count: 201) } == ["door: too_long"])
        #expect(faults { $0.door = "A\nB" } == ["door: not_allowed"])
    }

    @Test func it_waits_for_minutes() {
        #expect([14, 15, 180, 181].map { minutes in faults { $0.minutes = minutes }.count } == [1, 0, 0, 1])
    }

    @Test func all_that_is_wrong_comes_at_once() {
        let errors = faults {
            ($0.from, $0.dropOff) = ([OrderedFromDraft(restaurant: PlaceID.new(at: noon))], DropOffDraft())
            ($0.door, $0.fee, $0.limit) = ("A\nB", euros(-1), Money(amount: 60_000, currency: "USD"))
            ($0.pickUpCode, $0.minutes) = (nil, 5)
        }
        #expect(
            errors == [
                "from.0.restaurant: unknown_place", "from.0.items: required", "dropOff: required",
                "door: not_allowed", "fee.amount: out_of_range", "limit.currency: wrong_currency",
                "limit.amount: out_of_range", "minutes: out_of_range",
            ])
    }

    @Test func somebody_has_three_orders_at_once() throws {
        #expect(throws: DeliveryError.tooManyOrders(limit: 3)) { try place(Example.orderDraft(), having: 3) }
        #expect(try place(Example.orderDraft(), having: 2).state == .waiting)
        for state in OrderState.allCases {
            #expect(state.isOver == [.completed, .cancelled, .lapsed].contains(state))
        }
    }
}
