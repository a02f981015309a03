import DurableMessaging
import FoundationEssentials
import People
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What an orderer does.
@Suite struct OrderCommandTests {
    @Test func an_order_waits_for_whoever_comes() async throws {
        try await Deliveries.with { deliveries in
            let order = try await deliveries.ordering()
            #expect(order.state == .waiting && order.possibleDeliverers == 0 && order.door == "Room 4")
            #expect(order.possible == [.change, .cancel] && order.waitsUntil == noon + 3600)
            for person in crowd(3) { try await deliveries.bringing(by: person) }
            try await deliveries.bringing(by: tom)
            let changed = try await deliveries.useCases.changeOrder(
                order.id, to: OrderDraft(items: "Bread"), .from(tom))
            #expect(changed.from.map(\.items) == ["Bread"] && changed.possibleDeliverers == 3)
        }
    }

    @Test func whom_nobody_sees_the_server_alone_asks() async throws {
        try await Deliveries.with { deliveries in
            let there = try await deliveries.bringing { $0.isListed = false }
            #expect(await deliveryRefusal { try await deliveries.requested(of: there) } == .notThere)
            try await deliveries.ordering()
            try await deliveries.decide()
            #expect(try await deliveries.asked(maya) != nil)
        }
    }

    @Test func somebody_is_asked_by_name_in_the_same_step() async throws {
        try await Deliveries.with { deliveries in
            let there = try await deliveries.bringing()
            let draft = Example.orderDraft { $0.availability = there.id }
            let order = try await deliveries.useCases.placeOrder(draft, .from(tom))
            #expect(order.state == .offered && order.asked?.person.id == maya)
            #expect(order.asked?.until == noon + limits.request)
            let told = try #require(try await deliveries.told(NewMatch.self).first)
            #expect(told.match.deliverer.id == maya && told.match.orderState == .offered)
            let header = try #require(try await deliveries.headers(of: NewMatch.self).first)
            #expect(header.audience == .people([maya]) && header.aggregate == "match/\(told.match.id)")
            let refusal = await deliveryRefusal { try await deliveries.useCases.placeOrder(draft, .from(kim)) }
            #expect(refusal == .handsFull)
            let own = await deliveryRefusal { try await deliveries.useCases.placeOrder(draft, .from(maya)) }
            #expect(own == .yourOwn)
        }
    }

    @Test func who_is_apart_or_suspended_is_not_there() async throws {
        try await Deliveries.with { deliveries in
            let there = try await deliveries.bringing()
            let draft = Example.orderDraft { $0.availability = there.id }
            try await deliveries.part(maya, tom)
            #expect(await deliveryRefusal { try await deliveries.useCases.placeOrder(draft, .from(tom)) } == .notThere)
            let order = try await deliveries.ordering()
            #expect(order.state == .waiting && order.possibleDeliverers == 0)
            try await deliveries.suspend(maya, until: nil)
            #expect(await deliveryRefusal { try await deliveries.useCases.placeOrder(draft, .from(kim)) } == .notThere)
        }
    }

    @Test func people_of_another_campus_are_not_there() async throws {
        try await Deliveries.with(campuses: CampusSeparation(isOn: true)) { deliveries in
            try await deliveries.name(maya, "Maya", campus: "a")
            try await deliveries.name(tom, "Tom", campus: "b")
            try await deliveries.name(kim, "Kim", campus: "a")
            let there = try await deliveries.bringing()
            let draft = Example.orderDraft { $0.availability = there.id }
            #expect(await deliveryRefusal { try await deliveries.useCases.placeOrder(draft, .from(tom)) } == .notThere)
            #expect(try await deliveries.ordering().possibleDeliverers == 0)
            #expect(try await deliveries.useCases.placeOrder(draft, .from(kim)).state == .offered)
        }
    }

    @Test func a_change_takes_the_offer_back_and_asks_anew() async throws {
        try await Deliveries.with { deliveries in
            let there = try await deliveries.bringing()
            let asked = try await deliveries.requested(of: there)
            let change = OrderDraft(fee: euros(300))
            let changed = try await deliveries.useCases.changeOrder(asked.order, to: change, .from(tom))
            #expect(changed.state == .offered && changed.asked?.match != asked.match)
            let before = try #require(try await deliveries.store.match(asked.match))
            #expect(before.state == .withdrawn && before.changedBy == tom && before.terms.fee == euros(200))
            #expect(try await deliveries.store.availability(there.id)?.taken == 1)
            let same = try await deliveries.useCases.changeOrder(asked.order, to: change, .from(tom))
            #expect(same.asked?.match == changed.asked?.match)
            #expect(try await deliveries.updates() == [.withdrawn])
            #expect(try await deliveries.told(NewMatch.self).count == 2)
        }
    }

    @Test func what_Places_has_no_more_is_named_again_where_an_order_had_it() async throws {
        let directory = Directory()
        try await Deliveries.with(places: { directory.known(of: $0) }) { deliveries in
            let order = try await deliveries.ordering()
            directory.gone.withLock { $0 = [unicafe.id, exactum.id, chemicum.id] }
            let bread = Example.orderDraft { $0.from = [OrderedFromDraft(restaurant: unicafe.id, items: "Bread")] }
            let changed = try await deliveries.useCases.changeOrder(order.id, to: bread, .from(tom))
            #expect(changed.from.map(\.items) == ["Bread"] && changed.dropOff == order.dropOff)
            #expect(changed.from.map(\.restaurant) == order.from.map(\.restaurant))
            let again = try await deliveries.ordering()
            #expect(again.from == order.from && again.dropOff == order.dropOff)

            let new = OrderDraft(from: [OrderedFromDraft(restaurant: chemicum.id, items: "Bread")])
            let refused = await deliveryRefusal {
                try await deliveries.useCases.changeOrder(order.id, to: new, .from(tom))
            }
            #expect(refused?.serviceError.errors.map(\.code) == ["unknown_place"], "this one did not have it")
            let kims = await deliveryRefusal { try await deliveries.ordering(by: kim) }
            #expect(kims?.serviceError.errors.map(\.code) == ["unknown_place", "unknown_place"])
        }
    }

    @Test func who_said_no_is_not_asked_again_and_the_orderer_says_whom_next() async throws {
        try await Deliveries.with { deliveries in
            let (mayas, kims) = (try await deliveries.bringing(), try await deliveries.bringing(by: kim))
            let asked = try await deliveries.requested(of: mayas)
            try await deliveries.act(.decline, on: asked.match, by: maya)
            #expect(try await deliveries.store.order(asked.order)?.state == .asking)
            func ask(_ next: AvailabilityID?) async throws -> DeliveryOrder {
                try await deliveries.useCases.askNext(asked.order, OrderAsking(availability: next), .from(tom))
            }
            let again = await deliveryRefusal { try await ask(mayas.id) }
            #expect(
                again?.serviceError.errors.map { "\($0.field): \($0.code)" } == ["availability: asked_already"])
            #expect(try await ask(kims.id).asked?.person.id == kim)
            deliveries.advance(minutes: 3)
            // The offer has expired, whether or not the rounds came by.
            let anybody = try await ask(nil)
            #expect(anybody.state == .waiting && anybody.possibleDeliverers == 0)
            #expect(try await deliveries.updates() == [.declined, .expired])
        }
    }

    @Test func cancelling_takes_the_offer_back_and_gives_the_turn_back() async throws {
        try await Deliveries.with { deliveries in
            for person in [maya, kim] { try await deliveries.bringing(by: person) }
            let order = try await deliveries.ordering()
            try await deliveries.decide()
            func credits() async throws -> [Double] {
                try await deliveries.database.query("SELECT credit FROM credits ORDER BY credit")
                    .map { try $0.get("credit") }
            }
            #expect(try await credits() == [-0.5, 0.5])
            try await deliveries.useCases.cancelOrder(order.id, .from(tom))
            #expect(try await credits() == [0, 0])
            #expect(try await deliveries.seen(order.id).state == .cancelled)
            #expect(try await deliveries.updates() == [.withdrawn])
            let again = await deliveryRefusal { try await deliveries.useCases.cancelOrder(order.id, .from(tom)) }
            #expect(again == .orderOver([]))
        }
    }

    @Test func an_order_is_its_orderers_alone() async throws {
        try await Deliveries.with { deliveries in
            let order = try await deliveries.ordering().id
            let refusals = [
                await deliveryRefusal { try await deliveries.useCases.cancelOrder(order, .from(kim)) },
                await deliveryRefusal {
                    try await deliveries.useCases.changeOrder(order, to: OrderDraft(), .from(kim))
                },
                await deliveryRefusal { try await deliveries.useCases.askNext(order, OrderAsking(), .from(kim)) },
                await deliveryRefusal { try await deliveries.useCases.cancelOrder(.new(), .from(tom)) },
            ]
            #expect(refusals.allSatisfy { $0 == .orderNotFound })
        }
    }

    @Test func so_many_orders_may_be_open() async throws {
        try await Deliveries.with { deliveries in
            for _ in 0..<3 { try await deliveries.ordering { $0.minutes = 15 } }
            #expect(await deliveryRefusal { try await deliveries.ordering() } == .tooManyOrders(limit: 3))
            deliveries.advance(minutes: 16)
            // What has lapsed has done so, whether or not the rounds came by.
            #expect(try await deliveries.ordering().state == .waiting)
        }
    }
}

/// Places, which loses some.
private final class Directory: Sendable {
    let gone = Mutex<Set<PlaceID>>([])

    func known(of ids: Set<PlaceID>) -> [KnownPlace] {
        let gone = gone.withLock { $0 }
        return ids.subtracting(gone).compactMap { places[$0] }
    }
}

extension OrderDraft {
    /// The same from Unicafe, but for what.
    fileprivate init(items: String) {
        self.init(from: [OrderedFromDraft(restaurant: unicafe.id, items: items)])
    }
}
