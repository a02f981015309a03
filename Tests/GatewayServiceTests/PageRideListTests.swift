import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Where rides are found without a search: by region, on somebody's page, at a place, on Home.
@Suite struct PageRideListTests {
    @Test func the_first_page_looks_by_both_ends_or_by_region() async throws {
        try await PageDoor.run { door in
            door.services.answer(
                RidesMethods.regions,
                Page(items: [
                    RegionOfRides(region: "North", from: 12, to: 9), RegionOfRides(region: "South", from: 0, to: 99),
                    RegionOfRides(region: "East", from: 0, to: 0),
                ]))
            let visitor = PageVisitor(port: door.port)
            let page = try await visitor.get("/rides?to=60.4,25.1%20Harbour")
            #expect(page.status == 200 && page.text.contains("action=\"/rides/search\""))
            #expect(
                page.text.contains("name=\"to.at\" value=\"60.4,25.1 Harbour\"")
                    && page.text.contains("value=\"Harbour\""))
            #expect(page.text.contains("12 from there · 9 to there") && page.text.contains("99+ to there"))
            #expect(page.text.contains("href=\"/rides/regions?region=North\""))
            #expect(
                page.text.contains("href=\"/rides/regions?region=South&amp;direction=to\"")
                    && !page.text.contains("East"))
            #expect(page.text.contains("href=\"/rides\" aria-current=\"page\"") && !page.text.contains("No rides yet"))
            door.services.answer(RidesMethods.regions, Page(items: []))
            let empty = try await visitor.get("/rides").text
            #expect(empty.contains("No rides yet") && empty.contains("href=\"/rides/new\""))
            door.services.refuse(RidesMethods.regions, ServiceError(.unavailable, "Away."))
            #expect(try await visitor.get("/rides").status == 503)
        }
    }

    @Test func a_region_shows_its_rides_by_day_the_soonest_first() async throws {
        try await PageDoor.run { door in
            let next = Ride.sample { ride in
                ride.departsAt += 86_400
                ride.arrivesAt += 86_400
                ride.free = [0, 0]
                ride.action = .wait
            }
            door.services.on(RidesMethods.rides) { request in
                request.parameters.cursor == nil
                    ? Page(items: [Ride.sample(), Ride.sample()], next: "on") : Page(items: [Ride.sample(), next])
            }
            let visitor = PageVisitor(port: door.port)
            let first = try await visitor.get("/rides/regions?region=North&direction=to").text
            let query = try #require(try door.services.asked(RidesMethods.rides).last).parameters
            #expect(query.region == "North" && query.direction == .to)
            #expect(first.contains("<h1 class=\"grow\">Rides to North</h1>"))
            #expect(
                first.components(of: "Friday, 8 March 2999") == 1
                    && first.components(of: "<li class=\"card ride\"") == 2)
            #expect(
                first.contains("href=\"/rides/regions?region=North\">From there</a>") && first.contains(">Refresh</a>"))
            let path = "/rides/regions?region=North&direction=to&cursor=on&day=2999-03-08"
            #expect(first.contains("hx-get=\"\(path.replacing("&", with: "&amp;"))\""))
            let more = try await visitor.get(path, [("HX-Request", "true"), ("HX-Target", "more")]).text
            #expect(!more.contains("<html") && more.contains("<h2 class=\"visually-hidden\">Friday, 8 March 2999</h2>"))
            #expect(more.contains("<h2>Saturday, 9 March 2999</h2>") && more.contains("Full · waitlist"))
            // As a page of its own it says its day.
            #expect(try await visitor.get(path).text.contains("<h2>Friday, 8 March 2999</h2>"))
        }
    }

    @Test func a_region_without_rides_says_what_to_do() async throws {
        try await PageDoor.run { door in
            door.services.answer(RidesMethods.rides, Page(items: []))
            let visitor = PageVisitor(port: door.port)
            let empty = try await visitor.get("/rides/regions?region=North").text
            #expect(empty.contains("Nobody leaves from North yet.") && empty.contains("href=\"/rides/new\""))
            door.services.refuse(RidesMethods.rides, ServiceError.notFound("region"))
            #expect(try await visitor.get("/rides/regions?region=Nowhere").status == 404)
            #expect(try await visitor.get("/rides/regions")["Location"] == "/rides")
        }
    }

    @Test func what_somebody_drives_is_on_their_page() async throws {
        try await PageDoor.run { door in
            _ = try await door.join("Maya")
            let ben = try await door.join("Ben")
            let maya = try door.person("Maya")
            #expect(!(try await ben.get("/people/\(maya.id)").text.contains("id=\"drives\"")))
            door.services.answer(
                PeerRole.rides.methods.shelf, Page(items: [ShelfItem(Ride.sample(by: maya.summary))], next: "on"))
            let page = try await ben.get("/people/\(maya.id)").text
            #expect(page.contains("Rides of Maya") && page.contains("<li class=\"card ride\""))
            #expect(page.contains("href=\"/people/\(maya.id)?rides=on#drives\""))
        }
    }

    @Test func what_waits_says_what_to_do_and_by_when() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let (seat, ride, ana) = (
                Subject(SeatRequestID.new()), Subject(RideID.new()), PersonSummary(id: .new(), name: "Ana")
            )
            let (title, soon) = ("Mill → Harbour", Date() + 7300)
            door.services.answer(
                PeerRole.rides.methods.waiting,
                Page(items: [
                    WaitingItem(.seatAsked, seat, title: title, with: ana, at: soon),
                    WaitingItem(.seatToKeep, seat, title: title, with: ana, at: soon),
                    WaitingItem(.driving, ride, title: title, at: soon),
                    WaitingItem(.riding, seat, title: title, with: ana, at: Date() - 60),
                ]))
            let home = try await maya.get("/").text
            #expect(
                home.components(of: "href=\"/seats/\(seat.id)\"") == 3 && home.contains("href=\"/rides/\(ride.id)\""))
            for words in [
                "Ana asks for a seat; your answer is due", "Say whether you keep your seat", "You drive · ",
                "On the way with Ana", "in 2 h",
            ] { #expect(home.contains(words), "\(words)") }
            #expect(!home.contains("Nothing waits for you"))
        }
    }

    @Test func a_place_leads_to_rides_that_go_there() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let page = try await PageVisitor(port: door.port).get("/places/\(PagePlaces.all[4].id)").text
            #expect(page.contains("Rides to here"))
            #expect(page.contains("href=\"/rides?to=60.173%2C24.952%20Kluuvi%2C%20Testholm\""))
        }
    }

    @Test func a_ride_is_reported_by_others_alone() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let ben = try await door.join("Ben")
            let ride = Ride.sample(by: try door.person("Maya").summary) { $0.notes = "No <dogs>." }
            door.show(ride)
            let page = try await ben.get("/report?kind=ride&id=\(ride.id)")
            #expect(
                page.status == 200 && page.text.contains("Testholm → Harbour") && page.text.contains("No &lt;dogs&gt;.")
            )
            #expect(try await maya.get("/report?kind=ride&id=\(ride.id)")["Location"] == "/rides/\(ride.id)")
        }
    }
}
