import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// That an agreement begins or ends: days as the thing's own calendar has them, hours with their moment.
@Suite struct RentalDueTests {
    private static let english = PageRenderingTests.english
    private static let german = PageRenderingTests.german

    private func thing(_ kind: ThingKind) -> Thing {
        Thing(
            id: .new(), kind: kind, state: .listed, title: "Yaris",
            terms: RentalTerms(unit: kind.unit, cancellation: .flexible, zone: "Asia/Singapore"),
            owner: PersonSummary(id: .new(), name: "Maya"), postedAt: Date(timeIntervalSince1970: 0), mine: false,
            action: .rent)
    }

    private func due(
        _ turn: WaitingItem.Kind, _ period: (String, String), at now: String, in words: Words = english
    ) throws -> RentalDue {
        let kind: ThingKind = period.0.contains("T") ? .parking : .car
        let rental = Rental.of(thing(kind), period.0, period.1, .accepted)
        return RentalDue(.of(rental, turn), at: try #require(WireJSON.date(from: now)), in: words)
    }

    @Test(arguments: [
        ("2026-12-01", "Begins today", "Beginnt heute"), ("2026-12-02", "Begins tomorrow", "Beginnt morgen"),
        ("2026-12-03", "Begins in 2 days", "Beginnt in 2 Tagen"),
        (
            "2026-11-30", "Began 1 day ago, and is not handed over yet",
            "Hat vor 1 Tag begonnen und ist noch nicht übergeben"
        ),
        (
            "2026-11-28", "Began 3 days ago, and is not handed over yet",
            "Hat vor 3 Tagen begonnen und ist noch nicht übergeben"
        ),
    ])
    func a_day_begins_in_plain_words(_ day: String, _ english: String, _ german: String) throws {
        // Still the 30th of November in UTC, the 1st of December in Singapore.
        let now = "2026-11-30T20:00:00.000Z"
        let due = try due(.begins, (day, "2026-12-09"), at: now)
        #expect(due.text == english && due.moment == nil)
        #expect(try self.due(.begins, (day, "2026-12-09"), at: now, in: Self.german).text == german)
    }

    @Test(arguments: [
        ("2026-12-01", "To be given back today", "Heute zurückzugeben"),
        ("2026-12-02", "To be given back tomorrow", "Morgen zurückzugeben"),
        ("2026-11-30", "Overdue for 1 day", "Seit 1 Tag überfällig"),
        ("2026-11-28", "Overdue for 3 days", "Seit 3 Tagen überfällig"),
    ])
    func a_day_ends_in_plain_words(_ day: String, _ english: String, _ german: String) throws {
        let now = "2026-12-01T15:59:00.000Z"
        #expect(try due(.ends, ("2026-11-20", day), at: now).text == english)
        #expect(try due(.ends, ("2026-11-20", day), at: now, in: Self.german).text == german)
    }

    @Test(arguments: [
        ("2026-11-30", "Ben should have given it back 1 day ago", "Ben hätte es vor 1 Tag zurückgeben sollen"),
        ("2026-11-28", "Ben should have given it back 3 days ago", "Ben hätte es vor 3 Tagen zurückgeben sollen"),
    ])
    func who_lets_it_reads_who_is_late(_ day: String, _ english: String, _ german: String) throws {
        let now = "2026-12-01T15:59:00.000Z"
        #expect(try due(.overdue, ("2026-11-20", day), at: now).text == english)
        #expect(try due(.overdue, ("2026-11-20", day), at: now, in: Self.german).text == german)
        let hours = try due(.overdue, ("2026-12-01T14:00", "2026-12-01T16:00"), at: "2026-12-01T10:00:00.000Z")
        #expect(hours.text == "Ben should have given it back" && hours.moment?.text == "2 h ago")
    }

    @Test func hours_have_their_moment() throws {
        let hours = ("2026-12-01T14:00", "2026-12-01T16:00")
        let ahead = try due(.begins, hours, at: "2026-12-01T02:00:00.000Z")
        #expect(ahead.text == "Begins" && ahead.moment?.text == "Tuesday, 06:00 UTC")
        let begun = try due(.begins, hours, at: "2026-12-01T06:20:00.000Z")
        #expect(begun.text == "Not handed over yet; it began" && begun.moment?.text == "20 min ago")
        let ends = try due(.ends, hours, at: "2026-12-01T07:00:00.000Z")
        #expect(ends.text == "To be given back" && ends.moment?.text == "Tuesday, 08:00 UTC")
        let late = try due(.ends, hours, at: "2026-12-01T10:00:00.000Z")
        #expect(late.text == "Was due back" && late.moment?.text == "2 h ago")
    }
}
