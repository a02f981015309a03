import FoundationEssentials
import GatewayService
import HTTPTypes
import Testing
import WireProtocol

/// What `/v1/delivery`, `/v1/restaurants`, `/v1/deliverers`, `/v1/orders` and `/v1/matches` ask of the matching service.
@Suite struct DeliveryRouteTests {
    private static let id = OrderID.new()
    private static let order = "/v1/orders/\(id)"
    private static let match = "/v1/matches/\(id)"
    private static let here = #"{"position":{"latitude":60.17,"longitude":24.94}}"#

    private static func takesAnything(_ methods: [String], at door: TestDoor) {
        for method in methods { door.backend.on("matching.\(method)") { _ in ServiceReply(body: Array("{}".utf8)) } }
    }

    private static func send(
        _ verb: String, _ path: String, _ body: String?, to door: TestDoor
    ) async throws -> RawResponse {
        let me = door.bearer()
        guard let body else { return try await door.send(verb, path, [me]) }
        return try await door.json(verb, path, body, [me])
    }

    @Test func what_one_can_bring_has_one_address() async throws {
        try await TestDoor.run { door async throws in
            Self.takesAnything(["availability", "offerDelivery", "resumeDelivery"], at: door)
            door.backend.on("matching.endDelivery") { _ in ServiceReply(body: []) }
            let calls: [(method: String, verb: String, path: String, body: String?, status: Int)] = [
                ("availability", "GET", "/v1/delivery", nil, 200),
                ("offerDelivery", "PUT", "/v1/delivery", #"{"capacity":2}"#, 200),
                ("resumeDelivery", "POST", "/v1/delivery/resume", nil, 200),
                ("endDelivery", "DELETE", "/v1/delivery", nil, 204),
            ]
            for call in calls {
                let answer = try await Self.send(call.verb, call.path, call.body, to: door)
                #expect(answer.status == call.status, "\(call.method)")
            }
            #expect(door.backend.asked.map(\.method) == calls.map { "matching.\($0.method)" })
            #expect(
                door.backend.commands == ["matching.offerDelivery", "matching.resumeDelivery", "matching.endDelivery"])
            #expect(door.backend.asked[1].body == Array(#"{"capacity":2}"#.utf8))
        }
    }

    @Test func each_call_asks_its_method_about_what_its_address_names() async throws {
        try await TestDoor.run { door async throws in
            let calls: [(method: String, verb: String, path: String, body: String?, status: Int)] = [
                ("deliverer", "GET", "/v1/deliverers/\(Self.id)", nil, 200),
                ("order", "GET", Self.order, nil, 200), ("changeOrder", "PATCH", Self.order, "{}", 200),
                ("cancelOrder", "DELETE", Self.order, nil, 204), ("askNext", "POST", "\(Self.order)/ask", "{}", 200),
                ("match", "GET", Self.match, nil, 200), ("contact", "GET", "\(Self.match)/contact", nil, 200),
                ("position", "GET", "\(Self.match)/position", nil, 200),
                ("movePosition", "PUT", "\(Self.match)/position", Self.here, 204),
                ("hidePosition", "DELETE", "\(Self.match)/position", nil, 204),
            ]
            for call in calls {
                let body = call.status == 204 ? "" : "{}"
                door.backend.on("matching.\(call.method)") { _ in ServiceReply(body: Array(body.utf8)) }
                let answer = try await Self.send(call.verb, call.path, call.body, to: door)
                #expect(answer.status == call.status, "\(call.method)")
                let asked = try #require(door.backend.asked.last)
                #expect(asked.method == "matching.\(call.method)")
                #expect(try WireJSON.decode(OrderReference.self, from: asked.parameters).id == Self.id)
            }
        }
    }

    @Test func an_order_is_made_by_a_post() async throws {
        try await TestDoor.run { door async throws in
            Self.takesAnything(["placeOrder"], at: door)
            let answer = try await door.json("POST", "/v1/orders", #"{"door":"B221"}"#, [door.bearer()])
            #expect(answer.status == 201)
            #expect(door.backend.commands == ["matching.placeOrder"])
        }
    }

    @Test func lists_are_asked_for_with_their_types() async throws {
        try await TestDoor.run { door async throws in
            door.backend.answer(MatchingMethods.restaurants, Page(items: []))
            door.backend.answer(MatchingMethods.deliverers, Page(items: []))
            door.backend.answer(MatchingMethods.orders, Page(items: []))
            door.backend.answer(MatchingMethods.matches, Page(items: []))
            let (place, me, at) = (PlaceID.new(), door.bearer(), Position(latitude: 60.5, longitude: 24.5))
            let paths = [
                "/v1/restaurants", "/v1/restaurants?near=60.5,24.5&limit=5&cursor=c",
                "/v1/restaurants/\(place)/deliverers",
                "/v1/restaurants/\(place)/deliverers?to=60.5,24.5&limit=6&cursor=d",
                "/v1/orders?isOver=false&limit=7&cursor=e",
                "/v1/matches?role=deliverer&isOver=true&disputed=false&limit=8&cursor=f",
            ]
            for path in paths { #expect(try await door.get(path, [me]).status == 200, "\(path)") }
            #expect(
                try door.backend.asked(MatchingMethods.restaurants).map(\.parameters) == [
                    DeliveryRestaurantQuery(), DeliveryRestaurantQuery(near: at, limit: 5, cursor: "c"),
                ])
            #expect(
                try door.backend.asked(MatchingMethods.deliverers).map(\.parameters) == [
                    DelivererQuery(restaurant: place),
                    DelivererQuery(restaurant: place, to: at, limit: 6, cursor: "d"),
                ])
            #expect(
                try door.backend.asked(MatchingMethods.orders).map(\.parameters) == [
                    OrderQuery(isOver: false, limit: 7, cursor: "e")
                ])
            #expect(
                try door.backend.asked(MatchingMethods.matches).map(\.parameters) == [
                    MatchQuery(role: .deliverer, isOver: true, disputed: false, limit: 8, cursor: "f")
                ])
        }
    }

    @Test(arguments: [
        ("/v1/restaurants?near=60", 400, "near"), ("/v1/restaurants?near=91,0", 422, "near"),
        ("/v1/restaurants?limit=0", 422, "limit"), ("/v1/restaurants/unicafe/deliverers", 400, "id"),
        ("/v1/restaurants/\(id)/deliverers?to=here", 400, "to"), ("/v1/orders?isOver=maybe", 400, "isOver"),
        ("/v1/orders?limit=101", 422, "limit"), ("/v1/orders/42", 400, "id"), ("/v1/matches?role=driver", 422, "role"),
        ("/v1/matches?isOver=", 400, "isOver"), ("/v1/matches?disputed=1", 400, "disputed"),
        ("/v1/matches/42/position", 400, "id"), ("/v1/deliverers/ana", 400, "id"),
    ])
    func what_is_wrong_with_an_address_is_said_at_its_field(path: String, status: Int, field: String) async throws {
        try await TestDoor.run { door async throws in
            let answer = try await door.get(path, [door.bearer()])
            #expect(answer.status == status)
            #expect(try answer.problem().errors.map(\.field).contains(field))
            #expect(door.backend.asked.isEmpty)
        }
    }

    @Test func nothing_of_it_is_public() async throws {
        try await TestDoor.run { door async throws in
            let prefixes = ["/v1/delivery", "/v1/restaurants", "/v1/deliverers", "/v1/orders", "/v1/matches"]
            let routes = APIRoute.all.filter { route in prefixes.contains { route.path.hasPrefix($0) } }
            #expect(routes.count == 20)
            for route in routes {
                let path = route.path.replacing("{id}", with: "\(Self.id)").replacing("{act}", with: "accept")
                #expect(route.session == .required && !route.isForSuspended, "\(route.operation)")
                #expect(try await door.json(route.method.rawValue, path, "{}").status == 401, "\(route.operation)")
            }
            #expect(door.backend.asked.isEmpty)
        }
    }
}
