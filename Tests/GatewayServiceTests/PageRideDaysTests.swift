import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// On which day a ride is: that of where it begins, whatever clocks the community and who looks have (here those of Singapore).
@Suite struct PageRideDaysTests {
    private static let california = "America/Los_Angeles"

    private func ride(_ moment: String, in zone: String = california) throws -> Ride {
        let departure = try #require(WireJSON.date(from: moment))
        return .sample { ride in
            (ride.departsAt, ride.arrivesAt, ride.zone) = (departure, departure + 7200, zone)
            for index in ride.stops.indices {
                ride.stops[index].time = departure + ride.stops[index].time.timeIntervalSince(Ride.evening)
            }
        }
    }

    /// What the page of a region says: each heading of a day, and how many rides stand below it.
    private func days(_ rides: [Ride]) async throws -> [String] {
        let said = Mutable<[String]>([])
        try await PageDoor.run { door in
            door.services.answer(RidesMethods.rides, Page(items: rides))
            let text = try await PageVisitor(port: door.port).get("/rides/regions?region=North").text
            said.mutate { said in
                said = text.matches(of: #/<section class="stack tight"><h2>([^<]*)<\/h2>(?s)(.*?)<\/section>/#).map {
                    "\($0.1): \(String($0.2).components(of: "<li class=\"card ride\""))"
                }
            }
        }
        return said.value
    }

    /// Around midnight, and in the hour that comes twice in the night in which clocks are put back.
    @Test func a_region_groups_rides_by_the_day_of_where_they_begin() async throws {
        let rides = try [
            "2026-11-01T06:30:00Z", "2026-11-01T07:30:00Z", "2026-11-01T08:30:00Z", "2026-11-01T09:30:00Z",
            "2026-11-02T07:30:00Z", "2026-11-02T08:30:00Z",
        ].map { try ride($0) }
        #expect(
            try await days(rides) == [
                "Saturday, 31 October 2026: 1", "Sunday, 1 November 2026: 4", "Monday, 2 November 2026: 1",
            ])
    }

    /// They come in the order in which they leave, so that a day may come again.
    @Test func rides_of_several_zones_stand_below_a_day_of_their_own() async throws {
        let rides = try [
            ride("2026-10-31T06:30:00Z"), ride("2026-10-31T11:30:00Z", in: "Pacific/Auckland"),
            ride("2026-10-31T12:00:00Z"), ride("2026-11-01T06:30:00Z", in: "UTC"),
        ]
        #expect(
            try await days(rides) == [
                "Friday, 30 October 2026: 1", "Sunday, 1 November 2026: 1", "Saturday, 31 October 2026: 1",
                "Sunday, 1 November 2026: 1",
            ])
    }

    /// At each moment as the card, the list of one's own and what waits say it.
    @Test(arguments: [
        ("2026-09-26T06:30:00Z", california, "Friday, 25 September 2026, 23:30"),
        ("2026-09-26T07:30:00Z", california, "Saturday, 26 September 2026, 00:30"),
        ("2026-11-01T08:30:00Z", california, "Sunday, 1 November 2026, 01:30"),
        ("2026-11-01T09:30:00Z", california, "Sunday, 1 November 2026, 01:30"),
        ("2027-03-14T09:59:00Z", california, "Sunday, 14 March 2027, 01:59"),
        ("2027-03-14T10:00:00Z", california, "Sunday, 14 March 2027, 03:00"),
        ("2026-12-31T10:30:00Z", "Pacific/Auckland", "Thursday, 31 December 2026, 23:30"),
        ("2026-12-31T11:30:00Z", "Pacific/Auckland", "Friday, 1 January 2027, 00:30"),
        ("2026-10-24T18:20:00Z", "Asia/Kathmandu", "Sunday, 25 October 2026, 00:05"),
    ])
    func the_day_and_the_time_are_those_of_the_rides_clocks(
        _ moment: String, _ zone: String, _ said: String
    ) async throws {
        let ride = try ride(moment, in: zone)
        #expect(RideClock(zone, in: PageRenderingTests.english).moment(ride.departsAt) == said)
        let (day, time) = (String(said.dropLast(7)), String(said.suffix(5)))
        try await PageDoor.run { door in
            door.services.answer(RidesMethods.search, FoundRides(items: [.whole(ride)]))
            door.services.answer(RidesMethods.myRides, Page(items: [MyRide(ride: ride)]))
            let card = "<p class=\"ride-when\">\(day), <strong>\(time)</strong>"
            let found = try await PageVisitor(port: door.port).get(
                "/rides/search?from=60.17,24.95%20Testholm&to=60.4,25.1%20Harbour"
            ).text
            #expect(found.contains(card) && found.contains("Times as in \(CivilText.city(of: zone))"))
            #expect(try await door.join("Maya").get("/rides/mine").text.contains(said))
        }
    }

    /// Who looks for a day looks for that of the community's clocks, from midnight to midnight, also while it is another day in UTC.
    @Test func today_is_that_of_the_communitys_clocks() async throws {
        try await PageDoor.run { door in
            door.services.answer(RidesMethods.search, FoundRides(items: []))
            let zone = try #require(Zone.named("Asia/Singapore"))
            let today = WallTime(at: Date(), in: zone.name).day
            let ends = "/rides/search?from=60.17,24.95%20Testholm&to=60.4,25.1%20Harbour&day="
            let visitor = PageVisitor(port: door.port)
            for day in [today, today + 1] {
                #expect(try await visitor.get(ends + day.text).status == 200)
                let asked = try #require(try door.services.asked(RidesMethods.search).last).parameters
                #expect(asked.after == zone.start(of: day) && asked.before == zone.start(of: day + 1))
            }
            #expect(try await visitor.get(ends + (today + -1).text).status == 422)
        }
    }
}

extension FoundRide {
    /// That goes along with all of what was looked for.
    fileprivate static func whole(_ ride: Ride) -> FoundRide {
        func point(_ number: Int) -> SeatPoint {
            let stop = ride.stops[number]
            return SeatPoint(
                name: stop.name, position: stop.position, isExact: false, stop: number, at: stop.at, time: stop.time)
        }
        return FoundRide(
            ride: ride, boarding: point(0), leaving: point(ride.stops.count - 1), startGap: 0, endGap: 0, detour: 0,
            extra: 0, free: 2)
    }
}
