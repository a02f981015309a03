import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Rides looked for by both ends: what is asked for, and why each is in the list.
@Suite struct PageRideSearchTests {
    /// As an address says it.
    private static let ends = "from=60.17,24.95%20Testholm&to=60.4,25.1%20Harbour"
    /// A day to come, as the community's clocks have it.
    private static let day = WallTime(at: Date(), in: "Asia/Singapore").day + 30
    private static let dated = "\(ends)&day=\(day.text)"

    private func found(_ ride: Ride = .sample(), _ change: (inout FoundRide) -> Void = { _ in }) -> FoundRide {
        let points = [0, 2].map { number in
            let stop = ride.stops[number]
            return SeatPoint(
                name: stop.name, position: stop.position, isExact: false, stop: number, at: stop.at, time: stop.time)
        }
        var found = FoundRide(
            ride: ride, boarding: points[0], leaving: points[1], startGap: 400, endGap: 1100, detour: 0, extra: 1500,
            timeDifference: -720, free: 2, cost: Money(amount: 1200, currency: "EUR"))
        change(&found)
        return found
    }

    @Test func a_form_becomes_an_address_that_says_what_is_looked_for() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            let sent = try await visitor.get(
                "/rides/search?from=Testholm&from.at=60.17,24.95+Testholm&to=Harbour&to.at=60.4,25.1+Harbour"
                    + "&day=\(Self.day.text)&time=17:00&seats=2&free=yes")
            #expect(sent.status == 303)
            let path = try #require(sent["Location"])
            #expect(
                path.hasPrefix("/rides/search?from=")
                    && path.hasSuffix("&day=\(Self.day.text)&time=17%3A00&seats=2&free=yes")
            )
            door.services.answer(RidesMethods.search, FoundRides(items: []))
            #expect(try await visitor.get(path).status == 200)
            let query = try #require(try door.services.asked(RidesMethods.search).last).parameters
            #expect(query.from == Position(latitude: 60.17, longitude: 24.95) && query.seats == 2)
            #expect(query.onlyFree == true && query.noDetour == nil && query.onlyVerified == nil)
            let zone = try #require(Zone.named("Asia/Singapore"))
            #expect(query.at == zone.start(of: Self.day) + 17 * 3600 && query.after == nil)
            // One comes back to it from elsewhere.
            #expect(try await visitor.get("/cars").text.contains("href=\"/rides/search?from="))
        }
    }

    @Test func a_day_alone_is_all_of_it_and_nothing_is_now() async throws {
        try await PageDoor.run { door in
            door.services.answer(RidesMethods.search, FoundRides(items: []))
            let visitor = PageVisitor(port: door.port)
            _ = try await visitor.get("/rides/search?\(Self.dated)")
            let zone = try #require(Zone.named("Asia/Singapore"))
            let whole = try #require(try door.services.asked(RidesMethods.search).last).parameters
            #expect(
                whole.at == nil && whole.after == zone.start(of: Self.day)
                    && whole.before == zone.start(of: Self.day + 1))
            _ = try await visitor.get("/rides/search?\(Self.ends)")
            let now = try #require(try door.services.asked(RidesMethods.search).last).parameters
            #expect(now.at == nil && now.after == nil && now.before == nil && now.seats == nil)
        }
    }

    @Test func each_ride_says_why_it_is_in_the_list() async throws {
        try await PageDoor.run { door in
            let own = PersonSummary(id: .new(), name: "Maya <b>")
            let items = [
                found(.sample(by: own)),
                found { ($0.startGap, $0.timeDifference) = (700, 7200) },
                found {
                    ($0.boarding.stop, $0.boarding.name, $0.detour, $0.timeDifference) = (nil, "", 6000, 60)
                },
                found { ($0.leaving.stop, $0.detour, $0.timeDifference) = (nil, 0, nil) },
                found { ($0.endGap, $0.free) = (599, 0) },
                found {
                    ($0.boarding.stop, $0.leaving.stop, $0.detour, $0.detourSeconds) = (nil, 1, 6000, 400)
                    $0.timeDifference = nil
                },
            ]
            door.services.answer(RidesMethods.search, FoundRides(items: items, next: "more"))
            let page = try await PageVisitor(port: door.port).get(
                "/rides/search?\(Self.dated)&time=17:00&seats=3")
            #expect(
                page.status == 200
                    && page.text.contains(
                        "From Testholm to Harbour, \(CivilText.full(Self.day, in: PageRenderingTests.english)), about 17:00, 3 seats"
                    ))
            for why in [
                "Starts near you · ends 1.1 km from there · 12 min earlier",
                "Starts 700 m from you · ends 1.1 km from there · 2 h later",
                "6 km detour for the driver · at that time",
                "<p class=\"small ride-why\">You are on the driver’s way</p>",
                "Starts near you · ends near there · 12 min earlier",
                "6 km detour, 7 minutes out of the driver’s way",
            ] { #expect(page.text.contains(why), "\(why)") }
            // A point of one's own is called as it was asked for; the whole way is said above.
            #expect(page.text.matches(of: #/<p>17:00 Testholm → 19:00 Harbour<\/p>/#).count == 3)
            #expect(page.text.contains("€12"))
            #expect(page.text.contains("Only 2 seats left") && page.text.contains("Full · waitlist"))
            #expect(page.text.contains("Maya &lt;b&gt;") && page.text.contains("6+ rides fit"))
            // Where one would get in and out goes along to the ride, where that is not all of its way.
            #expect(page.text.contains("/rides/\(items[0].ride.id)?seats=3\""))
            let part = "from=60.17%2C24.95%20Testholm&amp;to=1&amp;seats=3"
            #expect(page.text.contains("/rides/\(items[5].ride.id)?\(part)\""))
            #expect(page.text.contains("cursor=more\" hx-get="))
            let more = try await PageVisitor(port: door.port).get(
                "/rides/search?\(Self.ends)&cursor=more", [("HX-Request", "true"), ("HX-Target", "more")])
            #expect(more.text.contains("<li class=\"card ride\"") && !more.text.contains("<html"))
        }
    }

    @Test func where_nothing_fits_there_is_what_lies_beyond_a_day() async throws {
        try await PageDoor.run { door in
            door.services.answer(RidesMethods.search, FoundRides(items: [], beyond: [found()]))
            let visitor = PageVisitor(port: door.port)
            let page = try await visitor.get("/rides/search?\(Self.ends)&luggage=large").text
            #expect(page.contains("No ride fits just now") && page.contains("Beyond a day"))
            #expect(page.contains("href=\"/rides/new\"") && page.contains("Show all that fit"))
            #expect(page.contains("<li class=\"card ride\""))
            door.services.answer(RidesMethods.search, FoundRides(items: []))
            let nothing = try await visitor.get("/rides/search?\(Self.ends)").text
            #expect(nothing.contains("No ride fits just now") && !nothing.contains("Beyond a day"))
            #expect(!nothing.contains("Show all that fit"))
        }
    }

    @Test func what_narrows_the_list_is_pressed_on_and_off() async throws {
        try await PageDoor.run { door in
            door.services.answer(RidesMethods.search, FoundRides(items: []))
            let page = try await PageVisitor(port: door.port).get(
                "/rides/search?\(Self.ends)&luggage=small&free=yes&detour=no&extra=7000"
            ).text
            let query = try #require(try door.services.asked(RidesMethods.search).last).parameters
            #expect(query.luggage == .small && query.onlyFree == true && query.noDetour == true)
            #expect(query.mostExtra == 7000)
            #expect(page.contains("&amp;free=yes&amp;detour=no\" aria-current=\"true\">At most 7 km extra"))
            #expect(page.contains("aria-current=\"true\">Free seats only</a>"))
            #expect(page.contains("aria-current=\"true\">No detour</a>") && page.contains(">Verified drivers</a>"))
            #expect(
                page.contains("&amp;luggage=small&amp;detour=no&amp;extra=7000\" aria-current=\"true\">Free seats only")
            )
            #expect(page.contains("<input type=\"hidden\" name=\"luggage\" value=\"small\">"))
            #expect(page.contains("<input type=\"hidden\" name=\"extra\" value=\"7000\">"))
        }
    }

    @Test func what_is_wrong_stands_at_its_field() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let visitor = PageVisitor(port: door.port)
            for (query, sentence) in [
                ("", "Where do you want to start?"), ("from=60.17,24.95%20Testholm", "Where do you want to go?"),
                ("\(Self.ends)&day=soon", "Choose a day."), ("\(Self.ends)&day=2020-01-01", "That is over already."),
                ("\(Self.ends)&day=9999-12-31", "Nobody plans that far ahead here."),
                ("\(Self.dated)&time=late", "That is no time of day."),
                ("\(Self.ends)&seats=9", "That is out of range."),
                ("from=Kluu&from.at=&to=Nowhere&to.at=", "Which one do you mean?"),
                ("from=Kluu&from.at=&to=Nowhere&to.at=", "No place of that name is known here."),
            ] {
                let page = try await visitor.get("/rides/search?\(query)")
                #expect(page.status == 422 && page.text.contains(sentence), "\(query)")
                #expect(page.text.contains("<details class=\"change\" open>"), "\(query)")
            }
            #expect(try door.services.asked(RidesMethods.search).isEmpty)
            for (field, code, sentence) in [
                ("to", "too_close", "That is a walk"), ("at", "in_past", "That is over already."),
                ("after", "in_past", "That is over already."),
            ] {
                door.services.refuse(RidesMethods.search, .invalid([FieldError(field, code, "No.")]))
                let page = try await visitor.get("/rides/search?\(Self.dated)")
                #expect(page.status == 422 && page.text.contains(sentence), "\(field) \(code)")
            }
            #expect(visitor.cookies["kampong_rides"] == nil)
        }
    }

    @Test func whoever_comes_back_is_not_led_to_a_day_that_is_over() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            for (kept, shown) in [
                ("from=1,2%20A&to=3,4%20B&day=2020-01-01&time=10%3A00", "/rides/search?from=1,2%20A&amp;to=3,4%20B"),
                (
                    "from=1,2%20A&to=3,4%20B&day=2999-01-01",
                    "/rides/search?from=1,2%20A&amp;to=3,4%20B&amp;day=2999-01-01"
                ),
                ("", "/rides"),
            ] {
                visitor.cookies["kampong_rides"] = kept
                let cars = try await visitor.get("/cars").text
                #expect(cars.contains("href=\"\(shown)\""), "\(kept)")
            }
        }
    }

    @Test func a_search_speaks_german_too() async throws {
        try await PageDoor.run { door in
            door.services.answer(RidesMethods.search, FoundRides(items: [found()]))
            let page = try await PageVisitor(port: door.port).get(
                "/rides/search?\(Self.dated)", [("Accept-Language", "de")]
            ).text
            #expect(
                page.contains("Von Testholm nach Harbour, \(CivilText.full(Self.day, in: PageRenderingTests.german))"))
            #expect(page.contains("Beginnt in deiner Nähe · endet 1,1 km von dort · 12 Min. früher"))
        }
    }
}
