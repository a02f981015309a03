import DurableMessaging
import FoundationEssentials
import Logging
import Messaging
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

@Suite("Agreements in the database")
struct RentalStoreTests {
    private let picture = String(repeating: "0c", count: 32)

    @Test func nobodyAcceptsWhatIsHiddenOrWhomTheyAreApartFrom() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let asked = try await listings.ask(car)
            let subject = Subject(car)
            try await listings.apply(SubjectHidden(subject: subject, hiding: Hiding(at: noon, reason: "No car.")))
            #expect(await rentalRefusal { try await listings.act(asked.id, .accept, by: maya) } == .notListed)
            try await listings.apply(SubjectRestored(subject: subject))
            try await listings.part(maya, tom)
            #expect(await rentalRefusal { try await listings.act(asked.id, .accept, by: maya) } == .notListed)
            #expect(try await listings.act(asked.id, .decline, by: maya).state == .declined)
        }
    }

    @Test func whatIsOverCannotBeCalledOff() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let agreed = try await listings.ask(car)
            #expect(agreed.acceptedAt == agreed.requestedAt)
            #expect(try await listings.rentals.thing(car, for: Caller(person: tom)).action == .cancel)
            listings.clock.advance(by: .seconds(14 * 86400))
            let seen = try await listings.rentals.thing(car, for: Caller(person: tom))
            #expect(seen.action == .unavailable && seen.rental == agreed.id)
        }
    }

    @Test func aWholeStory() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let asked = try await listings.ask(car)
            #expect(asked.state == .requested && asked.units == 4 && asked.cost?.amount == 22000)
            #expect(asked.owed?.amount == 0 && asked.thing.address == nil && asked.thing.position == nil)
            #expect(asked.possible == [.cancel])
            #expect(
                try await listings.rentals.rental(asked.id, for: Caller(person: maya)).possible == [.accept, .decline])
            #expect(
                await rentalRefusal { try await listings.rentals.rental(asked.id, for: Caller(person: lin)) }
                    == .notFound)

            #expect(try await listings.act(asked.id, .accept, by: maya).state == .accepted)
            let agreed = try await listings.rentals.rental(asked.id, for: Caller(person: tom))
            #expect(agreed.thing.address == "Blk 123, #04-56")
            let seen = try await listings.rentals.thing(car, for: Caller(person: tom))
            #expect(seen.isExact && seen.plate == nil && seen.action == .cancel && seen.rental == asked.id)

            listings.clock.advance(by: .seconds(10 * 86400))
            try await listings.act(asked.id, .handOver, by: maya, photos: [picture])
            #expect(try await listings.rentals.thing(car, for: Caller(person: lin)).action == .unavailable)
            try await listings.act(asked.id, .handOver, by: tom)
            let back = try await listings.act(asked.id, .giveBack, by: tom)
            #expect(back.state == .returned && back.thing.address == nil)
            #expect(back.evidence.map(\.at) == [.accept, .handOver, .handOver, .giveBack])
            #expect(try await listings.rentals.store.photos(among: [picture]) == [picture])

            let events = try await listings.events().map(\.type).filter {
                $0.hasPrefix("rental") || $0 == "encounterCompleted"
            }
            #expect(
                events == ["rentalRequested", "rentalAnswered", "rentalChanged", "rentalChanged", "encounterCompleted"])
            let met = try await listings.told(EncounterCompleted.self)
            #expect(met.map(\.subject.kind) == [.rental] && met.first.map { Set($0.people) } == [maya, tom])
            let audiences = Set(try await listings.events(of: RentalChanged.type).map(\.audience))
            #expect(audiences == [.people([maya, tom])])
            // It is free again at once.
            #expect(try await listings.ask(car, "2026-10-02", "2026-10-04", by: lin).state == .requested)
        }
    }

    @Test func whatIsTakenIsRefused() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let (toms, lins) = (
                try await listings.ask(car), try await listings.ask(car, "2026-10-03", "2026-10-08", by: lin)
            )
            try await listings.act(toms.id, .accept, by: maya)
            #expect(await rentalRefusal { try await listings.act(lins.id, .accept, by: maya) } == .wrongState([]))
            #expect(
                await rentalRefusal { try await listings.ask(car, "2026-10-04", "2026-10-05", by: kim) } == .overlaps)
            try await listings.act(toms.id, .cancel, by: tom)
            let again = try await listings.ask(car, "2026-10-03", "2026-10-08", by: lin)
            let period = PeriodDraft(from: "2026-10-08", until: "2026-10-08")
            let block = try await listings.rentals.block(car, period, .from(maya))
            #expect(await rentalRefusal { try await listings.act(again.id, .accept, by: maya) } == .overlaps)
            #expect(try await listings.rentals.rental(again.id, for: Caller(person: lin)).state == .requested)
            try await listings.rentals.unblock(block.id, .from(maya))
            #expect(try await listings.act(again.id, .accept, by: maya).state == .accepted)
        }
    }

    @Test func ownersBlockDates() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let period = PeriodDraft(from: "2026-10-03", until: "2026-10-05")
            #expect(await rentalRefusal { try await listings.rentals.block(car, period, .from(tom)) } == .notYours)
            let block = try await listings.rentals.block(car, period, .from(maya))
            #expect(await rentalRefusal { try await listings.ask(car) } == .overlaps)
            let agreed = try await listings.ask(car, "2026-10-06", "2026-10-07")
            #expect(
                await rentalRefusal {
                    try await listings.rentals.block(
                        car, PeriodDraft(from: "2026-10-07", until: "2026-10-07"), .from(maya))
                } == .overlaps)
            let query = CalendarQuery(id: car)
            let mayas = try await listings.rentals.calendar(query, for: Caller(person: maya)).taken
            #expect(mayas.map(\.block) == [block.id, nil] && mayas.map(\.rental) == [nil, agreed.id])
            let lins = try await listings.rentals.calendar(query, for: Caller(person: lin)).taken
            #expect(lins.map(\.from) == ["2026-10-03", "2026-10-06"])
            #expect(lins.allSatisfy { $0.block == nil && $0.rental == nil })
            #expect(await rentalRefusal { try await listings.rentals.unblock(block.id, .from(tom)) } == .notFound)
            try await listings.rentals.unblock(block.id, .from(maya))
            #expect(try await listings.ask(car, "2026-10-03", "2026-10-05", by: lin).state == .accepted)
        }
    }

    @Test func timeDoesItsPartOnceAndReminds() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let (asked, other) = (
                try await listings.ask(car), try await listings.ask(car, "2026-10-06", "2026-10-07", by: lin)
            )
            try await listings.act(other.id, .accept, by: maya)
            let rounds = RentalRounds(store: listings.rentals.store, logger: .quiet)
            func round() async throws { _ = try await rounds.round() }
            try await round()
            #expect(try await listings.told(RentalReminder.self).isEmpty)
            listings.clock.advance(by: .seconds(19 * 3600))
            try await round()
            try await round()
            #expect(try await listings.told(RentalReminder.self).map(\.about) == [.answer])
            listings.clock.advance(by: .seconds(5 * 3600))
            // Any number of replicas at once.
            _ = await atOnce(Array(0..<6)) { _ in try await rounds.round() }
            #expect(try await listings.rentals.rental(asked.id, for: Caller(person: tom)).state == .lapsed)
            #expect(try await listings.told(RentalAnswered.self).map(\.rental.state) == [.accepted, .lapsed])
            listings.clock.advance(by: .seconds(30 * 86400))
            try await round()
            #expect(try await listings.rentals.rental(other.id, for: Caller(person: lin)).state == .lapsed)
            #expect(await rentalRefusal { try await listings.act(asked.id, .accept, by: maya) } == .wrongState([]))
        }
    }

    @Test func aRequestIsDoneOnce() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let id = UUID.version7()
            let draft = RentalDraft(from: "2026-10-01", until: "2026-10-04")
            let first = try await listings.rentals.ask(car, draft, .from(tom, id: id))
            #expect(try await listings.rentals.ask(car, draft, .from(tom, id: id)).id == first.id)
            #expect(try await listings.events(of: RentalRequested.type).count == 1)
            #expect(await rentalRefusal { try await listings.ask(car, by: maya) } == .yourOwn)
        }
    }

    @Test func listsAreOfOnesOwn() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            var toms: [RentalID] = []
            for day in 1...5 { toms.append(try await listings.ask(car, "2026-10-0\(day)", "2026-10-0\(day)").id) }
            // Of the same millisecond, ids have no order that is known before.
            toms.sort(by: >)
            func ids(_ query: RentalQuery, _ person: PersonID) async throws -> [RentalID] {
                var (found, query): ([RentalID], RentalQuery) = ([], query)
                repeat {
                    let page = try await listings.rentals.rentals(query, for: Caller(person: person))
                    found += page.items.map(\.id)
                    query.cursor = page.next
                } while query.cursor != nil
                return found
            }
            #expect(try await ids(RentalQuery(limit: 2), tom) == toms)
            #expect(try await ids(RentalQuery(role: .owner, limit: 5), maya) == toms)
            #expect(try await ids(RentalQuery(role: .renter), maya).isEmpty)
            #expect(try await ids(RentalQuery(), lin).isEmpty)
            #expect(try await ids(RentalQuery(state: .accepted), tom).isEmpty)
            // By stages: two have gone on, one of them is over.
            _ = try await listings.act(toms[1], .accept, by: maya)
            _ = try await listings.act(toms[3], .decline, by: maya)
            let waiting = [toms[0], toms[2], toms[4]]
            for role in [nil, RentalRole.renter] {
                #expect(try await ids(RentalQuery(role: role, stage: .waiting, limit: 2), tom) == waiting)
                #expect(try await ids(RentalQuery(role: role, stage: .upcoming), tom) == [toms[1]])
                #expect(try await ids(RentalQuery(role: role, stage: .inHand), tom).isEmpty)
                #expect(try await ids(RentalQuery(role: role, stage: .over), tom) == [toms[3]])
            }
            #expect(try await ids(RentalQuery(state: .declined, stage: .over), maya) == [toms[3]])
            let strange = await rentalRefusal {
                try await listings.rentals.rentals(
                    RentalQuery(state: .declined, stage: .inHand), for: Caller(person: maya))
            }
            #expect(strange == .invalid([FieldError("state", "not_allowed", "This state is not of that stage.")]))
        }
    }

    @Test func theDatabaseItselfRefusesASecondAgreement() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            _ = try await listings.ask(car)
            let error = await #expect(throws: PostgresError.self) {
                try await listings.database.query(
                    """
                    INSERT INTO rentals SELECT gen_random_uuid(), thing, kind, title, photo, owner, \(lin), starts, until, zone, starts_at,
                        ends_at, units, price, currency, unit, longest, cancellation, is_instant, message, requested_at, answer_by, state,
                        changed_at, changed_by, reason, share, holds, due_at, remind_at FROM rentals
                    """)
            }
            #expect(error?.constraint == "occupied_once")
        }
    }

    @Test func whoIsSuspendedIsCalledOff() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let rental = try await listings.ask(car)
            try await listings.suspend(maya, until: after(60))
            #expect(try await listings.rentals.rental(rental.id, for: Caller(person: tom)).state == .declined)
            #expect(try await listings.found(ThingQuery(), by: tom).isEmpty)
            #expect(await refusalCode { try await listings.posted(spaceDraft()) } == .suspended)
            listings.clock.advance(by: .seconds(3601))
            _ = try await RentalRounds(store: listings.rentals.store, logger: .quiet).round()
            #expect(try await listings.found(ThingQuery(), by: tom) == [car])
        }
    }

    @Test func whoErasesThemselvesLeavesNoTrace() async throws {
        try await Listings.with { listings in
            let (car, space) = (
                try await listings.posted(carDraft(isInstant: true)).id, try await listings.posted(spaceDraft()).id
            )
            let rental = try await listings.ask(car)
            let toms = try await listings.posted(spaceDraft("Tom's"), by: tom).id
            _ = try await listings.ask(toms, by: maya)
            let own = PersonalSections(listings.rentals.ownRecords)
            let before = try await own.page(PersonalDataQuery(person: maya)).items
            #expect(before.map(\.kind) == ["things", "things"])
            let (records, _) = try await listings.rentals.store.transaction { try await $0.erase(maya) }
            #expect(records.map(\.kind) == [.things, .unnamed, .rentals])
            #expect(
                await rentalRefusal { try await listings.rentals.thing(space, for: Caller(person: maya)) } == .notFound)
            let left = try await listings.rentals.rental(rental.id, for: Caller(person: tom))
            #expect(left.state == .cancelled && left.owner.id == .nobody && left.changedBy == nil)
            let rows = try await listings.database.query(
                "SELECT (SELECT count(*) FROM things WHERE address IS NOT NULL AND owner = \(PersonID.nobody)) AS doors"
            )
            #expect(try rows[0].get("doors", as: Int.self) == 0)
            for person in [tom, maya] {
                _ = try await listings.rentals.store.transaction { try await $0.erase(person) }
            }
            let end = try await listings.database.query("SELECT count(*) AS left FROM rentals")
            #expect(try end[0].get("left", as: Int.self) == 0)
        }
    }
}
