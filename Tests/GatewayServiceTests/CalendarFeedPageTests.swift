import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// The calendar that programs read, and the page on which one has its address.
@Suite struct CalendarFeedPageTests {
    private static let noon = Date(timeIntervalSince1970: 1_790_000_000)

    private static func entry(
        _ title: String = "Blue van", _ state: CalendarEntry.State = .confirmed, days: CalendarEntry.Days? = nil,
        place: String? = nil
    ) -> CalendarEntry {
        CalendarEntry(
            id: ID(UUID(uuidString: "00000000-0000-7000-8000-0000000000aa") ?? UUID()), kind: .rental, state: state,
            title: title, role: .renter, with: PersonSummary(id: .nobody, name: "Maya Tan"), startsAt: noon,
            endsAt: noon + 7200, days: days, place: place, link: "/rentals/1", changedAt: noon - 60)
    }

    private static func lines(_ entries: [CalendarEntry]) throws -> [String] {
        let catalogues = Catalogues(in: GatewayResources())
        let file = CalendarFile(
            name: "Test, holm", publicURL: "https://share.example", words: catalogues.words(for: "en"))
        let text = String(decoding: file.bytes(of: entries), as: UTF8.self)
        #expect(text.hasSuffix("END:VCALENDAR\r\n"))
        let parts = text.replacing("\r\n ", with: "").split(separator: "\r\n").map { String($0) }
        return parts
    }

    @Test func hours_are_in_utc_and_days_end_where_the_next_one_begins() throws {
        let hours = try Self.lines([Self.entry()])
        #expect(hours.contains("DTSTART:20260921T141320Z") && hours.contains("DTEND:20260921T161320Z"))
        #expect(hours.contains("UID:00000000-0000-7000-8000-0000000000aa") && hours.contains("STATUS:CONFIRMED"))
        #expect(hours.contains("DTSTAMP:20260921T141220Z") && hours.contains("X-WR-CALNAME:Test\\, holm"))
        #expect(hours.contains("URL:https://share.example/rentals/1"))
        let days = try Self.lines([Self.entry(days: .init(first: "2026-12-30", last: "2026-12-31"))])
        #expect(days.contains("DTSTART;VALUE=DATE:20261230") && days.contains("DTEND;VALUE=DATE:20270101"))
    }

    @Test func a_ride_says_who_drives() throws {
        var entry = CalendarEntry(
            id: .new(), kind: .ride, state: .confirmed, title: "Mill → Harbour", isDriving: false,
            with: PersonSummary(id: .nobody, name: "Maya Tan"), startsAt: Self.noon, endsAt: Self.noon + 3600,
            place: "Mill, Door 3", link: "/rides/1", changedAt: Self.noon)
        let riding = try Self.lines([entry])
        for line in [
            "SUMMARY:Mill → Harbour\\, with Maya Tan", "DESCRIPTION:Agreed.\\nhttps://share.example/rides/1",
            "LOCATION:Mill\\, Door 3",
        ] { #expect(riding.contains(line), "\(line)") }
        (entry.isDriving, entry.with) = (true, nil)
        let driving = try Self.lines([entry])
        #expect(driving.contains("SUMMARY:Mill → Harbour\\, you drive"))
        #expect(driving.contains("DESCRIPTION:You drive.\\nhttps://share.example/rides/1"))
        entry.state = .cancelled
        #expect(try Self.lines([entry]).contains("DESCRIPTION:Cancelled.\\nhttps://share.example/rides/1"))
    }

    @Test func what_changed_says_when_and_how_often() throws {
        var entry = Self.entry()
        #expect(try Self.lines([entry]).contains("SEQUENCE:0"))
        (entry.changedAt, entry.sequence) = (Self.noon, 3)
        let lines = try Self.lines([entry])
        for line in ["SEQUENCE:3", "DTSTAMP:20260921T141320Z", "LAST-MODIFIED:20260921T141320Z"] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test func nothing_that_people_write_ends_a_line() throws {
        let hostile = "A; b, c\\d\r\nBEGIN:VEVENT\u{0B}\u{85}"
        let lines = try Self.lines([Self.entry(hostile, .cancelled, place: hostile)])
        #expect(lines.contains("STATUS:CANCELLED"))
        #expect(lines.filter { $0 == "BEGIN:VEVENT" }.count == 1)
        #expect(lines.contains { $0.hasPrefix("LOCATION:A\\; b\\, c\\\\d\\nBEGIN:VEVENT") })
    }

    @Test func no_line_is_longer_than_75_octets_and_no_character_is_cut() throws {
        for text in [
            String(repeating: "ä", count: 200), String(repeating: "車", count: 99), String(repeating: "🚲x", count: 50),
        ] {
            let bytes = CalendarFile.folded("SUMMARY:" + text)
            let lines = bytes.split(separator: 10).map { Array($0.dropLast()) }
            let longest = lines.map(\.count).max() ?? 0
            #expect(longest <= 75 && longest > 70)
            for line in lines { #expect(String(validating: line, as: UTF8.self) != nil) }
            let whole = String(decoding: bytes, as: UTF8.self).replacing("\r\n ", with: "")
            #expect(whole == "SUMMARY:\(text)\r\n")
        }
    }

    @Test func a_calendar_without_entries_has_a_component() throws {
        #expect(try Self.lines([]).contains("BEGIN:VTIMEZONE"))
    }

    /// From now on that token leads to somebody's calendar, and no other does.
    private static func know(_ token: String?, at door: PageDoor) {
        door.services.on(AuthMethods.calendarFeed) { _ in
            guard let token else { throw ServiceError.notFound("calendar") }
            return CalendarFeed(path: "/calendar/\(token).ics", madeAt: noon)
        }
        door.services.on(AuthMethods.calendarOwner) { request in
            guard request.parameters.token == token else { throw ServiceError.notFound("calendar") }
            return CalendarOwner(person: .nobody, language: "de")
        }
    }

    @Test func one_has_an_address_makes_it_anew_and_ends_it() async throws {
        try await PageDoor.run { door in
            let (first, second) = ("/calendar/of-maya-1.ics", "/calendar/of-maya-2.ics")
            Self.know(nil, at: door)
            door.services.answer(AuthMethods.renewCalendarFeed, CalendarFeed(path: first, madeAt: Self.noon))
            door.services.answer(AuthMethods.endCalendarFeed, Nothing())
            let maya = try await door.join("Maya")
            let none = try await maya.get("/me/calendar").text
            #expect(none.contains("Make an address") && !none.contains(".ics"))
            let made = try await maya.post("/me/calendar", ["key": Visit.newKey(), "do": "renew"])
            #expect(made["Location"] == "/me/calendar?done=calendarMade")
            Self.know("of-maya-1", at: door)
            let page = try await maya.get("/me/calendar").text
            #expect(page.contains("http://share.example\(first)") && page.contains("webcal://share.example\(first)"))

            door.services.answer(
                PeerRole.listings.methods.calendarEntries, Page(items: [Self.entry(place: "By the well")]))
            let stranger = PageVisitor(port: door.port)
            let file = try await stranger.get(first)
            #expect(file.status == 200 && file["Content-Type"] == "text/calendar; charset=utf-8")
            #expect(
                file["Cache-Control"]?.hasPrefix("private") == true && file.text.contains("Blue van\\, von Maya Tan"))
            let tag = try #require(file["ETag"])
            #expect(try await stranger.get(first, [("If-None-Match", tag)]).status == 304)
            func named(_ path: String) -> String {
                "/v1/calendar.ics?token=\(path.dropFirst("/calendar/".count).dropLast(".ics".count))"
            }
            let same = try await stranger.get(named(first))
            #expect(same.status == 200 && same.text == file.text && same["ETag"] == tag)
            for header in ["Content-Type", "Cache-Control", "Content-Disposition", "Referrer-Policy"] {
                #expect(same[header] == file[header], "\(header)")
            }
            #expect(try await stranger.get(named(first), [("If-None-Match", tag)]).status == 304)

            _ = try await maya.post("/me/calendar", ["key": Visit.newKey(), "do": "renew"])
            #expect(try door.services.asked(AuthMethods.renewCalendarFeed).count == 2)
            Self.know("of-maya-2", at: door)
            #expect(try await stranger.get(first).status == 404)
            for gone in [named(first), "/v1/calendar.ics", "/v1/calendar.ics?token=nonsense"] {
                let answer = try await stranger.get(gone)
                #expect(answer.status == 404 && answer["Content-Type"] == "application/problem+json", "\(gone)")
            }
            #expect(try await stranger.get(second).status == 200)
            #expect(try await stranger.get(String(second.dropLast(4))).status == 404)
            _ = try await maya.post("/me/calendar", ["key": Visit.newKey(), "do": "end"])
            #expect(try door.services.asked(AuthMethods.endCalendarFeed).count == 1)
            Self.know(nil, at: door)
            #expect(try await stranger.get(second).status == 404)
            #expect(try await stranger.get("/calendar/nonsense.ics").status == 404)
        }
    }
}
