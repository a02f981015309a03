import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// The page of a ride: its other way, its other days, its way on the map, and the part that was looked for.
@Suite struct PageRideWaysTests {
    @Test func the_way_back_is_a_press_away() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            let other = RideID.new()
            for (isReturn, state, text) in [
                (true, RideState.open, "There and back: the way back leaves Sunday, 10 March 2999, 17:00"),
                (true, .removed, "The way back does not take place"),
                (false, .departed, "This is the way back. The way there has left"),
            ] {
                let ride = Ride.sample { ride in
                    ride.other = OtherWay(
                        id: other, isReturn: isReturn, state: state, departsAt: Ride.evening + 2 * 86_400,
                        zone: ride.zone)
                }
                door.show(ride)
                let page = try await visitor.get("/rides/\(ride.id)").text
                #expect(page.contains("href=\"/rides/\(other)\">\(text)"), "\(text)")
            }
        }
    }

    @Test func a_commute_leads_to_its_next_days() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let (driver, series) = (try door.person("Maya").summary, RideSeriesID.new())
            let ride = Ride.sample(by: driver) { ($0.series, $0.accepts) = (series, .friends) }
            let next = Ride.sample { $0.departsAt += 86_400 }
            let back = Ride.sample { $0.stops = $0.stops.reversed() }
            door.show(ride)
            door.services.answer(RidesMethods.requests, Page(items: []))
            door.services.answer(RidesMethods.rides, Page(items: [ride, back, next]))
            let page = try await PageVisitor(port: door.port).get("/rides/\(ride.id)").text
            #expect(try door.services.asked(RidesMethods.rides).last?.parameters.series == series)
            #expect(page.contains("Part of a commute: also on"))
            #expect(page.contains("href=\"/rides/\(next.id)\">Saturday, 9 March 2999</a>"))
            #expect(!page.contains("\(back.id)"))
            #expect(!page.contains("/rides/commutes/") && page.contains("Friends of the driver have a seat at once"))
            #expect(try await maya.get("/rides/\(ride.id)").text.contains("href=\"/rides/commutes/\(series)\""))
            door.services.refuse(RidesMethods.rides, ServiceError(.unavailable, "Away."))
            let away = try await PageVisitor(port: door.port).get("/rides/\(ride.id)")
            #expect(away.status == 200 && away.text.contains("Part of a commute<"))
        }
    }

    @Test func the_way_follows_the_streets_where_they_are_known() async throws {
        try await PageDoor.run { door in
            let ride = Ride.sample()
            door.show(ride)
            let visitor = PageVisitor(port: door.port)
            let straight = try await visitor.get("/rides/\(ride.id)")
            let stops = ride.stops.map(\.position.written).joined(separator: ";")
            #expect(straight.status == 200 && straight.text.contains("data-way=\"\(stops)\""))
            #expect(straight.text.contains("data-straight") && straight.text.contains("Drawn in straight lines"))
            let shape = [60.1, 60.2, 60.3, 60.4].map { Position(latitude: $0, longitude: 25) }
            door.services.on(PlacesMethods.route) { request in
                #expect(request.parameters == PlaceRouteQuery(points: ride.stops.map(\.position), mode: .driving))
                let leg = PlaceDistance(metres: 30_000, seconds: 1800, alongStreets: true)
                return PlaceRoute(legs: [leg, leg], shape: shape, attribution: ["© Mappers & <friends>"])
            }
            for path in ["", "/ask"] {
                if path == "/ask" { _ = try await visitor.post("/join", PageRideWaysTests.newcomer) }
                let page = try await visitor.get("/rides/\(ride.id)\(path)").text
                #expect(page.contains("data-way=\"60.1,25.0;60.2,25.0;60.3,25.0;60.4,25.0\""), "\(path)")
                #expect(page.contains("data-stops=\"\(stops)\"") && !page.contains("data-straight"), "\(path)")
                #expect(page.contains("Drawn along the streets. © Mappers &amp; &lt;friends&gt;"), "\(path)")
            }
        }
    }

    @Test func what_is_known_in_part_is_said_to_be() async throws {
        try await PageDoor.run { door in
            let ride = Ride.sample()
            door.show(ride)
            door.services.on(PlacesMethods.route) { request in
                let legs = [true, false].map { PlaceDistance(metres: 30_000, seconds: 1800, alongStreets: $0) }
                return PlaceRoute(legs: legs, shape: request.parameters.points, attribution: [])
            }
            let page = try await PageVisitor(port: door.port).get("/rides/\(ride.id)").text
            #expect(page.contains("Drawn along the streets where they are known") && !page.contains("data-straight"))
        }
    }

    private static let newcomer = [
        "name": "Ben", "email": "\(UUID.version7())@example.org", "password": "a good long one",
    ]

    @Test func the_part_that_was_looked_for_goes_along_to_the_form() async throws {
        try await PageDoor.run { door in
            let ride = Ride.sample()
            door.show(ride)
            let visitor = PageVisitor(port: door.port)
            for (query, led) in [
                ("?from=1&to=60.4,25.1%20Kai%203&seats=2", "?from=1&amp;to=60.4%2C25.1%20Kai%203&amp;seats=2"),
                ("?from=9&to=%3Cb%3E&seats=1", ""), ("", ""),
            ] {
                let page = try await visitor.get("/rides/\(ride.id)\(query)").text
                #expect(page.contains("href=\"/rides/\(ride.id)/ask\(led)\""), "\(query)")
            }
        }
    }
}
