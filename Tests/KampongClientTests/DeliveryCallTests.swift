import Foundation
import KampongClient
import Testing
import WireProtocol

/// Where calls about deliveries go, and what they say there.
extension CallTests {
    private static let order = OrderID.new()
    private static let match = MatchID.new()
    private static let at = Position(latitude: 60.5, longitude: 24.5)

    @Test func calls_about_what_one_can_bring_go_to_their_address() async {
        #expect(await arrives { _ = try await $0.availability() } == .init("GET", "/v1/delivery"))
        #expect(await arrives { _ = try await $0.offerDelivery() } == .init("PUT", "/v1/delivery"))
        #expect(await arrives { _ = try await $0.resumeDelivery() } == .init("POST", "/v1/delivery/resume"))
        #expect(await arrives { try await $0.endDelivery() } == .init("DELETE", "/v1/delivery"))
    }

    @Test func who_can_bring_something_is_asked_for_as_the_interface_has_it() async {
        let (place, at, id) = (PlaceID.new(), Self.at, AvailabilityID.new())
        #expect(await arrives { _ = try await $0.deliverer(id) } == .init("GET", "/v1/deliverers/\(id)"))
        #expect(await arrives { _ = try await $0.deliveryRestaurants() } == .init("GET", "/v1/restaurants"))
        #expect(
            await arrives { _ = try await $0.deliveryRestaurants(.init(near: at, limit: 5, cursor: "c")) }
                == .init("GET", "/v1/restaurants", "near=60.5,24.5&limit=5&cursor=c"))
        #expect(
            await arrives { _ = try await $0.deliverers(.init(restaurant: place, to: at, limit: 6, cursor: "d")) }
                == .init("GET", "/v1/restaurants/\(place)/deliverers", "to=60.5,24.5&limit=6&cursor=d"))
    }

    @Test func calls_about_an_order_go_to_its_addresses() async {
        let (id, one) = (Self.order, "/v1/orders/\(Self.order)")
        #expect(await arrives { _ = try await $0.placeOrder(OrderDraft()) } == .init("POST", "/v1/orders"))
        #expect(await arrives { _ = try await $0.order(id) } == .init("GET", one))
        #expect(await arrives { _ = try await $0.changeOrder(id, with: OrderDraft()) } == .init("PATCH", one))
        #expect(await arrives { try await $0.cancelOrder(id) } == .init("DELETE", one))
        #expect(await arrives { _ = try await $0.askNext(for: id) } == .init("POST", "\(one)/ask"))
        #expect(
            await arrives { _ = try await $0.orders(.init(isOver: false, limit: 5, cursor: "c")) }
                == .init("GET", "/v1/orders", "isOver=false&limit=5&cursor=c"))
    }

    @Test func calls_about_a_match_go_to_its_addresses() async {
        let (id, one) = (Self.match, "/v1/matches/\(Self.match)")
        for act in MatchAct.allCases {
            let arrived = await arrives { _ = try await $0.act(act, on: id) }
            #expect(arrived == .init("POST", "\(one)/\(act.path)"))
        }
        #expect(await arrives { _ = try await $0.match(id) } == .init("GET", one))
        #expect(await arrives { _ = try await $0.matchContact(id) } == .init("GET", "\(one)/contact"))
        let draft = MatchPositionDraft(position: Self.at)
        #expect(await arrives { try await $0.movePosition(of: id, to: draft) } == .init("PUT", "\(one)/position"))
        #expect(await arrives { try await $0.hidePosition(of: id) } == .init("DELETE", "\(one)/position"))
        #expect(await arrives { _ = try await $0.position(of: id) } == .init("GET", "\(one)/position"))
        let query = MatchQuery(role: .deliverer, isOver: true, disputed: true, limit: 5, cursor: "c")
        #expect(
            await arrives { _ = try await $0.matches(query) }
                == .init("GET", "/v1/matches", "role=deliverer&isOver=true&disputed=true&limit=5&cursor=c"))
    }
}
