import FoundationEssentials
import GatewayService
import Testing
import WireProtocol

@Suite struct RouteTests {
    static let spotID = SpotID.new()

    @Test func a_body_goes_through_as_it_came_and_so_does_the_answer() async throws {
        try await TestDoor.run { door async throws in
            // Neither is what a decoder would write again: order, white space, unknown fields.
            door.backend.on("listings.postSpot") { _ in ServiceReply(body: Array("{ \"z\": 1,\n\"a\":2 }".utf8)) }
            let person = PersonID.new()
            let answer = try await door.json(
                "POST", "/v1/spots", "{ \"name\" : \"x\", \"extra\":1}", [door.bearer(person)])
            #expect(answer.status == 201)
            #expect(answer.text == "{ \"z\": 1,\n\"a\":2 }")
            let asked = try #require(door.backend.asked.first)
            #expect(asked.body == Array("{ \"name\" : \"x\", \"extra\":1}".utf8))
            #expect(asked.caller.person == person)
            #expect(asked.caller.address == "127.0.0.1")
            #expect((3...5.5).contains(asked.deadline.timeIntervalSinceNow))
        }
    }

    @Test func parameters_reach_the_service_with_their_types() async throws {
        try await TestDoor.run { door async throws in
            door.backend.answer(ListingsMethods.spots, Page(items: []))
            let answer = try await door.get("/v1/spots?bbox=103.7,1.2,103.9,1.4&limit=5&cursor=abc%2B")
            #expect(answer.status == 200)
            let query = try WireJSON.decode(SpotQuery.self, from: door.backend.asked[0].parameters)
            #expect(
                query
                    == SpotQuery(
                        bbox: BoundingBox(west: 103.7, south: 1.2, east: 103.9, north: 1.4), limit: 5, cursor: "abc+"))
            _ = try await door.get("/v1/spots?near=1.3,103.8&radius=250")
            #expect(
                try WireJSON.decode(SpotQuery.self, from: door.backend.asked[1].parameters)
                    == SpotQuery(near: Position(latitude: 1.3, longitude: 103.8), radius: 250))
            let person = PersonID.new()
            _ = try await door.get("/v1/spots?by=\(person)")
            #expect(
                try WireJSON.decode(SpotQuery.self, from: door.backend.asked[2].parameters) == SpotQuery(by: person))
            door.backend.answer(ListingsMethods.removeSpot, Nothing())
            let removed = try await door.send("DELETE", "/v1/spots/\(Self.spotID)", [door.bearer()])
            #expect(removed.status == 204)
            #expect(removed.body.isEmpty)
            #expect(try WireJSON.decode(SpotReference.self, from: door.backend.asked[3].parameters).id == Self.spotID)
        }
    }

    @Test(arguments: [
        ("bbox=1,2,3", 400, "bbox", "malformed"), ("bbox=a,2,3,4", 400, "bbox", "malformed"),
        ("bbox=1,2,3,inf", 400, "bbox", "malformed"), ("bbox=1,2,3,400", 422, "bbox", "out_of_range"),
        ("near=1,2&limit=0", 422, "limit", "out_of_range"), ("near=1,2&limit=ten", 400, "limit", "malformed"),
        ("near=91,2", 422, "near", "out_of_range"), ("of=mine", 422, "of", "unknown_choice"),
        ("near=1,2&near=1,2", 400, "near", "repeated"), ("", 422, "bbox", "exactly_one"),
        ("near=1,2&of=posted", 422, "near", "exactly_one"), ("by=maya", 400, "by", "malformed"),
        ("by=01999999-9999-7999-8999-999999999999&of=posted", 422, "by", "exactly_one"),
    ])
    func what_is_wrong_with_an_address_is_said_at_its_field(
        query: String, status: Int, field: String, code: String
    ) async throws {
        try await TestDoor.run { door async throws in
            let answer = try await door.get("/v1/spots?\(query)")
            #expect(answer.status == status)
            #expect(try answer.problem().errors.contains { $0.field == field && $0.code == code })
            #expect(door.backend.asked.isEmpty)
        }
    }

    @Test func an_id_that_is_none_is_malformed() async throws {
        try await TestDoor.run { door async throws in
            let answer = try await door.get("/v1/spots/42")
            #expect(answer.status == 400)
            #expect(try answer.problem().code == .malformed)
        }
    }

    @Test func wrong_addresses_and_methods_are_problems() async throws {
        try await TestDoor.run { door async throws in
            let unknown = try await door.get("/v1/nothing")
            #expect(unknown.status == 404)
            #expect(unknown["Content-Type"] == "application/problem+json")
            let wrong = try await door.send("PATCH", "/v1/spots/\(Self.spotID)", [door.bearer()])
            #expect(wrong.status == 405)
            #expect(wrong["Allow"] == "DELETE, GET, HEAD, PUT")
            #expect(try wrong.problem().code == .methodNotAllowed)
            #expect(try await door.get("/v1/sessions/current", [door.bearer()]).status == 405)
            // An address that is written out is no id.
            let refresh = try await door.send("DELETE", "/v1/sessions/refresh", [door.bearer()])
            #expect(refresh.status == 405)
            #expect(refresh["Allow"] == "POST")
        }
    }

    @Test func a_body_that_is_not_json_or_too_long_is_refused_before_anybody_is_asked() async throws {
        try await TestDoor.run { door async throws in
            let text = try await door.send(
                "POST", "/v1/spots", [door.bearer(), ("Content-Type", "text/plain")], body: Array("x".utf8))
            #expect(text.status == 415)
            let long = try await door.json(
                "POST", "/v1/spots", String(repeating: " ", count: 65 * 1024), [door.bearer()])
            #expect(long.status == 413)
            let hidden = try await door.send(
                "POST", "/v1/spots",
                [door.bearer(), ("Content-Type", "application/json"), ("Transfer-Encoding", "chunked")])
            #expect(hidden.status == 400)  // both lengths at once: request smuggling
            #expect(door.backend.asked.isEmpty)
        }
    }

    @Test func about_and_the_document_answer_by_themselves() async throws {
        try await TestDoor.run { door async throws in
            let about = try await door.get("/v1/about")
            #expect(try about.json(About.self).community == "Testholm")
            let document = try await door.get("/v1/openapi.json")
            #expect(document.status == 200)
            let tag = try #require(document["ETag"])
            #expect(try await door.get("/v1/openapi.json", [("If-None-Match", tag)]).status == 304)
            #expect(try await door.send("HEAD", "/v1/about").status == 200)
        }
    }
}
