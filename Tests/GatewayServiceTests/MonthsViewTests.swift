import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// A thing's calendar: which days and hours there are, what is true of them, where they lead.
@Suite struct MonthsViewTests {
    private static let words = PageRenderingTests.english
    private static let german = PageRenderingTests.german

    private func thing(
        _ kind: ThingKind = .car, in zone: String = "Asia/Singapore", available: AvailableDays? = nil
    ) -> Thing {
        Thing(
            id: .new(), kind: kind, state: .listed, title: "Yaris", available: available,
            terms: RentalTerms(unit: kind.unit, cancellation: .flexible, zone: zone),
            owner: PersonSummary(id: .new(), name: "Maya"), postedAt: Date(timeIntervalSince1970: 0), mine: false,
            action: .rent)
    }

    private func moment(_ text: String) throws -> Date { try #require(WireJSON.date(from: text)) }

    private func view(
        _ thing: Thing, at now: String, month: String? = nil, count: Int = 2, taken: [TakenPeriod] = [],
        last: String? = nil, reach: MonthsWindow.Reach = .asking, _ purpose: MonthsView.Purpose = .look,
        chosen: MonthsView.Choice = .init(), in words: Words = words
    ) throws -> MonthsView {
        let window = MonthsWindow(of: thing, month: month, count: count, reach: reach, at: try moment(now))
        let calendar = ThingCalendar(zone: thing.terms.zone, taken: taken, last: last)
        return MonthsView(calendar, window.within(calendar), purpose, here: "/here", chosen: chosen, in: words)
    }

    private func days(_ view: MonthsView) -> [String: MonthsView.Day] {
        let all = view.months.flatMap(\.weeks).flatMap(\.days).compactMap(\.day)
        return Dictionary(uniqueKeysWithValues: all.map { ($0.date, $0) })
    }

    @Test(arguments: [
        ("2028-02", 29, "Tuesday"), ("2027-02", 28, "Monday"), ("2026-12", 31, "Tuesday"), ("2100-02", 28, "Monday"),
    ])
    func months_have_the_days_that_they_have(_ month: String, _ count: Int, _ firstDay: String) throws {
        let now = "\(month)-01T02:00:00.000Z"
        let months = try view(thing(), at: now, count: 1).months
        let all = months[0].weeks.flatMap(\.days)
        #expect(all.compactMap(\.day).count == count)
        #expect(all.count % 7 == 0 && months[0].weeks.count <= 6)
        let first = try #require(all.compactMap(\.day).first)
        #expect(first.label.hasPrefix("\(firstDay), 1 "))
        // The column says the same.
        let column = try #require(all.firstIndex { $0.day != nil })
        let names = try view(thing(), at: now, count: 1).weekdays.map(\.name)
        #expect(names[column] == firstDay)
    }

    @Test func weeks_begin_as_the_language_has_them() throws {
        let english = try view(thing(), at: "2026-12-01T00:00:00.000Z")
        let german = try view(thing(), at: "2026-12-01T00:00:00.000Z", in: Self.german)
        #expect(english.weekdays.first?.name == "Sunday" && german.weekdays.first?.name == "Montag")
        #expect(english.weekdays.map(\.short).count == 7 && german.weekdays.last?.short == "So")
        #expect(german.months[0].caption == "Dezember 2026" && german.months[1].caption == "Januar 2027")
    }

    @Test func today_is_the_thing_s_own() throws {
        // Still the 30th in New York, the 1st in Singapore.
        let now = "2026-11-30T20:00:00.000Z"
        let singapore = days(try view(thing(), at: now, month: "2026-12"))
        #expect(singapore["2026-12-01"]?.today == true)
        let newYork = days(try view(thing(in: "America/New_York"), at: now))
        #expect(newYork["2026-11-30"]?.today == true && newYork["2026-11-29"]?.state == "past")
    }

    @Test func days_are_free_taken_outside_or_over() throws {
        let taken = [TakenPeriod(from: "2026-12-05", until: "2026-12-07")]
        let offered = AvailableDays(from: "2026-12-03", until: "2027-01-10")
        let shown = try view(thing(available: offered), at: "2026-12-02T04:00:00.000Z", taken: taken)
        let days = days(shown)
        #expect(days["2026-12-01"]?.state == "past" && days["2026-12-02"]?.state == "outside")
        #expect(days["2026-12-03"]?.state == "free" && days["2026-12-04"]?.state == "free")
        let states = ["2026-12-05", "2026-12-06", "2026-12-07", "2026-12-08"].map { days[$0]?.state ?? "" }
        #expect(states == ["taken", "taken", "taken", "free"])
        #expect(days["2026-12-05"]?.label == "Saturday, 5 December 2026, taken")
        #expect(days["2027-01-10"]?.state == "free" && days["2027-01-11"]?.state == "outside")
        #expect(shown.later == nil && shown.earlier == nil)
        #expect(shown.legend.map(\.state) == ["free", "taken", "outside"])
    }

    /// What begins later is refused: it is not free. What is taken then is taken all the same.
    @Test func days_too_far_ahead_are_not_free() throws {
        let taken = [TakenPeriod(from: "2026-12-22", until: "2026-12-22")]
        func view(_ choice: MonthsView.Choice = .init(), _ kind: ThingKind = .car) throws -> MonthsView {
            try self.view(
                thing(kind), at: "2026-12-02T04:00:00.000Z", count: 1, taken: taken, last: "2026-12-20",
                .pick(path: "/t/rent"), chosen: choice)
        }
        let free = days(try view())
        #expect(free["2026-12-20"]?.state == "free" && free["2026-12-20"]?.href != nil)
        #expect(free["2026-12-21"]?.state == "beyond" && free["2026-12-21"]?.href == nil)
        #expect(free["2026-12-21"]?.label == "Monday, 21 December 2026, too far ahead")
        #expect(free["2026-12-22"]?.state == "taken" && free["2026-12-23"]?.state == "beyond")
        #expect(try view().legend.map(\.state) == ["free", "taken", "beyond"])
        // What begins in time may end later.
        let begun = days(try view(.init(from: "2026-12-20")))
        #expect(begun["2026-12-21"]?.href == "/t/rent?month=2026-12&from=2026-12-20&until=2026-12-21")
        #expect(begun["2026-12-22"]?.href == nil)
        #expect(days(try view(.init(from: "2026-12-21")))["2026-12-23"]?.href == nil)
        let hours = try #require(view(.init(day: "2026-12-21"), .parking).hours).hours
        #expect(hours.allSatisfy { $0.state == "beyond" && $0.href == nil })
        // Where listings says no last day, none is known.
        #expect(days(try self.view(thing(), at: "2026-12-02T04:00:00.000Z"))["2026-12-21"]?.state == "free")
    }

    /// Clocks that are put forward at midnight, and the day over which Samoa went to the other side of the date line.
    @Test(arguments: [
        ("Africa/Cairo", "2026-04-24", 23, "01:00 – 02:00"), ("Asia/Beirut", "2027-03-28", 23, "01:00 – 02:00"),
        ("Antarctica/Troll", "2027-03-28", 22, "00:00 – 01:00"),
        ("Australia/Lord_Howe", "2027-10-03", 23, "00:00 – 01:00"),
        ("Asia/Singapore", "2027-03-28", 24, "00:00 – 01:00"), ("Pacific/Apia", "2011-12-30", 0, ""),
    ])
    func hours_are_those_that_clocks_show(_ zone: String, _ day: String, _ count: Int, _ first: String) throws {
        let date = try #require(CivilDay(day))
        let before = "\((date + -3).text)T12:00:00.000Z"
        let shown = try view(
            thing(.parking, in: zone), at: before, month: String(day.prefix(7)), .pick(path: "/p"),
            chosen: .init(day: day))
        let hours = try #require(shown.hours).hours
        #expect(hours.count == count && (hours.first?.text ?? "") == first)
        #expect(hours.allSatisfy { $0.href != nil })
        #expect(days(shown)[day]?.state == (count == 0 ? "outside" : "free"))
    }

    /// On Troll clocks go back from 3:00 to 1:00, and in Helsinki from 4:00 to 3:00: half past comes again.
    @Test(arguments: [
        ("Antarctica/Troll", "2027-10-30T23:30:00.000Z", ["past", "free", "free", "free"]),
        ("Antarctica/Troll", "2027-10-31T01:30:00.000Z", ["past", "past", "free", "free"]),
        ("Antarctica/Troll", "2027-10-31T03:00:00.000Z", ["past", "past", "past", "free"]),
        ("Europe/Helsinki", "2027-10-31T00:30:00.000Z", ["past", "past", "past", "free"]),
        ("Europe/Helsinki", "2027-10-31T01:30:00.000Z", ["past", "past", "past", "free"]),
    ])
    func hours_are_over_when_listings_says_so(_ zone: String, _ now: String, _ states: [String]) throws {
        let shown = try view(
            thing(.parking, in: zone), at: now, .pick(path: "/p"), chosen: .init(day: "2027-10-31"))
        let hours = try #require(shown.hours).hours
        #expect(hours.prefix(4).map(\.state) == states)
    }

    @Test func hours_make_a_day_partly_taken() throws {
        let taken = [TakenPeriod(from: "2026-12-05T09:00", until: "2026-12-06T00:00")]
        let now = "2026-12-05T02:30:00.000Z"
        let shown = try view(
            thing(.parking), at: now, taken: taken, .pick(path: "/here"), chosen: .init(day: "2026-12-05"))
        // 10:30 there: what is left of it is taken, whatever was free this morning.
        #expect(days(shown)["2026-12-05"]?.state == "taken" && days(shown)["2026-12-06"]?.state == "free")
        let tomorrow = [TakenPeriod(from: "2026-12-06T09:00", until: "2026-12-06T12:00")]
        let other = try view(
            thing(.parking), at: now, taken: tomorrow, .pick(path: "/here"), chosen: .init(day: "2026-12-06"))
        #expect(days(other)["2026-12-06"]?.state == "partly")
        let hours = try #require(other.hours).hours
        #expect(
            hours.count == 24
                && hours.filter { $0.state == "taken" }.map(\.text) == [
                    "09:00 – 10:00", "10:00 – 11:00", "11:00 – 12:00",
                ])
        #expect(hours[8].href == "/here?month=2026-12&from=2026-12-06T08%3A00&day=2026-12-06" && hours[9].href == nil)
        #expect(hours[23].text == "23:00 – 00:00")
    }

    @Test func a_day_in_which_clocks_turn_has_its_hours() throws {
        let turned = try view(
            thing(.parking, in: "Europe/Berlin"), at: "2027-03-20T10:00:00.000Z",
            taken: [TakenPeriod(from: "2027-03-28T00:00", until: "2027-03-29T00:00")], .pick(path: "/p"),
            chosen: .init(day: "2027-03-28"))
        #expect(days(turned)["2027-03-28"]?.state == "taken" && days(turned)["2027-03-27"]?.state == "free")
        #expect(days(turned).keys.filter { $0.hasPrefix("2027-03") }.count == 31)
        let back = try view(thing(in: "Europe/Berlin"), at: "2026-10-24T22:30:00.000Z", count: 1)
        #expect(days(back)["2026-10-25"]?.today == true && days(back).count == 31)
    }

    @Test func the_hour_over_which_clocks_are_put_forward_is_none() throws {
        let (now, berlin) = ("2027-03-20T10:00:00.000Z", thing(.parking, in: "Europe/Berlin"))
        func hours(_ day: String, from: String? = nil) throws -> [MonthsView.Hour] {
            let choice = MonthsView.Choice(from: from, day: day)
            let shown = try view(berlin, at: now, count: 9, .pick(path: "/p"), chosen: choice)
            return try #require(shown.hours).hours
        }
        let turned = try hours("2027-03-28", from: "2027-03-28T01:00")
        #expect(turned.count == 23 && turned[1].text == "01:00 – 02:00" && turned[2].text == "03:00 – 04:00")
        // What begins before it may end with it.
        #expect(turned[1].href?.contains("until=2027-03-28T02%3A00") == true)
        #expect(try hours("2027-03-27").count == 24 && hours("2027-10-31").count == 24)
        let taken = [
            TakenPeriod(from: "2027-03-28T00:00", until: "2027-03-28T02:00"),
            TakenPeriod(from: "2027-03-28T03:00", until: "2027-03-29T00:00"),
        ]
        #expect(days(try view(berlin, at: now, taken: taken))["2027-03-28"]?.state == "taken")
    }

    @Test func picking_goes_from_the_first_day_to_the_last() throws {
        let now = "2026-12-01T04:00:00.000Z"
        let nothing = days(try view(thing(), at: now, .pick(path: "/t/rent")))
        #expect(nothing["2026-12-04"]?.href == "/t/rent?month=2026-12&from=2026-12-04")
        let begun = days(try view(thing(), at: now, .pick(path: "/t/rent"), chosen: .init(from: "2026-12-04")))
        #expect(begun["2026-12-04"]?.chosen == true && begun["2026-12-05"]?.chosen == false)
        #expect(begun["2026-12-06"]?.href == "/t/rent?month=2026-12&from=2026-12-04&until=2026-12-06")
        // Before it, one begins anew.
        #expect(begun["2026-12-03"]?.href == "/t/rent?month=2026-12&from=2026-12-03")
        let whole = MonthsView.Choice(from: "2026-12-04", until: "2026-12-06")
        let done = days(try view(thing(), at: now, .pick(path: "/t/rent"), chosen: whole))
        #expect(done.values.filter(\.chosen).count == 3)
        #expect(done["2026-12-05"]?.label == "Saturday, 5 December 2026, free, chosen")
        #expect(done["2026-12-09"]?.href == "/t/rent?month=2026-12&from=2026-12-09")
        #expect(days(try view(thing(), at: now))["2026-12-05"]?.href == nil)
    }

    @Test func months_are_turned_within_what_can_be_asked_for() throws {
        let now = "2026-11-15T04:00:00.000Z"
        let first = try view(thing(), at: now)
        #expect(first.earlier == nil && first.later?.href == "/here?month=2027-01")
        let middle = try view(thing(), at: now, month: "2027-01")
        #expect(middle.earlier?.href == "/here?month=2026-11")
        let odd = try view(thing(), at: now, month: "2026-12")
        #expect(odd.earlier?.href == "/here?month=2026-11")
        let last = try view(thing(), at: now, month: "2999-01")
        #expect(last.later == nil && last.months.last?.caption == "October 2028")
        for nonsense in ["", "x", "2026-13", "0000-00", "1999-01"] {
            #expect(try view(thing(), at: now, month: nonsense).months[0].caption == "November 2026")
        }
    }

    /// Whatever is asked for, the last month that is shown has a day on which something may begin.
    @Test func turning_ends_with_the_last_month_that_has_a_day_to_begin() throws {
        let now = "2026-11-15T04:00:00.000Z"
        func months(
            _ month: String?, last: String, until: String? = nil, reach: MonthsWindow.Reach = .asking
        ) throws -> (shown: [String], later: String?) {
            let days = until.map { AvailableDays(from: nil, until: $0) }
            let shown = try view(thing(available: days), at: now, month: month, last: last, reach: reach)
            return (shown.months.map(\.caption), shown.later?.href)
        }
        let beginning = try months(nil, last: "2027-02-14")
        #expect(beginning.shown == ["November 2026", "December 2026"] && beginning.later == "/here?month=2027-01")
        // By turning, and by an address.
        for month in ["2027-01", "2027-02", "2027-03", "2028-01", "9999-12"] {
            let end = try months(month, last: "2027-02-14")
            #expect(end.shown == ["January 2027", "February 2027"] && end.later == nil, "\(month)")
        }
        // One month on where only one is left.
        let odd = try months("2026-11", last: "2027-01-31")
        #expect(odd.later == "/here?month=2026-12")
        // This month is shown, whatever there is.
        for last in ["2026-11-20", "2026-12-31", "2026-11-15"] {
            let only = try months("2027-06", last: last)
            #expect(only.shown == ["November 2026", "December 2026"] && only.later == nil, "\(last)")
        }
        // The thing's own last day, where that comes first; and where it is over.
        #expect(try months("2027-06", last: "2027-11-15", until: "2027-02-01").shown.last == "February 2027")
        #expect(try months("2027-06", last: "2027-01-15", until: "2027-02-01").shown.last == "January 2027")
        #expect(try months("2027-06", last: "2027-11-15", until: "2026-10-01").shown.first == "November 2026")
        // What begins in time may end later; what begins too late does not.
        #expect(
            try months("2027-06", last: "2027-02-14", reach: .ending(from: "2027-02-14")).shown.last == "March 2027")
        #expect(
            try months("2027-06", last: "2027-02-14", reach: .ending(from: "2027-02-14T20:00")).shown.last
                == "March 2027"
        )
        for from in ["2027-02-15", "2026-12-01", "x", ""] {
            let shown = try months("2027-06", last: "2027-02-14", reach: .ending(from: from)).shown
            #expect(shown.last == "February 2027", "\(from)")
        }
        // Owners block dates as far again, and after the last day on which they let it.
        let owned = try months("2028-06", last: "2027-02-14", until: "2027-01-01", reach: .owning)
        #expect(owned.shown.last == "May 2027" && owned.later == nil)
    }

    @Test func owners_see_what_is_taken_and_where_it_leads() throws {
        let block = DateBlockID.new()
        let taken = [
            TakenPeriod(from: "2026-12-05", until: "2026-12-07", block: block),
            TakenPeriod(from: "2026-12-30", until: "2027-01-02", rental: .new()),
        ]
        let shown = try view(
            thing(), at: "2026-12-01T04:00:00.000Z", taken: taken,
            .own { period in period.block.map { MonthsView.Link(href: "/open/\($0)", text: "Open again") } })
        #expect(shown.taken.map(\.period) == ["5 – 7 December 2026", "30 December 2026 – 2 January 2027"])
        #expect(shown.taken.map(\.kind) == ["Blocked by you", "Rented"])
        #expect(shown.taken[0].link?.href == "/open/\(block)" && shown.taken[1].link == nil)
    }

    @Test(arguments: [
        ("2026-12-01", "2026-12-01", "1 December 2026"), ("2026-12-01", "2026-12-04", "1 – 4 December 2026"),
        ("2026-11-30", "2026-12-04", "30 November – 4 December 2026"),
        ("2026-12-01T14:00", "2026-12-01T18:00", "1 December 2026, 14:00 – 18:00"),
        ("2026-12-01T22:00", "2026-12-02T02:00", "1 December 2026, 22:00 – 2 December 2026, 02:00"),
    ])
    func periods_are_said_as_short_as_they_can_be(_ from: String, _ until: String, _ text: String) {
        #expect(CivilText.period(from, until, in: Self.words) == text)
    }
}
