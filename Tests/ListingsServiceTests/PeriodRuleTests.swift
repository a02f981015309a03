import FoundationEssentials
import Testing

@testable import ListingsService
@testable import WireProtocol

/// What can be asked for, wherever clocks are turned.
@Suite struct PeriodRuleTests {
    static let zones = [
        "Europe/Helsinki", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "Antarctica/Troll",
        "Asia/Singapore", "America/Asuncion", "Africa/Cairo", "Asia/Beirut",
    ]

    /// All that is wrong, as `field: code`.
    private func wrong(
        _ from: String, _ until: String, _ unit: RentalUnit, in name: String, at now: String,
        _ limits: RentalLimits = rentalLimits
    ) throws -> [String] {
        let (zone, now) = (try #require(Zone.named(name)), try #require(WireJSON.date(from: now)))
        do throws(RentalError) {
            let period = try RentalPeriod(PeriodDraft(from: from, until: until), unit: unit, in: zone)
            return period.errors(by: unit, in: zone, at: now, within: limits).map { "\($0.field): \($0.code)" }
        } catch {
            guard case .invalid(let errors) = error else { return ["\(error)"] }
            return errors.map { "\($0.field): \($0.code)" }
        }
    }

    /// A day is over when the next one begins, however long it was; an hour too.
    @Test(arguments: [
        // 23 hours: half past midnight of the day after.
        ("2027-03-28", "2027-03-30", RentalUnit.day, "Europe/Helsinki", "2027-03-28T21:30:00.000Z", true),
        ("2027-03-29", "2027-03-30", .day, "Europe/Helsinki", "2027-03-28T21:30:00.000Z", false),
        // 25 hours: the last of them.
        ("2027-10-31", "2027-10-31", .day, "Europe/Helsinki", "2027-10-31T21:30:00.000Z", false),
        ("2027-10-31", "2027-10-31", .day, "Europe/Helsinki", "2027-10-31T22:00:00.000Z", true),
        // An hour that clocks show twice.
        ("2027-10-31T03:00", "2027-10-31T05:00", .hour, "Europe/Helsinki", "2027-10-31T01:30:00.000Z", false),
        ("2027-10-31T03:00", "2027-10-31T05:00", .hour, "Europe/Helsinki", "2027-10-31T02:00:00.000Z", true),
        // Half of one.
        ("2027-04-04T01:00", "2027-04-04T03:00", .hour, "Australia/Lord_Howe", "2027-04-03T15:10:00.000Z", false),
        ("2027-04-04T01:00", "2027-04-04T03:00", .hour, "Australia/Lord_Howe", "2027-04-03T15:30:00.000Z", true),
        ("2026-12-01", "2026-12-01", .day, "Asia/Singapore", "2026-12-01T15:59:59.000Z", false),
        ("2026-12-01", "2026-12-01", .day, "Asia/Singapore", "2026-12-01T16:00:00.000Z", true),
    ])
    func whatIsOverIsOver(
        from: String, until: String, unit: RentalUnit, zone: String, now: String, isOver: Bool
    ) throws {
        #expect(try wrong(from, until, unit, in: zone, at: now) == (isOver ? ["from: past"] : []))
    }

    /// So many days of the calendar there: the moment of the day, and clocks that are turned meanwhile, change nothing.
    @Test(arguments: [
        ("Europe/Helsinki", "2026-12-01T21:59:00.000Z", "2027-05-30"),
        ("Europe/Helsinki", "2026-12-01T22:01:00.000Z", "2027-05-31"),
        ("Asia/Singapore", "2026-12-01T15:59:00.000Z", "2027-05-30"),
        ("Australia/Lord_Howe", "2026-12-01T12:59:00.000Z", "2027-05-30"),
    ])
    func nothingBeginsBeyondTheLastDay(zone: String, now: String, last: String) throws {
        var limits = rentalLimits
        limits.farthest = 180 * 86400
        let day = try #require(CivilDay(last))
        let (next, end) = ((day + 1).text, (day + 3).text)
        #expect(try wrong(last, end, .day, in: zone, at: now, limits) == [])
        #expect(try wrong("\(last)T23:00", "\(next)T02:00", .hour, in: zone, at: now, limits) == [])
        #expect(try wrong(next, end, .day, in: zone, at: now, limits) == ["from: too_late"])
        #expect(try wrong("\(next)T00:00", "\(next)T02:00", .hour, in: zone, at: now, limits) == ["from: too_late"])
    }

    @Test(arguments: [
        ("2027-10-03T02:00", "2027-10-03T05:00", RentalUnit.hour, "Australia/Lord_Howe", "from: no_such_time"),
        ("2027-03-28T01:00", "2027-03-28T05:00", .hour, "Antarctica/Troll", "from: no_such_time"),
        ("2027-03-28T02:00", "2027-03-28T05:00", .hour, "Antarctica/Troll", "from: no_such_time"),
        ("2026-04-24T00:00", "2026-04-24T05:00", .hour, "Africa/Cairo", "from: no_such_time"),
        ("2027-03-28T00:00", "2027-03-28T05:00", .hour, "Asia/Beirut", "from: no_such_time"),
        ("2011-12-30", "2011-12-31", .day, "Pacific/Apia", "from: no_such_day"),
        ("2011-12-30T10:00", "2011-12-31T11:00", .hour, "Pacific/Apia", "from: no_such_time"),
    ])
    func whatDoesNotExistCannotBeBegun(
        from: String, until: String, unit: RentalUnit, zone: String, code: String
    ) throws {
        #expect(try wrong(from, until, unit, in: zone, at: "2011-12-01T00:00:00.000Z") == [code])
    }

    @Test func aDayThatThereWasNotIsNotPaidFor() throws {
        let apia = try #require(Zone.named("Pacific/Apia"))
        let three = try RentalPeriod(PeriodDraft(from: "2011-12-29", until: "2011-12-31"), unit: .day, in: apia)
        #expect(three.units == 2 && three.endsAt.timeIntervalSince(three.startsAt) == 2 * 86400)
        let night = try RentalPeriod(
            PeriodDraft(from: "2011-12-29T22:00", until: "2011-12-31T02:00"), unit: .hour, in: apia)
        #expect(night.units == 4)
    }

    /// Round each change of the clocks: a day's hours are its hours, none is in two, and what ends is where the next one begins.
    @Test(arguments: zones)
    func daysAndHoursFollowEachOther(name: String) throws {
        let zone = try #require(Zone.named(name))
        let begin = ["Pacific/Apia": "2011-06-01", "America/Asuncion": "2023-01-01"][name] ?? "2026-06-01"
        let first = try #require(CivilDay(begin))
        for day in (0..<700).map({ first + $0 }) where zone.has(day) {
            let (start, end) = (zone.start(of: day), zone.start(of: day + 1))
            let whole = try RentalPeriod(PeriodDraft(from: day.text, until: day.text), unit: .day, in: zone)
            #expect(whole.units == 1 && whole.startsAt == start && whole.endsAt == end)
            guard end.timeIntervalSince(start) != 86400 else { continue }
            let hours = (0..<24).compactMap { hour -> RentalPeriod? in
                let draft = PeriodDraft(
                    from: WallTime(day, hour: hour).text, until: WallTime(day, hour: hour + 1).text)
                return try? RentalPeriod(draft, unit: .hour, in: zone)
            }
            #expect(hours.first?.startsAt == start && hours.last?.endsAt == end, "\(day.text)")
            for (one, next) in zip(hours, hours.dropFirst()) {
                // Of an hour of which there is but a half, there is none that begins with it.
                let isWhole = name != "Australia/Lord_Howe"
                #expect(isWhole ? one.endsAt == next.startsAt : one.endsAt <= next.startsAt, "\(one.from)")
            }
        }
    }

    /// Days that are looked for begin with the first hour that there is.
    @Test(arguments: [
        ("Africa/Cairo", "2026-04-24", "2026-04-24T01:00", "2026-04-25T00:00"),
        ("Asia/Beirut", "2027-03-28", "2027-03-28T01:00", "2027-03-29T00:00"),
        ("America/Asuncion", "2023-10-01", "2023-10-01T01:00", "2023-10-02T00:00"),
        ("Europe/Helsinki", "2027-10-31", "2027-10-31T00:00", "2027-11-01T00:00"),
        ("Pacific/Apia", "2011-12-30", "2011-12-30T00:00", "2011-12-31T00:00"),
    ])
    func daysAreReadAsHours(name: String, day: String, from: String, until: String) throws {
        let zone = try #require(Zone.named(name))
        var errors: [FieldError] = []
        let wish = try #require(PeriodWish(from: day, until: day, &errors))
        #expect(wish.draft(by: .hour, in: zone) == PeriodDraft(from: from, until: until))
        #expect(wish.draft(by: .day, in: zone) == PeriodDraft(from: day, until: day))
        #expect(errors.isEmpty)
    }

    @Test func hoursAreReadAsTheDaysOfWhichTheyHaveSomething() throws {
        let zone = try #require(Zone.named("Asia/Singapore"))
        var errors: [FieldError] = []
        for (from, until, days) in [
            ("2026-12-01T20:00", "2026-12-02T00:00", ["2026-12-01", "2026-12-01"]),
            ("2026-12-01T20:00", "2026-12-02T01:00", ["2026-12-01", "2026-12-02"]),
            ("2026-12-01", "2026-12-03T01:00", ["2026-12-01", "2026-12-03"]),
        ] {
            let draft = try #require(PeriodWish(from: from, until: until, &errors)).draft(by: .day, in: zone)
            #expect([draft.from, draft.until] == days)
        }
        for (from, until, codes) in [
            ("soon", "later", ["from: not_a_day", "until: not_a_day"]), ("2026-12-01", "x", ["until: not_a_day"]),
            ("2026-12-02", "2026-12-01", ["until: before_from"]),
        ] {
            var errors: [FieldError] = []
            #expect(PeriodWish(from: from, until: until, &errors) == nil)
            #expect(errors.map { "\($0.field): \($0.code)" } == codes)
        }
        #expect(PeriodWish(from: nil, until: nil, &errors) == nil && errors.isEmpty)
    }
}
