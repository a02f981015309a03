import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

@Suite("Lists of orders and matches", .serialized)
struct DeliveryListTests {
    private func orders(
        of deliveries: Deliveries, _ isOver: Bool?, by person: PersonID = tom
    ) async throws -> [OrderID] {
        var (found, query) = ([OrderID](), OrderQuery(isOver: isOver, limit: 1))
        repeat {
            let page = try await deliveries.useCases.orders(query, for: Caller(person: person))
            found += page.items.map(\.id)
            query.cursor = page.next
        } while query.cursor != nil
        return found
    }

    private func matches(
        of deliveries: Deliveries, _ change: (inout MatchQuery) -> Void = { _ in }, by person: PersonID
    ) async throws -> [MatchID] {
        var (found, query) = ([MatchID](), MatchQuery(limit: 1))
        change(&query)
        repeat {
            let page = try await deliveries.useCases.matches(query, for: Caller(person: person))
            found += page.items.map(\.id)
            query.cursor = page.next
        } while query.cursor != nil
        return found
    }

    @Test func orders_are_their_orderers_alone_the_latest_first() async throws {
        try await Deliveries.with { deliveries in
            var ids: [OrderID] = []
            for minutes in [15, 30, 60] {
                ids.append(try await deliveries.ordering { $0.minutes = minutes }.id)
                deliveries.clock.advance(by: .seconds(1))
            }
            try await deliveries.ordering(by: kim)
            #expect(try await orders(of: deliveries, nil) == ids.reversed())
            try await deliveries.useCases.cancelOrder(ids[2], .from(tom))
            deliveries.clock.advance(by: .seconds(16 * 60))
            #expect(try await orders(of: deliveries, false) == [ids[1]], "whether or not the rounds came by")
            #expect(try await orders(of: deliveries, true) == [ids[2], ids[0]])
            try await deliveries.pass()
            #expect(try await orders(of: deliveries, false) == [ids[1]])
            #expect(try await orders(of: deliveries, true) == [ids[2], ids[0]])
            await #expect(throws: DeliveryError.orderNotFound) { try await deliveries.seen(ids[1], by: kim) }
        }
    }

    @Test func an_order_says_how_many_could_bring_it() async throws {
        try await Deliveries.with { deliveries in
            let order = try await deliveries.ordering { $0.fee = euros(100) }.id
            try await deliveries.bringing()
            try await deliveries.bringing(by: lin) { $0.leastFee = euros(300) }
            try await deliveries.bringing(by: kim) { $0.restaurant = chemicum.id }
            #expect(try await deliveries.seen(order).possibleDeliverers == 1)
            try await deliveries.part(tom, maya)
            #expect(try await deliveries.seen(order).possibleDeliverers == 0)
        }
    }

    @Test func who_could_bring_it_is_who_has_a_hand_goes_there_and_was_not_asked() async throws {
        try await Deliveries.with { deliveries in
            let people = crowd(5)
            func count(_ id: OrderID) async throws -> Int { try await deliveries.seen(id).possibleDeliverers }
            try await deliveries.bringing(by: people[0])
            try await deliveries.bringing(by: people[1]) { $0.isListed = false }
            try await deliveries.bringing(by: people[2]) { $0.restaurant = chemicum.id }
            try await deliveries.bringing(by: people[3]) {
                $0.dropOff = DropOffDraft(name: "The other way", position: position(-1000))
            }
            try await deliveries.bringing(by: people[4])
            _ = try await deliveries.database.query(
                "UPDATE availabilities SET state = 'paused' WHERE person = \(people[4])")
            let order = try await deliveries.ordering().id
            #expect(try await count(order) == 2)
            let around = try await deliveries.ordering { draft in
                draft.from = nil
                draft.around = OrderedAroundDraft(position: position(0, 200), radius: 250, items: "Anything warm")
            }
            #expect(around.possibleDeliverers == 3, "the answer says it at once")
            try await deliveries.decide()
            #expect(try await deliveries.seen(around.id).state == .offered)
            #expect(try await count(around.id) == 1, "of three one is asked, and one for the other order")
            try await deliveries.useCases.cancelOrder(around.id, .from(tom))
            #expect(try await deliveries.seen(order).state == .offered)
            #expect(try await count(order) == 1)
        }
    }

    @Test func offers_that_came_to_nothing_are_in_no_list() async throws {
        try await Deliveries.with { deliveries in
            let first = try await deliveries.accepted()
            try await deliveries.bringing(by: lin)
            try await deliveries.ordering(by: kim)
            try await deliveries.decide()
            let offer = try #require(try await deliveries.asked(lin))
            #expect(try await matches(of: deliveries, by: lin) == [offer])
            #expect(try await matches(of: deliveries, by: kim) == [offer])
            #expect(try await matches(of: deliveries, { $0.isOver = true }, by: lin) == [])
            deliveries.clock.advance(by: .seconds(61))
            #expect(try await matches(of: deliveries, by: lin) == [], "whether or not the rounds came by")
            try await deliveries.act(.cancel, on: first, by: tom)
            #expect(try await matches(of: deliveries, { $0.isOver = true }, by: tom) == [first])
            #expect(try await matches(of: deliveries, { $0.isOver = false }, by: tom) == [])
            #expect(try await matches(of: deliveries, { $0.role = .orderer }, by: maya) == [])
            #expect(try await matches(of: deliveries, { $0.role = .deliverer }, by: maya) == [first])
        }
    }

    @Test func a_match_is_the_twos_and_what_is_disputed_moderators_without_the_door() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.accepted()
            #expect(try await deliveries.seen(id, by: maya).door == "Room 4")
            #expect(try await deliveries.seen(id, by: maya).code == nil)
            #expect(try await deliveries.seen(id, by: tom).code != nil)
            let moderator = Caller(person: lin, roles: [.moderator])
            await #expect(throws: DeliveryError.matchNotFound) { try await deliveries.seen(id, by: kim) }
            await #expect(throws: DeliveryError.matchNotFound) {
                try await deliveries.useCases.match(id, for: moderator)
            }
            try await deliveries.act(.pickUp, on: id, by: maya, MatchActDraft(spent: euros(900)))
            try await deliveries.act(.dispute, on: id, by: tom, MatchActDraft(reason: "It is cold."))
            let list = try await deliveries.useCases.matches(MatchQuery(disputed: true), for: moderator)
            #expect(list.items.map(\.id) == [id])
            #expect(list.items[0].door == nil && list.items[0].code == nil && list.items[0].role == nil)
            let asked = MatchQuery(disputed: true)
            await #expect(throws: ServiceError.self) {
                _ = try await deliveries.useCases.matches(asked, for: Caller(person: kim))
            }
        }
    }
}
