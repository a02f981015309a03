import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

@Suite("The days in which a thing is let")
struct LetDaysTests {
    private func fields(_ days: AvailableDays) -> [String] {
        LetDays.errors(in: days).map { "\($0.field): \($0.code)" }
    }

    @Test func theyAreDaysInTheirOrder() {
        #expect(fields(AvailableDays()) == [])
        #expect(fields(AvailableDays(from: "2026-12-01", until: "2026-12-01")) == [])
        #expect(fields(AvailableDays(from: "2026-12-02", until: "2026-12-01")) == ["available.until: before_from"])
        #expect(
            fields(AvailableDays(from: "soon", until: "2026-02-30")) == [
                "available.from: not_a_day", "available.until: not_a_day",
            ])
        #expect(LetDays(AvailableDays()) == nil)
    }

    @Test func whatLiesOutsideIsRefusedAtItsField() async throws {
        try await Listings.with { listings in
            var draft = carDraft(isInstant: true)
            draft.available = AvailableDays(from: "2026-10-02", until: "2026-10-10")
            let car = try await listings.posted(draft)
            #expect(car.available == draft.available)
            for (from, until, wrong) in [
                ("2026-10-01", "2026-10-03", ["from"]), ("2026-10-08", "2026-10-11", ["until"]),
                ("2026-10-01", "2026-10-11", ["from", "until"]), ("2026-10-12", "2026-10-13", ["until"]),
            ] {
                func refused(_ body: () async throws -> some Any) async -> [String] {
                    guard case .invalid(let errors) = await rentalRefusal(body) else { return [] }
                    return errors.filter { $0.code == "not_available" }.map(\.field)
                }
                #expect(await refused { try await listings.ask(car.id, from, until) } == wrong, "\(from)")
                let query = RentalQuoteQuery(id: car.id, from: from, until: until)
                #expect(
                    await refused { try await listings.rentals.quote(query, for: Caller(person: tom)) } == wrong,
                    "\(from)")
            }
            #expect(try await listings.ask(car.id, "2026-10-02", "2026-10-10").state == .accepted)
            let calendar = try await listings.rentals.calendar(CalendarQuery(id: car.id), for: Caller(person: lin))
            #expect(calendar.taken.map(\.from) == ["2026-10-02"])
        }
    }

    @Test func hoursUntilMidnightAreOfTheDayBefore() async throws {
        try await Listings.with { listings in
            let parking = try await listings.posted(
                ThingDraft(
                    kind: .parking, title: "Driveway", region: "East", place: "Tampines", address: "Blk 9",
                    available: AvailableDays(from: "2026-10-02", until: "2026-10-02"), isInstant: true)
            ).id
            let early = await rentalRefusal { try await listings.ask(parking, "2026-10-01T23:00", "2026-10-02T02:00") }
            #expect(
                early == .invalid([FieldError("from", "not_available", "It is let from 2026-10-02 on.")]))
            let late = await rentalRefusal { try await listings.ask(parking, "2026-10-02T20:00", "2026-10-03T01:00") }
            #expect(late == .invalid([FieldError("until", "not_available", "It is let until 2026-10-02.")]))
            #expect(try await listings.ask(parking, "2026-10-02T00:00", "2026-10-03T00:00").units == 24)
        }
    }

    @Test func theSearchLeavesOutWhatIsNotLetThen() async throws {
        try await Listings.with { listings in
            var draft = carDraft()
            draft.available = AvailableDays(from: "2026-10-02", until: "2026-10-10")
            let car = try await listings.posted(draft).id
            for (from, until, isThere) in [
                ("2026-10-02", "2026-10-10", true), ("2026-10-01", "2026-10-03", false),
                ("2026-10-10", "2026-10-11", false), ("2026-10-05", "2026-10-05", true),
                ("2026-10-10T20:00", "2026-10-11T00:00", true), ("2026-10-10T20:00", "2026-10-11T01:00", false),
                ("2026-10-01T23:00", "2026-10-02T04:00", false),
            ] {
                let found = try await listings.found(ThingQuery(from: from, until: until), by: tom)
                #expect(found == (isThere ? [car] : []), "\(from)")
            }
            _ = try await listings.rentals.amend(
                car, with: ThingDraft(available: AvailableDays(from: "2026-10-02")), .from(maya))
            #expect(try await listings.found(ThingQuery(from: "2027-05-01", until: "2027-05-02"), by: tom) == [car])
        }
    }

    @Test func theSearchLeavesOutWhatIsNotLetForSoLong() async throws {
        try await Listings.with { listings in
            var draft = carDraft()
            draft.longest = 3
            let car = try await listings.posted(draft).id
            let parking = try await listings.posted(
                ThingDraft(
                    kind: .parking, title: "Driveway", region: "East", place: "Tampines", address: "Blk 9", longest: 3)
            ).id
            for (from, until, wanted) in [
                ("2026-10-02", "2026-10-04", [car]), ("2026-10-02", "2026-10-05", []),
                ("2026-10-02T10:00", "2026-10-02T13:00", [car, parking]),
                ("2026-10-02T10:00", "2026-10-02T14:00", [car]),
                ("2026-10-02T23:00", "2026-10-05T01:00", []),
            ] {
                let found = try await listings.found(ThingQuery(from: from, until: until), by: tom)
                #expect(Set(found) == Set(wanted), "\(from)")
            }
        }
    }

    @Test func whenTheLastDayIsOverItCannotBeRented() async throws {
        try await Listings.with { listings in
            var draft = carDraft()
            draft.available = AvailableDays(until: "2026-09-21")
            let car = try await listings.posted(draft).id
            #expect(try await listings.rentals.thing(car, for: Caller(person: tom)).action == .rent)
            listings.clock.advance(by: .seconds(86400))
            #expect(try await listings.rentals.thing(car, for: Caller(person: tom)).action == .unavailable)
            let page = try await listings.rentals.things(ThingQuery(), for: Caller(person: nil))
            #expect(page.items.map(\.action) == [.unavailable])
        }
    }
}
