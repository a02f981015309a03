import FoundationEssentials
import GatewayService
import HTTPTypes
import Testing
import WireProtocol

/// What `/v1/wanted` asks of the matching service.
@Suite struct WantedRouteTests {
    private static let id = WantedID.new()
    private static let one = "/v1/wanted/\(id)"
    private static let draft = #"{"query":{"things":{"kind":"car","q":"jazz"}}}"#
    private static let wanted = Wanted(
        id: id, query: WantedQuery(things: ThingQuery(kind: .car, q: "jazz")), state: .live, createdAt: Date(),
        expiresAt: Date(), version: "v1")

    private static func send(
        _ verb: String, _ path: String, _ body: String?, to door: TestDoor
    ) async throws -> RawResponse {
        let me = door.bearer()
        guard let body else { return try await door.send(verb, path, [me]) }
        return try await door.json(verb, path, body, [me])
    }

    @Test func a_search_is_made_by_a_post_and_estimated_by_another() async throws {
        try await TestDoor.run { door async throws in
            door.backend.answer(MatchingMethods.postWanted, Self.wanted)
            let estimate = WantedEstimate(perMonth: 12, isTooWide: false, fitting: 3)
            door.backend.answer(MatchingMethods.estimateWanted, estimate)
            let made = try await Self.send("POST", "/v1/wanted", Self.draft, to: door)
            #expect(made.status == 201)
            #expect(try made.json(Wanted.self).id == Self.id)
            let estimated = try await Self.send("POST", "/v1/wanted/estimate", Self.draft, to: door)
            #expect(estimated.status == 200)
            #expect(try estimated.json(WantedEstimate.self) == estimate)
            #expect(door.backend.asked.map(\.method) == ["matching.postWanted", "matching.estimateWanted"])
            #expect(door.backend.asked.allSatisfy { $0.body == Array(Self.draft.utf8) })
            // An estimate changes nothing.
            #expect(door.backend.commands == ["matching.postWanted"])
        }
    }

    @Test func each_call_asks_its_method_about_what_its_address_names() async throws {
        try await TestDoor.run { door async throws in
            let calls: [(method: String, verb: String, path: String, body: String?, status: Int)] = [
                ("wanted", "GET", Self.one, nil, 200), ("changeWanted", "PATCH", Self.one, #"{"isPaused":true}"#, 200),
                ("renewWanted", "POST", "\(Self.one)/renew", nil, 200),
                ("removeWanted", "DELETE", Self.one, nil, 204),
                ("wantedFinds", "GET", "\(Self.one)/finds", nil, 200),
            ]
            for call in calls {
                let body = call.status == 204 ? "" : "{}"
                door.backend.on("matching.\(call.method)") { _ in ServiceReply(body: Array(body.utf8)) }
                let answer = try await Self.send(call.verb, call.path, call.body, to: door)
                #expect(answer.status == call.status, "\(call.method)")
                let asked = try #require(door.backend.asked.last)
                #expect(asked.method == "matching.\(call.method)")
                #expect(asked.body == Array((call.body ?? "").utf8))
                #expect(try WireJSON.decode(WantedReference.self, from: asked.parameters).id == Self.id)
            }
            #expect(
                door.backend.commands == ["matching.changeWanted", "matching.renewWanted", "matching.removeWanted"])
        }
    }

    @Test func lists_are_asked_for_with_their_types() async throws {
        try await TestDoor.run { door async throws in
            door.backend.answer(MatchingMethods.allWanted, Page(items: [Self.wanted], next: "d"))
            door.backend.answer(MatchingMethods.wantedFinds, Page(items: []))
            door.backend.answer(MatchingMethods.wantedFinders, Page(items: []))
            let (me, spot, thing, offered) = (door.bearer(), SpotID.new(), ThingID.new(), AvailabilityID.new())
            let paths = [
                "/v1/wanted", "/v1/wanted?limit=5&cursor=c", "\(Self.one)/finds", "\(Self.one)/finds?limit=6&cursor=d",
                "/v1/wanted/finders?kind=spot&id=\(spot)", "/v1/wanted/finders?kind=thing&id=\(thing)",
                "/v1/wanted/finders?kind=availability&id=\(offered)",
            ]
            for path in paths { #expect(try await door.get(path, [me]).status == 200, "\(path)") }
            #expect(
                try door.backend.asked(MatchingMethods.allWanted).map(\.parameters) == [
                    WantedListQuery(), WantedListQuery(limit: 5, cursor: "c"),
                ])
            #expect(
                try door.backend.asked(MatchingMethods.wantedFinds).map(\.parameters) == [
                    WantedFindQuery(id: Self.id), WantedFindQuery(id: Self.id, limit: 6, cursor: "d"),
                ])
            #expect(
                try door.backend.asked(MatchingMethods.wantedFinders).map(\.parameters) == [
                    WantedFinders(of: Subject(spot)), WantedFinders(of: Subject(thing)),
                    WantedFinders(of: Subject(offered)),
                ])
        }
    }

    @Test func what_was_seen_is_told_again_only_when_it_changes() async throws {
        try await TestDoor.run { door async throws in
            door.backend.answer(MatchingMethods.wanted, Self.wanted)
            let me = door.bearer()
            let tag = try #require(try await door.get(Self.one, [me])["ETag"])
            #expect(try await door.get(Self.one, [me, ("If-None-Match", tag)]).status == 304)
            var later = Self.wanted
            later.found = 1
            door.backend.answer(MatchingMethods.wanted, later)
            #expect(try await door.get(Self.one, [me, ("If-None-Match", tag)]).status == 200)
        }
    }

    @Test func the_same_key_is_the_same_command() async throws {
        try await TestDoor.run { door async throws in
            door.backend.answer(MatchingMethods.postWanted, Self.wanted)
            let me = door.bearer()
            for key in ["one", "one", "another"] {
                let answer = try await door.json("POST", "/v1/wanted", Self.draft, [me, ("Idempotency-Key", key)])
                #expect(answer.status == 201)
            }
            let ids = door.backend.asked.map(\.id)
            #expect(ids.count == 3 && ids[0] == ids[1] && ids[1] != ids[2])
        }
    }

    @Test(arguments: [
        ("/v1/wanted?limit=0", 422, "limit"), ("/v1/wanted?limit=many", 400, "limit"), ("/v1/wanted/42", 400, "id"),
        ("/v1/wanted/42/finds", 400, "id"), ("\(one)/finds?limit=101", 422, "limit"),
        ("/v1/wanted/finders", 422, "kind"), ("/v1/wanted/finders?kind=spot", 422, "id"),
        ("/v1/wanted/finders?kind=person&id=\(id)", 422, "kind"), ("/v1/wanted/finders?kind=spot&id=42", 400, "id"),
        ("/v1/wanted/finders?kind=spot&kind=thing&id=\(id)", 400, "kind"),
    ])
    func what_is_wrong_with_an_address_is_said_at_its_field(path: String, status: Int, field: String) async throws {
        try await TestDoor.run { door async throws in
            let answer = try await door.get(path, [door.bearer()])
            #expect(answer.status == status)
            #expect(try answer.problem().errors.map(\.field).contains(field))
            #expect(door.backend.asked.isEmpty)
        }
    }

    @Test func what_is_said_in_words_is_no_id() async throws {
        try await TestDoor.run { door async throws in
            for (verb, word) in [("GET", "estimate"), ("DELETE", "estimate"), ("PATCH", "finders")] {
                let answer = try await Self.send(verb, "/v1/wanted/\(word)", verb == "PATCH" ? "{}" : nil, to: door)
                #expect(answer.status == 405, "\(verb) \(word)")
            }
            #expect(door.backend.asked.isEmpty)
        }
    }

    @Test func who_looks_for_too_much_hears_so() async throws {
        try await TestDoor.run { door async throws in
            let wide = FieldError("query", "too_wide", "This would find hundreds a day.")
            door.backend.refuse(MatchingMethods.postWanted, .invalid([wide]))
            let refused = try await Self.send("POST", "/v1/wanted", Self.draft, to: door)
            #expect(refused.status == 422)
            #expect(try refused.problem().errors == [wide])
            door.backend.refuse(MatchingMethods.postWanted, ServiceError(.tooManyWanted, "Twenty are enough."))
            let full = try await Self.send("POST", "/v1/wanted", Self.draft, to: door)
            let problem = try full.problem()
            #expect(full.status == 409 && problem.code.rawValue == "too_many_wanted")
            #expect(problem.title != ProblemStatus.title(of: "something_else"))
        }
    }

    @Test func nothing_of_it_is_public() async throws {
        try await TestDoor.run { door async throws in
            let routes = APIRoute.all.filter { $0.path.hasPrefix("/v1/wanted") }
            #expect(routes.count == 9)
            for route in routes {
                let path = route.path.replacing("{id}", with: "\(Self.id)")
                #expect(route.session == .required && !route.isForSuspended, "\(route.operation)")
                #expect(try await door.json(route.method.rawValue, path, "{}").status == 401, "\(route.operation)")
            }
            #expect(door.backend.asked.isEmpty)
        }
    }
}
