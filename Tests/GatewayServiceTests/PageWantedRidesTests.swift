import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Rides that are looked for from now on: from their search to the ride that was found.
@Suite struct PageWantedRidesTests {
    private static let zone = "Asia/Singapore"
    private static let day = WallTime(at: Date(), in: zone).day + 30
    private static let (start, end) = (
        Position(latitude: 60.17, longitude: 24.95), Position(latitude: 60.4, longitude: 25.1)
    )

    private static func wanted(_ change: (inout RideSearchQuery) -> Void = { _ in }) throws -> WantedQuery {
        let clocks = try #require(Zone.named(zone))
        var query = RideSearchQuery(
            from: start, to: end, after: clocks.start(of: day), before: clocks.start(of: day + 1))
        change(&query)
        return WantedQuery(rides: query)
    }

    private func sentence(_ query: WantedQuery, _ words: Words) throws -> String {
        let names = [Self.start: "Testholm"]
        return WantedSentence.ride(try #require(query.rides), names, in: Self.zone, words)
    }

    @Test func a_search_leads_there_with_its_filters_and_a_day() async throws {
        try await PageDoor.run { door in
            door.services.answer(RidesMethods.search, FoundRides(items: []))
            let visitor = PageVisitor(port: door.port)
            let ends = "from=60.17%2C24.95%20Testholm&amp;to=60.4%2C25.1%20Harbour"
            let search = "/rides/search?from=60.17,24.95%20Testholm&to=60.4,25.1%20Harbour"
            let dated = try await visitor.get("\(search)&day=\(Self.day.text)&time=17:00&seats=2&free=yes").text
            let time = "&amp;day=\(Self.day.text)&amp;time=17%3A00&amp;seats=2&amp;free=yes"
            #expect(dated.contains("href=\"/wanted/new?of=rides&amp;\(ends)\(time)\""))
            #expect(dated.contains("Tell me when there is something"))
            // Where no day is said, those around now are meant, as in the list.
            let today = WallTime(at: Date(), in: Self.zone).day
            let now = try await visitor.get(search).text
            #expect([today, today + 1].contains { now.contains("\(ends)&amp;day=\($0.text)&amp;time=") })
            #expect(!(try await visitor.get("\(search)&seats=9").text.contains("/wanted/new")))
        }
    }

    @Test func it_is_said_made_and_listed() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            door.knowPlaces()
            let maya = try await door.join("Maya")
            let address =
                "/wanted/new?of=rides&from=60.17,24.95%20Here&to=60.4,25.1%20Harbour&day=\(Self.day.text)&seats=2"
            let page = try await maya.get(address)
            let date = CivilText.full(Self.day, in: PageRenderingTests.english)
            #expect(page.status == 200 && page.text.contains("A ride from Here to Harbour, \(date), 2 seats"))
            #expect(page.text.contains("About three a week") && page.text.contains("href=\"/rides/search?from="))
            let made = try await maya.post("/wanted/new", page.text.kept)
            #expect(made["Location"]?.hasSuffix("?done=made") == true)
            let kept = try #require(try door.services.done(MatchingMethods.postWanted).first).content.query
            #expect(try kept == Self.wanted { $0.seats = 2 })
            // From then on its ends are called as Places calls them.
            let list = try await maya.get("/wanted").text
            #expect(list.contains("A ride from Testholm to ") && list.contains("icons.svg#ride"))
            let own = try await maya.get(try #require(searches.all.value.first).path).text
            #expect(own.contains("href=\"/rides/search?from=60.17%2C24.95%20Testholm"))
            // Without a day nobody is told.
            let unread = try await maya.get("/wanted/new?of=rides&from=60.17,24.95%20Here&to=60.4,25.1%20Harbour")
            #expect(unread.status == 422 && unread.text.contains("On which day?"))
            door.services.refuse(
                MatchingMethods.estimateWanted, .invalid([FieldError("query", "too_wide", "No.")]))
            let wide = try await maya.get(address)
            #expect(wide.status == 422 && wide.text.contains("That would be too many a day. Choose less extra way."))
            #expect(!wide.text.contains("a day</p>"))
            let less = "href=\"\(address.replacing(",", with: "%2C").replacing("&", with: "&amp;"))&amp;extra=2000\">"
            #expect(wide.text.contains(less + "At most 2 km extra</a>"))
        }
    }

    @Test func the_fields_of_the_search_hold_what_is_looked_for() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let wanted = searches.add(
                try Self.wanted { ($0.luggage, $0.onlyFree, $0.mostExtra) = (.medium, true, 14_000) })
            let page = try await maya.get("\(wanted.path)/edit")
            for text in [
                "value=\"\(Self.day.text)\"", "<option value=\"medium\" selected>Room for a suitcase</option>",
                "name=\"free\" value=\"yes\" checked", "name=\"detour\" value=\"no\">",
                "<option value=\"10000\">10 km</option><option value=\"14000\" selected>14 km</option>",
                "60.17,24.95 60.17, 24.95",
            ] { #expect(page.text.contains(text), "\(text)") }
            let fields = [
                "key": "one", "version": "1", "from": "Here", "from.at": "60.17,24.95 Here", "to": "Harbour",
                "to.at": "60.4,25.1 Harbour", "day": Self.day.text, "time": "", "seats": "1", "luggage": "",
                "detour": "no", "extra": "20000",
            ]
            let saved = try await maya.post("\(wanted.path)/edit", fields)
            #expect(saved["Location"] == "\(wanted.path)?done=wanted.changed")
            let change = try #require(try door.services.done(MatchingMethods.changeWanted).first).content
            #expect(try change.query == Self.wanted { ($0.noDetour, $0.seats, $0.mostExtra) = (true, 1, 20_000) })
            let unread = try await maya.post("\(wanted.path)/edit", fields.merging(["day": "", "key": "two"]) { $1 })
            #expect(unread.status == 422 && unread.text.contains("id=\"day-error\">On which day?"))
        }
    }

    @Test func hours_stay_until_the_day_or_the_time_is_changed() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let begin = try #require(Zone.named(Self.zone)).start(of: Self.day)
            let hours = (after: begin + 17 * 3600, before: begin + 26 * 3600)
            let wanted = searches.add(try Self.wanted { ($0.after, $0.before) = (hours.after, hours.before) })
            let path = "\(wanted.path)/edit"
            let page = try await maya.get(path).text
            let date = CivilText.full(Self.day, in: PageRenderingTests.english)
            #expect(page.contains("Between \(date), 17:00 and ") && page.contains(", as long as you change neither"))
            #expect(page.kept["after"] == WireJSON.text(of: hours.after))
            #expect(page.kept["before"] == WireJSON.text(of: hours.before))
            var sent = 0
            func saved(_ day: CivilDay, _ time: String) async throws -> RideSearchQuery? {
                sent += 1
                let fields = [
                    "key": "key-\(sent)", "version": "\(sent)", "from": "Here", "to": "Harbour", "day": day.text,
                    "time": time, "seats": "1", "luggage": "", "extra": "5000", "from.at": "60.17,24.95 Here",
                    "to.at": "60.4,25.1 Harbour",
                ]
                let answer = try await maya.post(path, page.kept.merging(fields) { $1 })
                #expect(answer["Location"] == "\(wanted.path)?done=wanted.changed", "\(answer.text)")
                return try door.services.done(MatchingMethods.changeWanted).last?.content.query?.rides
            }
            let same = try await saved(Self.day, "")
            #expect(same?.after == hours.after && same?.before == hours.before)
            let later = try await saved(Self.day + 1, "")
            #expect(later?.after == begin + 24 * 3600 && later?.before == begin + 48 * 3600)
            let timed = try await saved(Self.day, "08:00")
            #expect(timed?.at == begin + 8 * 3600 && timed?.after == nil)
            // A whole day is said by its field.
            let whole = searches.add(try Self.wanted())
            let form = try await maya.get("\(whole.path)/edit").text
            #expect(form.kept["after"] == nil && !form.contains("as long as you change neither"))
        }
    }

    @Test func a_ride_that_was_found_says_so() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let (wanted, ride) = (searches.add(try Self.wanted { $0.seats = 2 }), Ride.sample())
            searches.finds.mutate { $0 = [WantedFind(at: Date(), ShelfItem(ride))] }
            let own = try await maya.get(wanted.path).text
            // It begins near the point that was said; to the other one its driver would come by.
            let part = "to=60.4%2C25.1%2060.4%2C%2025.1&amp;seats=2"
            #expect(own.contains("href=\"/rides/\(ride.id)?\(part)&amp;found=yes\""))
            #expect(own.contains("data-found=\"\(ride.id)\""))
            // Whose driver goes no other way lets people out at stops alone.
            searches.finds.mutate { $0 = [WantedFind(at: Date(), ShelfItem(Ride.sample { $0.detourLeft = 0 }))] }
            #expect(!(try await maya.get(wanted.path).text.contains("?to=60.4")))
            door.show(ride)
            let page = try await maya.get("/rides/\(ride.id)?found=yes").text
            #expect(page.contains("You were looking for this") && page.contains("action=\"\(wanted.path)/found\""))
            #expect(!(try await maya.get("/rides/\(ride.id)").text.contains("You were looking for this")))
        }
    }

    @Test func what_ends_by_its_day_is_not_renewed() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let query = try Self.wanted()
            let end = try #require(query.rides?.before)
            let wanted = searches.add(query) { $0.expiresAt = end }
            #expect(!(try await maya.get(wanted.path).text.contains("\(wanted.path)/renew")))
            // Before that it ends as every search does.
            let long = searches.add(query) { $0.expiresAt = end - 10 * 86_400 }
            #expect(try await maya.get(long.path).text.contains("\(long.path)/renew"))
            let first = try #require(searches.all.value.last)
            try searches.change(first.id) { ($0.state, $0.expiresAt) = (.ended, end) }
            let over = try await maya.get(first.path).text
            #expect(over.contains("its time is over") && !over.contains("/renew\""))
            #expect(over.contains(">Search again</a>") && over.contains("href=\"/rides/search?from="))
            #expect(!over.contains("day=\(Self.day.text)"))
        }
    }

    @Test func what_is_looked_for_is_one_sentence() throws {
        let (english, german) = (PageRenderingTests.english, PageRenderingTests.german)
        let clocks = try #require(Zone.named(Self.zone))
        let begin = clocks.start(of: Self.day)
        let whole = try Self.wanted()
        let date = (CivilText.full(Self.day, in: english), CivilText.full(Self.day, in: german))
        #expect(try sentence(whole, english) == "A ride from Testholm to 60.4, 25.1, \(date.0)")
        #expect(try sentence(whole, german) == "Eine Fahrt von Testholm nach 60.4, 25.1, \(date.1)")
        let moment = try Self.wanted {
            ($0.after, $0.before, $0.at, $0.seats) = (nil, nil, begin + 17 * 3600, 3)
            ($0.luggage, $0.onlyFree, $0.noDetour, $0.onlyVerified) = (.small, true, true, true)
            $0.mostExtra = 5000
        }
        #expect(
            try sentence(moment, english)
                == "A ride from Testholm to 60.4, 25.1, \(date.0), about 17:00, 3 seats, room for a bag, with free seats, without a detour, at most 5 km extra, with verified drivers"
        )
        let little = try Self.wanted { $0.mostExtra = 1500 }
        #expect(
            try sentence(little, german)
                == "Eine Fahrt von Testholm nach 60.4, 25.1, \(date.1), höchstens 1,5 km zusätzlich")
        let window = try Self.wanted { ($0.after, $0.before) = (begin + 3600, begin + 7200) }
        #expect(
            try sentence(window, english)
                == "A ride from Testholm to 60.4, 25.1, between \(date.0), 01:00 and \(date.0), 02:00")
    }
}
