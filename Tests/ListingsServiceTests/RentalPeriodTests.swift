import FoundationEssentials
import Testing

@testable import ListingsService
@testable import WireProtocol

@Suite("Days and hours")
struct RentalPeriodTests {
    private func period(_ from: String, _ until: String, _ unit: RentalUnit, _ zone: String) throws -> RentalPeriod {
        try RentalPeriod(PeriodDraft(from: from, until: until), unit: unit, in: #require(Zone.named(zone)))
    }

    private func utc(_ text: String) -> Date? { WireJSON.date(from: text) }

    @Test func daysAreFromMidnightToMidnightThere() throws {
        let four = try period("2026-12-01", "2026-12-04", .day, "Asia/Singapore")
        #expect(four.units == 4)
        #expect(four.startsAt == utc("2026-11-30T16:00:00Z"))
        #expect(four.endsAt == utc("2026-12-04T16:00:00Z"))
    }

    @Test func daysOf23And25HoursAreDays() throws {
        let spring = try period("2026-03-29", "2026-03-29", .day, "Europe/Berlin")
        #expect(spring.units == 1)
        #expect(spring.endsAt.timeIntervalSince(spring.startsAt) == 23 * 3600)
        let autumn = try period("2026-10-25", "2026-10-25", .day, "Europe/Berlin")
        #expect(autumn.endsAt.timeIntervalSince(autumn.startsAt) == 25 * 3600)
    }

    @Test func hoursThatPassAreCounted() throws {
        let usual = try period("2026-12-01T14:00", "2026-12-01T18:00", .hour, "Europe/Helsinki")
        #expect(usual.units == 4)
        #expect(usual.startsAt == utc("2026-12-01T12:00:00Z"))
        #expect(try period("2026-03-29T00:00", "2026-03-29T06:00", .hour, "Europe/Berlin").units == 5)
        #expect(try period("2026-10-25T00:00", "2026-10-25T06:00", .hour, "Europe/Berlin").units == 7)
        // From the first 2:00 to the second 2:00: clocks show it twice, and the period has both.
        #expect(try period("2026-10-25T02:00", "2026-10-25T03:00", .hour, "Europe/Berlin").units == 2)
    }

    /// Whatever clocks do in a night, each hour on them follows the one before, and none is in two.
    @Test(arguments: ["2026-03-29", "2026-10-25", "2026-12-01"])
    func oneHourEndsWhereTheNextOneBegins(day: String) throws {
        let hours = try (0..<5).compactMap { hour -> RentalPeriod? in
            if day == "2026-03-29", hour == 2 { return nil }  // There is none.
            return try period("\(day)T0\(hour):00", "\(day)T0\(hour + 1):00", .hour, "Europe/Berlin")
        }
        for (one, next) in zip(hours, hours.dropFirst()) { #expect(one.endsAt == next.startsAt) }
        #expect(hours.map(\.units) == hours.map { day == "2026-10-25" && $0.from.hasSuffix("02:00") ? 2 : 1 })
    }

    @Test func anHourThatClocksPassOverIsRefused() {
        let error = #expect(throws: RentalError.self) {
            try period("2026-03-29T02:00", "2026-03-29T05:00", .hour, "Europe/Berlin")
        }
        #expect(error == .invalid([FieldError("from", "no_such_time", "Clocks are put forward over this hour.")]))
    }

    @Test(arguments: [
        ("2026-12-04", "2026-12-01", RentalUnit.day), ("2026-02-30", "2026-03-01", .day),
        ("tomorrow", "2026-12-01", .day),
        ("2026-12-01T14:30", "2026-12-01T16:00", .hour), ("2026-12-01T14:00", "2026-12-01T14:00", .hour),
        ("2026-12-01T24:00", "2026-12-02T14:00", .hour), ("2026-12-01", "2026-12-02", .hour),
        ("2026-12-01T14:00", "2026-12-02T14:00", .day),
    ])
    func whatIsNoPeriodIsRefused(from: String, until: String, unit: RentalUnit) {
        #expect(throws: RentalError.self) { try period(from, until, unit, "Asia/Singapore") }
    }

    /// After the last change that the file lists, the rule at its end goes on.
    @Test func farAwayYearsFollowTheRule() throws {
        let zone = try #require(Zone.named("Europe/Berlin"))
        let summer = try #require(utc("2091-07-01T00:00:00Z")), winter = try #require(utc("2091-01-01T00:00:00Z"))
        #expect(zone.offset(at: Int(summer.timeIntervalSince1970)) == 7200)
        #expect(zone.offset(at: Int(winter.timeIntervalSince1970)) == 3600)
    }

    @Test(arguments: [
        ("CET-1CEST,M3.5.0,M10.5.0/3", 7200, 3600), ("<+08>-8", 28800, 28800),
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", 36000, 39600), ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", -7200, -10800),
    ])
    func rulesAreRead(text: String, july: Int, january: Int) throws {
        let rule = try #require(ZoneRule(text))
        #expect(rule.offset(at: 1_782_864_000) == july)
        #expect(rule.offset(at: 1_767_225_600) == january)
    }

    @Test func aDayThatBeginsLaterThanMidnight() throws {
        // In Asuncion clocks were put forward from 0:00 to 1:00.
        let zone = try #require(Zone.named("America/Asuncion"))
        let start = zone.start(of: try #require(CivilDay("2023-10-01")))
        #expect(start == utc("2023-10-01T04:00:00Z"))
    }

    @Test(arguments: ["", "Moon/Sea", "../etc/passwd", "/etc/passwd", "Asia/../Asia/Singapore", "tzdata.zi", "Asia"])
    func whatIsNoZoneIsNone(_ name: String) {
        #expect(Zone.named(name) == nil)
    }

    @Test func daysAreReadAndWritten() {
        for text in ["1970-01-01", "2000-02-29", "2026-12-31", "2100-03-01", "1969-12-31"] {
            #expect(CivilDay(text)?.text == text)
        }
        #expect(CivilDay("2100-02-29") == nil)
        #expect(WallTime("2026-12-01T14:00")?.text == "2026-12-01T14:00")
    }
}
