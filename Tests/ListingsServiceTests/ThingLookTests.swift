import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// Standing searches look again whenever a thing comes, goes, says something else, or has other days.
@Suite struct ThingLookTests {
    @Test func whateverItsOwnerDoes() async throws {
        try await Listings.with { listings in
            func looks(_ body: () async throws -> some Any) async throws -> [Subject] {
                try await listings.looks(during: body)
            }
            let rentals = listings.rentals
            let id = try await listings.posted(spaceDraft(isComplete: false)).id
            #expect(try await listings.told(SearchableChanged.self).isEmpty, "nobody else has to do with a draft")
            let look = [Subject(id)]
            #expect(try await looks { try await rentals.change(id, to: spaceDraft("A garage"), .from(maya)) }.isEmpty)
            #expect(try await looks { try await rentals.publish(id, .from(maya)) } == look)
            #expect(try await looks { try await rentals.publish(id, .from(maya)) }.isEmpty)
            #expect(try await looks { try await rentals.change(id, to: spaceDraft(), .from(maya)) } == look)
            #expect(try await looks { try await rentals.change(id, to: spaceDraft(), .from(maya)) }.isEmpty)
            let drafts = [
                ThingDraft(description: "Dry."), ThingDraft(region: "West"), ThingDraft(longest: 3),
                ThingDraft(available: AvailableDays(from: "2026-10-01", until: nil)),
                ThingDraft(price: Money(amount: 1, currency: "SGD")),
            ]
            for draft in drafts {
                #expect(try await looks { try await rentals.amend(id, with: draft, .from(maya)) } == look, "\(draft)")
            }
            #expect(try await looks { try await rentals.withdraw(id, .from(maya)) } == look)
            #expect(try await looks { try await rentals.change(id, to: spaceDraft("Away"), .from(maya)) }.isEmpty)
            #expect(try await looks { try await rentals.publish(id, .from(maya)) } == look)
            let new = try await listings.posted(carDraft()).id
            #expect(try await listings.told(SearchableChanged.self).last?.subject == Subject(new))
            let headers = try await listings.events(of: SearchableChanged.type)
            #expect(headers.allSatisfy { $0.audience == .nobody })
            #expect(headers.map(\.aggregate).last == "thing/\(new)")
        }
    }

    @Test func whatModeratorsDoAndWhatIsOfWhoIsSuspendedOrErased() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted(carDraft()).id
            let look = [Subject(id)]
            func looks(at event: some Event) async throws -> [Subject] {
                try await listings.looks { try await listings.apply(event) }
            }
            let hiding = Hiding(at: noon, reason: "No car.")
            #expect(try await looks(at: SubjectHidden(subject: Subject(id), hiding: hiding)) == look)
            let change = try await listings.looks {
                try await listings.rentals.amend(id, with: ThingDraft(title: "Mended"), .from(maya))
            }
            #expect(change.isEmpty, "nobody finds it")
            #expect(try await looks(at: SubjectRestored(subject: Subject(id))) == look)
            #expect(try await listings.looks { try await listings.suspend(maya, until: nil) } == look)
            #expect(try await looks(at: PersonReinstated(person: maya)) == look)
            #expect(try await looks(at: PersonErased(erasure: .new(), person: maya)) == look)
        }
    }

    @Test func daysThatBecomeSomebodysOrFree() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let look = [Subject(car)]
            var rental = try await listings.ask(car).id
            func looks(_ act: RentalAct, by person: PersonID) async throws -> [Subject] {
                try await listings.looks { [rental] in try await listings.act(rental, act, by: person) }
            }
            let lins = try await listings.ask(car, "2026-10-04", "2026-10-05", by: lin).id
            #expect(try await listings.told(SearchableChanged.self).count == 1, "what is asked for is free")
            #expect(try await looks(.accept, by: maya) == look, "and others are turned away")
            #expect(try await listings.rentals.rental(lins, for: Caller(person: lin)).state == .declined)
            #expect(try await looks(.cancel, by: tom) == look)
            rental = try await listings.ask(car).id
            #expect(try await looks(.decline, by: maya).isEmpty)
            rental = try await listings.ask(car).id
            #expect(try await looks(.accept, by: maya) == look)
            listings.clock.advance(by: .seconds(10 * 86400))
            #expect(try await looks(.handOver, by: maya).isEmpty)
            #expect(try await looks(.giveBack, by: tom) == look)
            #expect(try await looks(.giveBack, by: maya).isEmpty)

            let period = PeriodDraft(from: "2026-11-03", until: "2026-11-05")
            let block = try await listings.rentals.block(car, period, .from(maya))
            #expect(try await listings.told(SearchableChanged.self).last?.subject == Subject(car))
            #expect(try await listings.looks { try await listings.rentals.unblock(block.id, .from(maya)) } == look)
            let refused = try await listings.looks {
                await rentalRefusal { try await listings.rentals.unblock(block.id, .from(maya)) }
            }
            #expect(refused.isEmpty)
        }
    }

    @Test func daysThatAreHeldForWhoAsksAndWhatTimeEnds() async throws {
        var renting = rentalLimits
        renting.requestsHold = true
        try await Listings.with(renting: renting) { listings in
            let car = try await listings.posted(carDraft()).id
            let look = [Subject(car)]
            #expect(try await listings.looks { try await listings.ask(car) } == look)
            listings.clock.advance(by: .seconds(86400))
            let rounds = RentalRounds(store: listings.rentals.store, logger: .quiet)
            #expect(try await listings.looks { try await rounds.round() } == look, "nobody answered")
            #expect(try await listings.looks { try await rounds.round() }.isEmpty)
        }
    }

    /// What is free again is found by who waited for it, and before that it is not.
    @Test func whoLooksForDaysFindsThemOnceTheyAreFree() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let query = WantedQuery(things: ThingQuery(kind: .car, from: "2026-10-02", until: "2026-10-03"))
            let search = SearchJudging.Search(query, by: lin)
            #expect(try await listings.judged(Subject(car), [search]) == [search.id])
            let rental = try await listings.ask(car).id
            #expect(try await listings.judged(Subject(car), [search]).isEmpty)
            #expect(try await listings.looked(query, by: lin).isEmpty)
            try await listings.act(rental, .cancel, by: tom)
            #expect(try await listings.judged(Subject(car), [search]) == [search.id])
            #expect(try await listings.looked(query, by: lin) == [Subject(car)])
        }
    }
}
