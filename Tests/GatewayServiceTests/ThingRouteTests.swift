import FoundationEssentials
import GatewayService
import HTTPTypes
import Testing
import WireProtocol

/// What `/v1/cars`, `/v1/spaces`, `/v1/private-parking` and `/v1/rentals` ask of listings.
@Suite struct ThingRouteTests {
    static let thing = ThingID.new()
    static let kinds: [(String, ThingKind)] = [
        ("/v1/cars", .car), ("/v1/spaces", .space), ("/v1/private-parking", .parking),
    ]
    private static let period = #"{"from":"2026-12-01","until":"2026-12-04"}"#

    @Test(arguments: kinds) func each_kind_has_addresses_of_its_own(path: String, kind: ThingKind) async throws {
        try await TestDoor.run { door async throws in
            let methods = [
                "things", "postThing", "thing", "changeThing", "amendThing", "withdrawThing", "publishThing",
                "calendar",
                "quoteRental", "blockDates", "askRental",
            ]
            for method in methods {
                door.backend.on("listings.\(method)") { _ in ServiceReply(body: Array("{}".utf8)) }
            }
            let (me, one) = (door.bearer(), "\(path)/\(Self.thing)")
            #expect(try await door.get(path).status == 200)
            #expect(try await door.json("POST", path, "{}", [me]).status == 201)
            #expect(try await door.get(one).status == 200)
            #expect(try await door.json("PUT", one, "{}", [me]).status == 200)
            #expect(try await door.json("PATCH", one, "{}", [me]).status == 200)
            _ = try await door.send("DELETE", one, [me])
            #expect(try await door.send("POST", "\(one)/publish", [me]).status == 200)
            #expect(try await door.get("\(one)/calendar?from=2026-12-01").status == 200)
            #expect(try await door.get("\(one)/quote?from=2026-12-01&until=2026-12-04").status == 200)
            #expect(try await door.json("POST", "\(one)/date-blocks", Self.period, [me]).status == 201)
            #expect(try await door.json("POST", "\(one)/rentals", Self.period, [me]).status == 201)
            let asked = door.backend.asked
            #expect(asked.map(\.method) == methods.map { "listings.\($0)" })
            func parameters<P: Decodable>(_ index: Int, _: P.Type = P.self) throws -> P {
                try WireJSON.decode(P.self, from: asked[index].parameters)
            }
            #expect(try parameters(0) == ThingQuery(kind: kind))
            #expect(try parameters(1) == ThingKindParameters(kind: kind))
            for index in [2, 3, 4, 5, 6, 9, 10] {
                #expect(try parameters(index) == ThingReference(id: Self.thing, kind: kind), "\(methods[index])")
            }
            #expect(try parameters(7) == CalendarQuery(id: Self.thing, kind: kind, from: "2026-12-01"))
            #expect(
                try parameters(8)
                    == RentalQuoteQuery(id: Self.thing, kind: kind, from: "2026-12-01", until: "2026-12-04"))
        }
    }

    @Test func lists_are_asked_for_with_their_types() async throws {
        try await TestDoor.run { door async throws in
            door.backend.answer(ListingsMethods.things, Page(items: []))
            door.backend.answer(ListingsMethods.rentals, Page(items: []))
            let by = PersonID.new()
            let query =
                "q=jazz+hybrid&region=Central&brand=Honda&model=Jazz&highestPrice=9000&from=2026-12-01&until=2026-12-04"
                + "&sort=-price&near=1.3,103.8&by=\(by)&mine=false&limit=5&cursor=c"
            #expect(try await door.get("/v1/cars?\(query)").status == 200)
            #expect(
                try WireJSON.decode(ThingQuery.self, from: door.backend.asked[0].parameters)
                    == ThingQuery(
                        kind: .car, q: "jazz hybrid", region: "Central", brand: "Honda", model: "Jazz",
                        highestPrice: 9000, from: "2026-12-01", until: "2026-12-04", sort: .highestPrice,
                        near: Position(latitude: 1.3, longitude: 103.8), by: by, mine: false, limit: 5, cursor: "c"))
            #expect(try await door.get("/v1/things?mine=true&state=draft", [door.bearer()]).status == 200)
            #expect(
                try WireJSON.decode(ThingQuery.self, from: door.backend.asked[1].parameters)
                    == ThingQuery(mine: true, state: .draft))
            let rentals = "role=owner&state=handedOver&stage=inHand&thing=\(Self.thing)&disputed=true&limit=7&cursor=d"
            #expect(try await door.get("/v1/rentals?\(rentals)", [door.bearer()]).status == 200)
            #expect(
                try WireJSON.decode(RentalQuery.self, from: door.backend.asked[2].parameters)
                    == RentalQuery(
                        role: .owner, state: .handedOver, stage: .inHand, thing: Self.thing, disputed: true, limit: 7,
                        cursor: "d"))
            let unknown = try await door.get("/v1/rentals?stage=soon", [door.bearer()])
            #expect(try unknown.status == 422 && unknown.problem().errors.map(\.field) == ["stage"])
        }
    }

    @Test(arguments: [
        ("/v1/cars?sort=", 422, "sort"), ("/v1/cars?limit=", 400, "limit"), ("/v1/cars?near=", 400, "near"),
        ("/v1/things?mine=", 400, "mine"),
        ("/v1/cars?near=91,2", 422, "near"), ("/v1/cars?near=1", 400, "near"), ("/v1/cars?sort=cheapest", 422, "sort"),
        ("/v1/cars?highestPrice=-1", 422, "highestPrice"), ("/v1/cars?highestPrice=2e3", 400, "highestPrice"),
        ("/v1/cars?limit=101", 422, "limit"), ("/v1/cars?mine=yes", 400, "mine"), ("/v1/cars?by=maya", 400, "by"),
        ("/v1/things?mine=true&state=gone", 422, "state"),
        ("/v1/things", 422, "mine"), ("/v1/things?mine=true&by=\(thing)", 422, "by"), ("/v1/cars/42", 400, "id"),
        ("/v1/cars/\(thing)/quote?from=2026-12-01", 422, "until"), ("/v1/cars/\(thing)/quote", 422, "from"),
    ])
    func what_is_wrong_with_an_address_is_said_at_its_field(path: String, status: Int, field: String) async throws {
        try await TestDoor.run { door async throws in
            let answer = try await door.get(path)
            #expect(answer.status == status)
            #expect(try answer.problem().errors.map(\.field).contains(field))
            #expect(door.backend.asked.isEmpty)
        }
    }

    @Test func acts_are_called_in_addresses_as_people_call_them() async throws {
        try await TestDoor.run { door async throws in
            door.backend.on("listings.actOnRental") { _ in ServiceReply(body: Array("{}".utf8)) }
            door.backend.answer(ListingsMethods.rentalContact, RentalContact(phone: "+6591234567"))
            let (me, rental) = (door.bearer(), RentalID.new())
            for act in RentalAct.allCases {
                let answer = try await door.json("POST", "/v1/rentals/\(rental)/\(act.path)", "{}", [me])
                #expect(answer.status == 200)
                let asked = try #require(door.backend.asked.last)
                #expect(
                    try WireJSON.decode(RentalActReference.self, from: asked.parameters)
                        == RentalActReference(id: rental, act: act))
            }
            let before = door.backend.asked.count
            for word in ["handOver", "giveBack", "steal", rental.description] {
                let answer = try await door.json("POST", "/v1/rentals/\(rental)/\(word)", "{}", [me])
                #expect(answer.status == 400)
                #expect(try answer.problem().errors.map(\.field) == ["act"])
            }
            #expect(door.backend.asked.count == before)
            let contact = try await door.get("/v1/rentals/\(rental)/contact", [me])
            #expect(try contact.json(RentalContact.self).phone == "+6591234567")
        }
    }

    @Test func what_is_public_is_so_and_nothing_else() async throws {
        try await TestDoor.run { door async throws in
            let reads: Set = ["list", "get", "quote"]
            let prefixes = Self.kinds.map(\.0) + ["/v1/things", "/v1/car-models"]
            for route in APIRoute.all where prefixes.contains(where: { route.path.hasPrefix($0) }) {
                let isRead = reads.contains { route.operation.hasPrefix($0) }
                #expect((route.session == .optional) == isRead, "\(route.operation)")
            }
            for route in APIRoute.all where ["/v1/rentals", "/v1/date-blocks"].contains(where: route.path.hasPrefix) {
                let path = route.path.replacing("{id}", with: "\(Self.thing)").replacing("{act}", with: "accept")
                let answer = try await door.json(route.method.rawValue, path, "{}")
                #expect(answer.status == 401, "\(route.operation)")
            }
            #expect(door.backend.asked.isEmpty)
        }
    }

    @Test(arguments: [("POST", "/v1/cars"), ("PATCH", "/v1/spaces/ID"), ("POST", "/v1/rentals/ID/hand-over")])
    func pictures_that_were_never_uploaded_go_into_nothing(method: String, path: String) async throws {
        try await TestDoor.run { door async throws in
            let here = String(repeating: "0a", count: 32)
            let answer = try await door.json(
                method, path.replacing("ID", with: "\(Self.thing)"), #"{"photos":["\#(here)"]}"#, [door.bearer()])
            #expect(answer.status == 422)
            let errors = try answer.problem().errors
            #expect(errors.map(\.field) == ["photos"] && errors.map(\.code) == ["not_a_photo"])
            #expect(door.backend.asked.isEmpty)
        }
    }
}
