import FoundationEssentials
import GatewayService
import HTTPTypes
import Testing
import WireProtocol

/// What `/v1/rides`, `/v1/saved-rides`, `/v1/my/rides` and `/v1/seat-requests` ask of rides; `/v1/ride-series` is in `SeriesRouteTests`, who seeks
/// a ride in `SeekingRouteTests`.
@Suite struct RideRouteTests {
    private static let ride = RideID.new()
    private static let one = "/v1/rides/\(ride)"
    private static let fromAndTo = "from=35.3,-120.66&to=37.77,-122.42"

    private static func takesAnything(_ methods: [String], at door: TestDoor) {
        for method in methods { door.backend.on("rides.\(method)") { _ in ServiceReply(body: Array("{}".utf8)) } }
    }

    @Test func each_call_asks_its_method_about_the_ride_of_its_address() async throws {
        try await TestDoor.run { door async throws in
            let calls: [(method: String, verb: String, path: String, body: String?, status: Int)] = [
                ("changeRide", "PATCH", Self.one, "{}", 200), ("removeRide", "DELETE", Self.one, "{}", 204),
                ("departRide", "POST", "\(Self.one)/depart", nil, 200),
                ("arriveRide", "POST", "\(Self.one)/arrive", nil, 200),
                ("saveRide", "PUT", "/v1/saved-rides/\(Self.ride)", nil, 204),
                ("unsaveRide", "DELETE", "/v1/saved-rides/\(Self.ride)", nil, 204),
                ("quoteSeat", "POST", "\(Self.one)/seat-quote", "{}", 200),
                ("requestSeat", "POST", "\(Self.one)/requests", "{}", 201), ("ride", "GET", Self.one, nil, 200),
            ]
            Self.takesAnything(calls.filter { $0.status != 204 }.map(\.method), at: door)
            for method in ["removeRide", "saveRide", "unsaveRide"] {
                door.backend.on("rides.\(method)") { _ in ServiceReply(body: []) }
            }
            let me = door.bearer()
            for call in calls {
                let answer =
                    if let body = call.body {
                        try await door.json(call.verb, call.path, body, [me])
                    } else {
                        try await door.send(call.verb, call.path, [me])
                    }
                #expect(answer.status == call.status, "\(call.method)")
                let asked = try #require(door.backend.asked.last)
                #expect(asked.method == "rides.\(call.method)")
                #expect(try WireJSON.decode(RideReference.self, from: asked.parameters).id == Self.ride)
            }
        }
    }

    @Test func what_is_posted_and_what_is_only_computed_are_addresses_of_their_own() async throws {
        try await TestDoor.run { door async throws in
            Self.takesAnything(["postRide", "quoteRide"], at: door)
            let me = door.bearer()
            #expect(try await door.json("POST", "/v1/rides", #"{"seats":3}"#, [me]).status == 201)
            #expect(try await door.json("POST", "/v1/rides/quote", #"{"seats":3}"#, [me]).status == 200)
            #expect(door.backend.asked.map(\.method) == ["rides.postRide", "rides.quoteRide"])
            #expect(door.backend.commands == ["rides.postRide"])
            // What is written out is no id.
            for (verb, path) in [("PATCH", "/v1/rides/quote"), ("DELETE", "/v1/rides/search")] {
                let answer = try await door.json(verb, path, "{}", [me])
                #expect(answer.status == 405, "\(verb) \(path)")
            }
        }
    }

    @Test func lists_are_asked_for_with_their_types() async throws {
        try await TestDoor.run { door async throws in
            door.backend.answer(RidesMethods.regions, Page(items: []))
            door.backend.answer(RidesMethods.rides, Page(items: []))
            door.backend.answer(RidesMethods.myRides, Page(items: []))
            door.backend.answer(RidesMethods.requests, Page(items: []))
            let (by, series, me) = (PersonID.new(), RideSeriesID.new(), door.bearer())
            let browsed = "region=Bay+Area&direction=to&by=\(by)&series=\(series)&limit=5&cursor=c"
            #expect(try await door.get("/v1/regions").status == 200)
            #expect(try await door.get("/v1/rides?\(browsed)").status == 200)
            #expect(try await door.get("/v1/my/rides?tab=pending&limit=6&cursor=d", [me]).status == 200)
            let all = "ride=\(Self.ride)&role=driver&state=pending&disputed=true&limit=7&cursor=e"
            #expect(try await door.get("/v1/seat-requests?\(all)", [me]).status == 200)
            #expect(try await door.get("\(Self.one)/requests?state=accepted&limit=8&cursor=f", [me]).status == 200)
            #expect(
                try door.backend.asked(RidesMethods.rides).map(\.parameters) == [
                    RideQuery(region: "Bay Area", direction: .to, by: by, series: series, limit: 5, cursor: "c")
                ])
            #expect(
                try door.backend.asked(RidesMethods.myRides).map(\.parameters) == [
                    MyRidesQuery(tab: .pending, limit: 6, cursor: "d")
                ])
            #expect(
                try door.backend.asked(RidesMethods.requests).map(\.parameters) == [
                    SeatRequestQuery(
                        ride: Self.ride, role: .driver, state: .pending, disputed: true, limit: 7, cursor: "e"),
                    SeatRequestQuery(ride: Self.ride, state: .accepted, limit: 8, cursor: "f"),
                ])
        }
    }

    @Test func a_search_is_asked_for_with_its_types() async throws {
        try await TestDoor.run { door async throws in
            door.backend.answer(RidesMethods.search, FoundRides(items: []))
            let path = "/v1/rides/search?\(Self.fromAndTo)"
            #expect(try await door.get(path).status == 200)
            let more =
                "at=2026-12-04T23:00:00Z&after=2026-12-04T12:00:00-08:00&before=2026-12-05T09:00:00%2B01:00&seats=2"
                + "&luggage=large&onlyFree=true&noDetour=false&mostExtra=5000&onlyVerified=true&limit=5&cursor=c"
            #expect(try await door.get("\(path)&\(more)").status == 200)
            let (from, to) = (
                Position(latitude: 35.3, longitude: -120.66), Position(latitude: 37.77, longitude: -122.42)
            )
            #expect(
                try door.backend.asked(RidesMethods.search).map(\.parameters) == [
                    RideSearchQuery(from: from, to: to),
                    RideSearchQuery(
                        from: from, to: to, at: WireJSON.date(from: "2026-12-04T23:00:00Z"),
                        after: WireJSON.date(from: "2026-12-04T20:00:00Z"),
                        before: WireJSON.date(from: "2026-12-05T08:00:00Z"), seats: 2, luggage: .large,
                        onlyFree: true, noDetour: false, mostExtra: 5000, onlyVerified: true, limit: 5, cursor: "c"),
                ])
        }
    }

    @Test(arguments: [
        ("/v1/rides?direction=through", 422, "direction"), ("/v1/rides?direction=", 422, "direction"),
        ("/v1/rides?by=maya", 400, "by"), ("/v1/rides?series=mondays", 400, "series"),
        ("/v1/rides?limit=101", 422, "limit"), ("/v1/rides/42", 400, "id"),
        ("/v1/rides/search", 422, "from"), ("/v1/rides/search?from=35,-120", 422, "to"),
        ("/v1/rides/search?\(fromAndTo)&from=35,-120", 400, "from"),
        ("/v1/rides/search?from=91,0&to=35,-120", 422, "from"), ("/v1/rides/search?from=35&to=35,-120", 400, "from"),
        ("/v1/rides/search?\(fromAndTo)&at=tomorrow", 400, "at"), ("/v1/rides/search?\(fromAndTo)&at=", 400, "at"),
        ("/v1/rides/search?\(fromAndTo)&after=2026-12-04", 400, "after"),
        // An offset's plus is a blank in an address.
        ("/v1/rides/search?\(fromAndTo)&before=2026-12-04T12:00:00+01:00", 400, "before"),
        ("/v1/rides/search?\(fromAndTo)&seats=9", 422, "seats"),
        ("/v1/rides/search?\(fromAndTo)&luggage=piano", 422, "luggage"),
        ("/v1/rides/search?\(fromAndTo)&mostExtra=-1", 422, "mostExtra"),
        ("/v1/rides/search?\(fromAndTo)&onlyFree=yes", 400, "onlyFree"),
        ("/v1/my/rides?tab=future", 422, "tab"), ("/v1/seat-requests?role=owner", 422, "role"),
        ("/v1/seat-requests?ride=1", 400, "ride"), ("/v1/seat-requests?state=gone", 422, "state"),
    ])
    func what_is_wrong_with_an_address_is_said_at_its_field(path: String, status: Int, field: String) async throws {
        try await TestDoor.run { door async throws in
            let answer = try await door.get(path, [door.bearer()])
            #expect(answer.status == status)
            #expect(try answer.problem().errors.map(\.field).contains(field))
            #expect(door.backend.asked.isEmpty)
        }
    }

    @Test func acts_are_called_in_addresses_as_people_call_them() async throws {
        try await TestDoor.run { door async throws in
            Self.takesAnything(["actOnRequest", "request"], at: door)
            door.backend.answer(RidesMethods.contact, SeatContact(phone: "+14155550123"))
            let (me, request) = (door.bearer(), SeatRequestID.new())
            for act in SeatAct.allCases {
                let answer = try await door.json("POST", "/v1/seat-requests/\(request)/\(act.path)", "{}", [me])
                #expect(answer.status == 200)
                #expect(
                    try door.backend.asked(RidesMethods.actOnRequest.name).last.map {
                        try WireJSON.decode(SeatActReference.self, from: $0.parameters)
                    } == SeatActReference(id: request, act: act))
            }
            let before = door.backend.asked.count
            for word in ["reportNoShow", "no-shows", "decline", request.description] {
                let answer = try await door.json("POST", "/v1/seat-requests/\(request)/\(word)", "{}", [me])
                #expect(answer.status == 400)
                #expect(try answer.problem().errors.map(\.field) == ["act"])
            }
            #expect(door.backend.asked.count == before)
            #expect(try await door.get("/v1/seat-requests/\(request)", [me]).status == 200)
            let contact = try await door.get("/v1/seat-requests/\(request)/contact", [me])
            #expect(try contact.json(SeatContact.self).phone == "+14155550123")
        }
    }

    @Test func what_is_public_is_so_and_nothing_else() async throws {
        try await TestDoor.run { door async throws in
            let isPublic: Set = ["getRegions", "listRides", "searchRides", "getRide"]
            let prefixes = [
                "/v1/regions", "/v1/rides", "/v1/ride-series", "/v1/saved-rides", "/v1/my/", "/v1/seat-requests",
            ]
            let routes = APIRoute.all.filter { route in prefixes.contains { route.path.hasPrefix($0) } }
            #expect(routes.count == 28)
            for route in routes {
                #expect((route.session == .optional) == isPublic.contains(route.operation), "\(route.operation)")
                guard route.session == .required else { continue }
                let path = route.path.replacing("{act}", with: "accept").replacing(/\{\w+\}/, with: "\(Self.ride)")
                #expect(try await door.json(route.method.rawValue, path, "{}").status == 401, "\(route.operation)")
            }
            #expect(door.backend.asked.isEmpty)
        }
    }
}
