import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// The search offers what booking accepts, and nothing else.
@Suite struct ThingSearchRuleTests {
    private func driveway(_ zone: String? = nil) -> ThingDraft {
        ThingDraft(
            kind: .parking, title: "Driveway", region: "East", place: "Tampines", address: "Blk 9", isInstant: true,
            zone: zone)
    }

    private func wrong(_ query: ThingQuery, on listings: Listings) async -> [String] {
        guard case .invalid(let errors) = await rentalRefusal({ try await listings.found(query) }) else { return [] }
        return errors.map { "\($0.field): \($0.code)" }
    }

    /// In Helsinki clocks go back from 4:00 to 3:00: who has the first of these hours has both of them, and who has the next one neither.
    @Test func theHourThatClocksShowTwiceIsOne() async throws {
        try await Listings.with { listings in
            listings.clock.advance(by: .seconds(400 * 86400))  // 26 October 2027
            let one = try await listings.posted(driveway("Europe/Helsinki")).id
            let other = try await listings.posted(driveway("Europe/Helsinki")).id
            #expect(try await listings.ask(one, "2027-10-31T03:00", "2027-10-31T04:00").units == 2)
            #expect(try await listings.ask(other, "2027-10-31T04:00", "2027-10-31T05:00").units == 1)
            for (from, until, free) in [
                ("2027-10-31T02:00", "2027-10-31T03:00", [one, other]),
                ("2027-10-31T03:00", "2027-10-31T04:00", [other]), ("2027-10-31T04:00", "2027-10-31T05:00", [one]),
                ("2027-10-31T05:00", "2027-10-31T06:00", [one, other]),
            ] {
                let found = try await listings.found(ThingQuery(kind: .parking, from: from, until: until))
                #expect(Set(found) == Set(free), "\(from)")
            }
        }
    }

    @Test func whatNobodyCanAskForIsSaidAtItsField() async throws {
        try await Listings.with { listings in
            for isLet in [false, true] {
                if isLet {
                    _ = try await listings.posted(driveway())
                    _ = try await listings.posted(spaceDraft())
                }
                for (kind, from, until, expected) in [
                    (ThingKind.space, "2026-09-20", "2026-09-23", ["from: past"]),
                    (.space, "2026-09-21", "2026-09-23", []),
                    (.parking, "2026-09-21T10:00", "2026-09-21T12:00", ["from: past"]),
                    (.space, "2027-09-22", "2027-09-23", ["from: too_late"]),
                    (.space, "2027-09-21", "2027-09-23", []),
                    (.space, "2026-10-01", "2027-01-30", ["until: too_long"]),
                    (.parking, "2026-10-01", "2026-10-05", ["until: too_long"]),
                    (.space, "2026-09-01", "2027-01-30", ["from: past", "until: too_long"]),
                ] {
                    let query = ThingQuery(kind: kind, from: from, until: until)
                    #expect(await wrong(query, on: listings) == expected, "\(kind) \(from)")
                }
            }
            let several = ThingQuery(kind: .space, highestPrice: -1, from: "2026-09-20", until: "2026-09-23")
            #expect(await wrong(several, on: listings) == ["highestPrice: out_of_range", "from: past"])
            // All kinds: those by the day can be had.
            #expect(try await listings.found(ThingQuery(from: "2026-10-01", until: "2026-10-05")).count == 1)
        }
    }

    /// What is over in one place is not in another; what no clock of theirs shows can be had nowhere.
    @Test func eachThingHasItsOwnClock() async throws {
        try await Listings.with { listings in
            let west = try await listings.posted(driveway("Pacific/Honolulu")).id
            let east = try await listings.posted(driveway()).id
            // 22:13 in Singapore, and 4:13 in Honolulu.
            let morning = ThingQuery(kind: .parking, from: "2026-09-21T10:00", until: "2026-09-21T11:00")
            #expect(try await listings.found(morning) == [west])
            #expect(Set(try await listings.found(ThingQuery(from: "2026-09-22", until: "2026-09-22"))) == [west, east])
        }
        try await Listings.with { listings in
            _ = try await listings.posted(driveway("Europe/Helsinki"))
            let gap = ThingQuery(kind: .parking, from: "2027-03-28T03:00", until: "2027-03-28T05:00")
            #expect(await wrong(gap, on: listings) == ["from: no_such_time"])
        }
    }

    /// The calendar ends where booking does.
    @Test func theCalendarSaysTheLastDay() async throws {
        try await Listings.with { listings in
            for (zone, last) in [("Asia/Singapore", "2027-09-21"), ("Pacific/Honolulu", "2027-09-21")] {
                listings.clock.advance(by: .seconds(zone == "Asia/Singapore" ? 0 : 6 * 3600))
                let thing = try await listings.posted(driveway(zone)).id
                let calendar = try await listings.rentals.calendar(CalendarQuery(id: thing), for: Caller(person: tom))
                #expect(calendar.last == last)
                let next = try #require(CivilDay(last)) + 1
                #expect(try await listings.ask(thing, "\(last)T22:00", "\(next.text)T01:00").state == .accepted)
                let refusal = await rentalRefusal {
                    try await listings.ask(thing, "\(next.text)T02:00", "\(next.text)T03:00")
                }
                #expect(refusal == .invalid([FieldError("from", "too_late", "At most 365 days from now.")]))
            }
        }
    }

    private struct Chance: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    /// Things in all these zones, as their owners let them; some are booked on the way.
    private func village(_ listings: Listings, _ chance: inout Chance) async throws -> [Thing] {
        var things: [Thing] = []
        for zone in PeriodRuleTests.zones {
            for kind in [ThingKind.space, .parking] {
                var draft = kind == .space ? spaceDraft() : driveway()
                (draft.isInstant, draft.zone) = (true, zone)
                if Bool.random(using: &chance) { draft.longest = Int.random(in: 1...5, using: &chance) }
                if Bool.random(using: &chance) {
                    let day = Int.random(in: 1...20, using: &chance)
                    draft.available = AvailableDays(
                        from: "2027-03-\(CivilDay.padded(day, 2))",
                        until: Bool.random(using: &chance) ? "2027-04-05" : nil)
                }
                things.append(try await listings.posted(draft))
            }
        }
        return things
    }

    private static func period(_ begin: CivilDay, byHour: Bool, _ chance: inout Chance) -> (from: String, until: String)
    {
        let day = begin + Int.random(in: -3...25, using: &chance)
        if !byHour { return (day.text, (day + Int.random(in: 0...5, using: &chance)).text) }
        let from = WallTime(day, hour: Int.random(in: 0..<24, using: &chance))
        let length = Int.random(in: 1...6, using: &chance) * (Bool.random(using: &chance) ? 1 : 14)
        return (from.text, WallTime(seconds: from.seconds + length * 3600).text)
    }

    /// In March 2027 clocks are put forward in Helsinki, on Troll, in Beirut and Casablanca, and back at the beginning of April on Lord Howe.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func searchOffersAThingIfAndOnlyIfBookingAcceptsIt(seed: UInt64) async throws {
        var renting = rentalLimits
        (renting.ahead, renting.farthest) = (10_000, 20 * 86400)
        try await Listings.with(renting: renting) { listings in
            var chance = Chance(state: seed)
            // 15 March 2027 on, each time a little later.
            listings.clock.advance(by: .seconds(175 * 86400 + Int(seed) * 5 * 86400))
            let things = try await village(listings, &chance)
            for round in 0..<60 {
                listings.clock.advance(by: .seconds(Int.random(in: 600...7200, using: &chance)))
                let today = CivilDay(number: Int(listings.clock.now.timeIntervalSince1970) / 86400)
                let wish = Self.period(today, byHour: Bool.random(using: &chance), &chance)
                let accepted = try await self.accepted(things, wish, on: listings)
                let query = ThingQuery(from: wish.from, until: wish.until, limit: 100)
                let found: Set<ThingID>
                do { found = Set(try await listings.found(query)) } catch RentalError.invalid(_) { found = [] }
                #expect(found == Set(accepted.keys), "seed \(seed), round \(round): \(wish.from) – \(wish.until)")
                // What is found can be had, and is found no more.
                if let one = accepted.keys.sorted().first, let draft = accepted[one] {
                    #expect(try await listings.ask(one, draft.from, draft.until).state == .accepted)
                    let again = try? await listings.found(query)
                    #expect(again?.contains(one) != true)
                }
            }
        }
    }

    /// Those of which a quote says that they can be had, and what one asks for then.
    private func accepted(
        _ things: [Thing], _ wish: (from: String, until: String), on listings: Listings
    ) async throws -> [ThingID: PeriodDraft] {
        var errors: [FieldError] = []
        let read = try #require(PeriodWish(from: wish.from, until: wish.until, &errors))
        var accepted: [ThingID: PeriodDraft] = [:]
        for thing in things {
            let draft = read.draft(by: thing.terms.unit, in: try #require(Zone.named(thing.terms.zone)))
            let query = RentalQuoteQuery(id: thing.id, from: draft.from, until: draft.until)
            do {
                let quote = try await listings.rentals.quote(query, for: Caller(person: tom))
                if quote.isFree { accepted[thing.id] = draft }
            } catch RentalError.invalid(_) {
                continue
            }
        }
        return accepted
    }
}
