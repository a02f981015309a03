import Foundation
import Testing
import WireProtocol

@testable import NotificationService

/// When something rings, on the clocks of people in different places.
@Suite struct NoticeTimeTests {
    private let berlin = WallClock(named: "Europe/Berlin")!

    private func at(_ text: String) -> Date { try! Date(text, strategy: .iso8601) }
    private func quiet(_ from: String, _ to: String) -> QuietTimes {
        QuietTimes(from: TimeOfDay(from)!, to: TimeOfDay(to)!)
    }

    @Test func what_many_are_told_of_goes_before_nothing_that_one_waits_for() {
        let policy = NoticePolicy()
        #expect(policy.pushLead(of: .message) == 600 && policy.pushLead(of: .matchOffered) > 600)
        for kind in [InboxNoticeKind.spotFound, .thingFound, .rideFound, .delivererFound, .wantedDue] {
            #expect(policy.pushLead(of: kind) == 0, "\(kind)")
        }
    }

    @Test func times_of_day_are_read_in_one_spelling() {
        #expect(TimeOfDay("07:05")?.minute == 425 && TimeOfDay("00:00")?.minute == 0)
        #expect(TimeOfDay("23:59")?.text == "23:59" && TimeOfDay(minute: 65)?.text == "01:05")
        for text in ["7:05", "24:00", "12:60", "+1:00", "-1:00", "12:+1", "12-00", "1200", "", "12:000", "１２:00"] {
            #expect(TimeOfDay(text) == nil, "\(text)")
        }
        #expect(TimeOfDay(minute: 1440) == nil && TimeOfDay(minute: -1) == nil)
    }

    @Test func time_zones_have_the_names_of_IANA() {
        for name in ["Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires", "Asia/Singapore"] {
            #expect(WallClock(named: name) != nil, "\(name)")
        }
        for name in ["", "Berlin", "CET", "GMT+5", "Europe/Nowhere", "../etc/passwd", "Europe/Berlin\n", "/"] {
            #expect(WallClock(named: name) == nil, "\(name)")
        }
    }

    @Test(
        arguments: [
            // From, to, the moment, the end.
            ("22:00", "07:00", "2026-06-01T20:30:00Z", "2026-06-02T05:00:00Z"),  // 22:30 in Berlin
            ("22:00", "07:00", "2026-06-02T04:59:59Z", "2026-06-02T05:00:00Z"),
            ("22:00", "07:00", "2026-06-02T05:00:00Z", nil),
            ("22:00", "07:00", "2026-06-01T19:59:59Z", nil),
            ("12:00", "14:00", "2026-06-01T11:00:00Z", "2026-06-01T12:00:00Z"),
            ("12:00", "14:00", "2026-06-01T12:00:00Z", nil),
            // The night of 23 hours: the clock goes from 02:00 to 03:00.
            ("22:00", "07:00", "2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z"),
            // There is no 02:30 in it.
            ("22:00", "02:30", "2026-03-28T22:00:00Z", "2026-03-29T01:30:00Z"),
            ("22:00", "02:30", "2026-03-29T00:45:00Z", "2026-03-29T01:30:00Z"),
            // The night of 25 hours.
            ("22:00", "07:00", "2026-10-24T21:00:00Z", "2026-10-25T06:00:00Z"),
            // 02:10 the second time.
            ("22:00", "02:30", "2026-10-25T01:10:00Z", "2026-10-25T01:30:00Z"),
        ] as [(String, String, String, String?)])
    func quiet_hours_end_by_the_clock_on_the_wall(_ from: String, _ to: String, _ moment: String, _ end: String?) {
        #expect(berlin.end(of: quiet(from, to), at: at(moment)) == end.map(at))
    }

    @Test func quiet_hours_always_end_later_and_are_over_then() {
        for zone in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"] {
            let clock = WallClock(named: zone)!
            let hours = quiet("21:15", "02:15")
            for quarter in 0..<(366 * 96) where quarter % 7 == 0 {
                let moment = at("2026-01-01T00:00:00Z") + Double(quarter) * 900
                guard let end = clock.end(of: hours, at: moment) else { continue }
                #expect(end > moment && end <= moment + 7 * 3600, "\(zone) \(moment)")
                #expect(!hours.contains(clock.minute(at: end)), "\(zone) \(moment)")
            }
        }
    }

    @Test(arguments: [
        (18, "2026-06-01T15:59:00Z", "2026-06-01T16:00:00Z"),
        (18, "2026-06-01T16:00:00Z", "2026-06-02T16:00:00Z"),
        (0, "2026-06-01T21:30:00Z", "2026-06-01T22:00:00Z"),
        // Over both changes of the clock.
        (18, "2026-03-28T18:00:00Z", "2026-03-29T16:00:00Z"),
        (18, "2026-10-24T18:00:00Z", "2026-10-25T17:00:00Z"),
        // There is no hour 2 on that day: at three, and once.
        (2, "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"),
        (2, "2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z"),
        (2, "2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"),
    ])
    func the_daily_mail_comes_at_the_hour_of_the_wall(_ hour: Int, _ after: String, _ next: String) {
        let found = berlin.next(hour: hour, after: at(after))
        #expect(found == at(next), "\(found)")
        #expect(found > at(after))
    }

    // MARK: Preferences

    private var policy: NoticePolicy { NoticePolicy() }

    private func preferences(_ change: (inout NoticePreferences) -> Void = { _ in }) -> NoticePreferences {
        var preferences = NoticePreferences(timeZone: "Europe/Berlin", clock: berlin)
        change(&preferences)
        return preferences
    }

    @Test func a_mail_waits_for_its_delay_for_absence_and_for_the_morning() {
        let (happened, night) = (at("2026-06-01T12:00:00Z"), at("2026-06-01T20:30:00Z"))
        func time(_ preferences: NoticePreferences, _ happened: Date, seen: Date? = nil, now: Date? = nil) -> Date? {
            preferences.mailTime(of: .message, at: happened, seen: seen, now: now ?? happened, policy)
        }
        #expect(time(preferences(), happened) == happened + 600)
        #expect(time(preferences(), happened, seen: happened + 590) == happened + 890)
        #expect(time(preferences(), happened, seen: happened - 86_400) == happened + 600)
        let sleeper = preferences { $0.quiet = quiet("22:00", "07:00") }
        #expect(time(sleeper, night) == at("2026-06-02T05:00:00Z"))
        // What was due before, and is looked at late.
        #expect(time(sleeper, happened, now: night) == at("2026-06-02T05:00:00Z"))
        #expect(time(preferences { $0.mail = .daily }, happened) == at("2026-06-01T16:00:00Z"))
        #expect(time(preferences { $0.mail = .never }, happened) == nil)
        let without = preferences { $0.choices[.message] = NoticeChoice(kind: .message, mail: false, push: true) }
        #expect(time(without, happened) == nil)
        #expect(preferences().mailTime(of: .account, at: happened, seen: nil, now: happened, policy) == nil)
        #expect(preferences().mailTime(of: .spotClaimed, at: happened, seen: nil, now: happened, policy) == nil)
        #expect(
            sleeper.pushTime(of: .spotClaimed, at: night, seen: nil, now: night, policy) == at("2026-06-02T05:00:00Z"))
        #expect(sleeper.pushTime(of: .account, at: happened, seen: happened, now: happened, policy) == happened + 90)
        // Who is asked to bring something has a minute, and has said that they are there.
        #expect(sleeper.pushTime(of: .matchOffered, at: night, seen: night, now: night, policy) == night)
        #expect(sleeper.pushAgainTime(of: .matchOffered, now: night) == night)
        let none = NoticeChoice(kind: .matchOffered, mail: false, push: false)
        let deaf = preferences { $0.choices[.matchOffered] = none }
        #expect(deaf.pushTime(of: .matchOffered, at: night, seen: nil, now: night, policy) == nil)
    }

    @Test func a_change_says_everything_that_is_wrong_and_keeps_what_it_leaves_out() throws {
        let before = preferences { $0.choices[.message] = NoticeChoice(kind: .message, mail: false, push: false) }
        var wanted = before.answer
        #expect(wanted.kinds.map(\.kind) == InboxNoticeKind.allCases)
        wanted.kinds = [NoticeChoice(kind: .spotClaimed, mail: true, push: true)]
        wanted.quiet = QuietHours(from: "22:00", to: "06:30")
        let next = try before.changed(to: wanted)
        #expect(next.choice(.message).push == false && next.choice(.spotClaimed).mail)
        #expect(next.answer.quiet == wanted.quiet && next.timeZone == "Europe/Berlin")
        wanted.kinds = [
            NoticeChoice(kind: .account, mail: true, push: true), NoticeChoice(kind: .message, mail: true, push: true),
            NoticeChoice(kind: .message, mail: true, push: true),
        ]
        wanted.digestHour = 24
        wanted.quiet = QuietHours(from: "22", to: "25:00")
        wanted.timeZone = "Middle/Earth"
        let error = #expect(throws: ServiceError.self) { try before.changed(to: wanted) }
        #expect(
            error?.errors.map(\.field) == [
                "kinds[0].mail", "kinds[2].kind", "digestHour", "quiet.from", "quiet.to", "timeZone",
            ])
        wanted = before.answer
        wanted.quiet = QuietHours(from: "07:00", to: "07:00")
        let same = #expect(throws: ServiceError.self) { try before.changed(to: wanted) }
        #expect(same?.errors.map(\.field) == ["quiet.to"])
    }

    @Test func a_change_that_was_made_up_from_something_else_is_not_made() throws {
        let before = preferences()
        var wanted = before.answer
        wanted.mail = .never
        let after = try before.changed(to: wanted)
        wanted.mail = .daily
        let error = #expect(throws: ServiceError.self) { try after.changed(to: wanted) }
        #expect(error == .changedMeanwhile(after.answer.version) && after.answer.version != wanted.version)
        wanted.version = after.answer.version
        #expect(try after.changed(to: wanted).mail == .daily)
        wanted.version = nil
        #expect(try before.changed(to: wanted).mail == .daily)
        // Nothing is taken back by what is so already.
        wanted = after.answer
        wanted.version = before.answer.version
        #expect(try after.changed(to: wanted) == after)
    }
}
