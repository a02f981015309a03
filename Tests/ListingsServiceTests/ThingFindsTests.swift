import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// A standing search finds what the search itself finds: things of four people, of which some are hidden, withdrawn, let or blocked.
@Suite struct ThingFindsTests {
    private static let words = ["Jazz", "jazzy", "Café", "cafe", "物置", "big", "bike", "Garage", "a", "go", "gold"]
    private static let days = [
        ("2026-10-01", "2026-10-02"), ("2026-10-02", "2026-10-02"), ("2026-10-03T08:00", "2026-10-03T20:00"),
    ]

    private func title(_ chance: inout SeededGenerator) -> String {
        let some = (0..<Int.random(in: 1...4, using: &chance)).map { _ in
            Self.words[Int.random(in: 0..<Self.words.count, using: &chance)]
        }
        return some.joined(separator: " ")
    }

    private func offer(_ number: Int, _ chance: inout SeededGenerator) -> ThingDraft {
        let kind = ThingKind.allCases[number % 3]
        let isCar = kind == .car
        return ThingDraft(
            kind: kind, title: title(&chance), description: Bool.random(using: &chance) ? title(&chance) : nil,
            brand: isCar ? ["Honda", "Kia"][Int.random(in: 0..<2, using: &chance)] : nil,
            model: isCar ? ["Jazz", "Rio"][Int.random(in: 0..<2, using: &chance)] : nil,
            plate: isCar ? "A\(number)" : nil, size: kind == .space ? 12 : nil,
            region: ["East", "West"][Int.random(in: 0..<2, using: &chance)], place: "Here", address: "Door",
            price: Money(amount: Int.random(in: 1...4, using: &chance) * 100, currency: "SGD"), isInstant: true,
            isComplete: Int.random(in: 0..<10, using: &chance) > 0)
    }

    private func village(_ listings: Listings, _ chance: inout SeededGenerator) async throws -> [Thing] {
        var things: [Thing] = []
        for number in 0..<36 {
            listings.clock.advance(by: .seconds(1))
            let owner = [maya, tom, lin, kim][Int.random(in: 0..<4, using: &chance)]
            let thing = try await listings.posted(offer(number, &chance), by: owner)
            things.append(thing)
            let (from, until) = Self.days[Int.random(in: 0..<2, using: &chance)]
            switch Int.random(in: 0..<8, using: &chance) {
            case 0:
                try await listings.apply(
                    SubjectHidden(subject: Subject(thing.id), hiding: Hiding(at: noon, reason: "x")))
            case 1 where thing.state == .listed: try await listings.rentals.withdraw(thing.id, .from(owner))
            case 2 where thing.kind != .parking: _ = try? await listings.ask(thing.id, from, until, by: .new())
            case 3 where thing.kind != .parking:
                let period = PeriodDraft(from: from, until: until)
                _ = try await listings.rentals.block(thing.id, period, .from(owner))
            default: break
            }
        }
        try await listings.part(maya, tom)
        try await listings.suspend(kim, until: nil)
        return things
    }

    private static func isOften(_ chance: inout SeededGenerator) -> Bool {
        Int.random(in: 0..<3, using: &chance) == 0
    }

    private func query(_ chance: inout SeededGenerator) -> ThingQuery {
        var query = ThingQuery(kind: ThingKind.allCases[Int.random(in: 0..<3, using: &chance)])
        if Self.isOften(&chance) {
            let typed = title(&chance)
            query.q = Self.isOften(&chance) && typed.count > 2 ? String(typed.dropLast()) : typed
        }
        if Self.isOften(&chance) { query.region = ["East", "West"][Int.random(in: 0..<2, using: &chance)] }
        if query.kind == .car, Self.isOften(&chance) {
            query.brand = ["Honda", "Kia"][Int.random(in: 0..<2, using: &chance)]
            if Self.isOften(&chance) { query.model = "Jazz" }
        }
        if Self.isOften(&chance) { query.highestPrice = Int.random(in: 1...4, using: &chance) * 100 }
        if Self.isOften(&chance) {
            let (from, until) = Self.days[Int.random(in: 0..<3, using: &chance)]
            query.from = from
            query.until = until
        }
        return query
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func aStandingSearchFindsWhatTheSearchFinds(seed: UInt64) async throws {
        var renting = rentalLimits
        (renting.plates, renting.plateTries) = (AnyPlates(), 1000)
        try await Listings.with(renting: renting) { listings in
            var chance = SeededGenerator(seed: seed)
            let things = try await village(listings, &chance)
            var (searches, finds): ([SearchJudging.Search], [WantedID: Set<ThingID>]) = ([], [:])
            for _ in 0..<80 {
                let query = self.query(&chance)
                let person = [maya, tom, lin, PersonID.new()][Int.random(in: 0..<4, using: &chance)]
                let own = Set(things.filter { $0.owner.id == person }.map(\.id))
                let found = try await listings.found(query, by: person).filter { !own.contains($0) }
                let search = SearchJudging.Search(WantedQuery(things: query), by: person)
                searches.append(search)
                finds[search.id] = Set(found)
                let newest = try await listings.looked(search.query.read(), by: person)
                #expect(newest == found.map { Subject($0) }, "seed \(seed), \(query)")
            }
            var hits = 0
            for thing in things {
                let found = try await listings.judged(Subject(thing.id), searches)
                let expected = Set(finds.filter { $0.value.contains(thing.id) }.keys)
                #expect(found == expected, "seed \(seed), \(thing.title)")
                if found.isEmpty { continue }
                let searchable = try #require(try await listings.searched.searchable(Subject(thing.id)))
                for search in searches where found.contains(search.id) {
                    hits += 1
                    let read = try await listings.searched.read(search.query.read())
                    #expect(listings.share(searchable, read), "seed \(seed), \(search), \(thing.title)")
                }
            }
            #expect(hits > 40)
        }
    }
}
