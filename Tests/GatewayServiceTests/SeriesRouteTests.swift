import FoundationEssentials
import GatewayService
import HTTPTypes
import Testing
import WireProtocol

/// What `/v1/ride-series` asks of rides.
@Suite struct SeriesRouteTests {
    private static let series = RideSeriesID.new()
    private static let one = "/v1/ride-series/\(series)"

    @Test func each_call_asks_its_method_about_the_series_of_its_address() async throws {
        try await TestDoor.run { door async throws in
            for method in ["series", "changeSeries"] {
                door.backend.on("rides.\(method)") { _ in ServiceReply(body: Array("{}".utf8)) }
            }
            door.backend.on("rides.endSeries") { _ in ServiceReply(body: []) }
            let me = door.bearer()
            let calls: [(method: String, verb: String, body: String?, status: Int)] = [
                ("series", "GET", nil, 200), ("changeSeries", "PATCH", #"{"skips":["2026-12-24"]}"#, 200),
                ("endSeries", "DELETE", #"{"reason":"A new job.","keepsAsked":true}"#, 204),
            ]
            for call in calls {
                let answer =
                    if let body = call.body {
                        try await door.json(call.verb, Self.one, body, [me])
                    } else {
                        try await door.send(call.verb, Self.one, [me])
                    }
                #expect(answer.status == call.status, "\(call.method)")
                let asked = try #require(door.backend.asked.last)
                #expect(asked.method == "rides.\(call.method)")
                #expect(try WireJSON.decode(RideSeriesReference.self, from: asked.parameters).id == Self.series)
                if let body = call.body { #expect(asked.body == Array(body.utf8), "\(call.method)") }
            }
            #expect(door.backend.commands == ["rides.changeSeries", "rides.endSeries"])
        }
    }

    @Test func what_is_posted_and_what_is_only_computed_are_addresses_of_their_own() async throws {
        try await TestDoor.run { door async throws in
            for method in ["postSeries", "quoteSeries"] {
                door.backend.on("rides.\(method)") { _ in ServiceReply(body: Array("{}".utf8)) }
            }
            let (me, draft) = (door.bearer(), #"{"weekdays":["monday"]}"#)
            #expect(try await door.json("POST", "/v1/ride-series", draft, [me]).status == 201)
            #expect(try await door.json("POST", "/v1/ride-series/quote", draft, [me]).status == 200)
            #expect(door.backend.asked.map(\.method) == ["rides.postSeries", "rides.quoteSeries"])
            #expect(door.backend.commands == ["rides.postSeries"])
            for verb in ["PATCH", "DELETE"] {
                #expect(try await door.json(verb, "/v1/ride-series/quote", "{}", [me]).status == 405, "\(verb)")
            }
        }
    }

    @Test func ones_own_are_asked_for_a_page_at_a_time() async throws {
        try await TestDoor.run { door async throws in
            door.backend.answer(RidesMethods.mySeries, Page(items: []))
            let me = door.bearer()
            #expect(try await door.get("/v1/ride-series?limit=5&cursor=c", [me]).status == 200)
            #expect(
                try door.backend.asked(RidesMethods.mySeries).map(\.parameters) == [
                    MySeriesQuery(limit: 5, cursor: "c")
                ])
            for (path, status) in [("/v1/ride-series?limit=0", 422), ("/v1/ride-series/mondays", 400)] {
                #expect(try await door.get(path, [me]).status == status, "\(path)")
            }
            #expect(door.backend.asked.count == 1)
        }
    }
}
