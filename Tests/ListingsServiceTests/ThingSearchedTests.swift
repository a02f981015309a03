import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// What standing searches ask of things. Maya lets a car, Tom looks.
@Suite struct ThingSearchedTests {
    private func wanted(_ query: ThingQuery) -> WantedQuery { WantedQuery(things: query) }

    private func keys(_ query: ThingQuery, on listings: Listings) async throws -> [[String]] {
        try await listings.searched.read(wanted(query)).anchors.map { $0.map(\.rawValue) }
    }

    @Test func aSearchIsReadAsTheSearchItselfIs() async throws {
        try await Listings.with { listings in
            let typed = ThingQuery(
                kind: .car, q: "  Jazz \n for a  Weekend ", region: " Central", brand: "Honda ", model: "Jazz",
                highestPrice: 6000)
            let read = try await listings.searched.read(wanted(typed))
            let kept = ThingQuery(
                kind: .car, q: "Jazz for a Weekend", region: "Central", brand: "Honda", model: "Jazz",
                highestPrice: 6000)
            #expect(read.query == wanted(kept) && read.around == nil && read.until == nil)
            #expect(
                try await keys(typed, on: listings) == [
                    ["car/word:jazz"], ["car/word:for"], ["car/word:a"], ["car/begins:wee"], ["car/region:Central"],
                    ["car/model:Jazz"],
                ])
            #expect(
                try await keys(ThingQuery(kind: .car, region: "Central", brand: "Honda"), on: listings) == [
                    ["car/region:Central"], ["car/brand:Honda"],
                ])
            #expect(try await listings.searched.read(read.query) == read, "read again, it is the same")
            #expect(try await keys(ThingQuery(kind: .space), on: listings) == [["space/*"]])
            // Of two letters there are too many words.
            #expect(try await keys(ThingQuery(kind: .space, q: "ga"), on: listings) == [["space/*"]])
            #expect(
                try await keys(ThingQuery(kind: .space, q: "物置 CAFÉ!"), on: listings) == [
                    ["space/word:物"], ["space/word:置"], ["space/begins:caf"],
                ])
            let many = (1...30).map { "w\($0)" }.joined(separator: " ")
            #expect(try await keys(ThingQuery(kind: .space, q: many), on: listings).count == 9)
        }
    }

    @Test func whatIsNoSearchIsRefusedWithAllThatIsWrong() async throws {
        try await Listings.with { listings in
            let tries: [(ThingQuery, [String])] = [
                (ThingQuery(), ["kind: required"]),
                (ThingQuery(q: "jazz", limit: 3), ["limit: not_allowed", "kind: required"]),
                (ThingQuery(kind: .car, sort: .price), ["sort: not_allowed"]),
                (ThingQuery(kind: .car, sort: .nearest), ["sort: not_allowed"]),
                (ThingQuery(kind: .car, near: library), ["near: not_allowed"]),
                (ThingQuery(kind: .car, by: maya), ["by: not_allowed"]),
                (ThingQuery(kind: .car, mine: true, state: .draft), ["mine: not_allowed", "state: not_allowed"]),
                (ThingQuery(kind: .car, cursor: "x"), ["cursor: not_allowed"]),
                (ThingQuery(kind: .space, brand: "Honda"), ["brand: not_allowed"]),
                (ThingQuery(kind: .car, model: "Jazz"), ["model: not_allowed"]),
                (ThingQuery(kind: .car, brand: " ", model: "Jazz"), ["model: not_allowed"]),
                (ThingQuery(kind: .car, q: "jazz\u{7}"), ["q: not_allowed"]),
                (ThingQuery(kind: .car, q: "😀 %!"), ["q: not_allowed"]),
                (ThingQuery(kind: .car, q: String(repeating: "a ", count: 61)), ["q: too_long"]),
                (ThingQuery(kind: .car, highestPrice: -1), ["highestPrice: out_of_range"]),
                (ThingQuery(kind: .space, from: "2026-10-01"), ["until: not_a_day"]),
                (ThingQuery(kind: .space, from: "2026-09-20", until: "2026-09-20"), ["from: past"]),
                (
                    ThingQuery(kind: .space, highestPrice: -1, from: "2027-10-20", until: "2027-10-21"),
                    ["highestPrice: out_of_range", "from: too_late"]
                ),
            ]
            for (query, wrong) in tries {
                let found = try await listings.wrong(in: wanted(query))
                #expect(found == wrong.map { "things.\($0)" }, "\(query)")
            }
        }
    }

    /// When the first of them is over, nobody can ask for them any more.
    @Test func whatLooksForDaysEndsWithThem() async throws {
        try await Listings.with { listings in
            let space = Subject(try await listings.posted(spaceDraft()).id)
            let query = wanted(ThingQuery(kind: .space, from: "2026-10-01", until: "2026-10-04"))
            let read = try await listings.searched.read(query)
            #expect(read.until == WireJSON.date(from: "2026-10-01T16:00:00Z"))
            let hours = ThingQuery(kind: .parking, from: "2026-10-01T14:00", until: "2026-10-01T18:00")
            let over = WireJSON.date(from: "2026-10-01T07:00:00Z")
            #expect(try await listings.searched.read(wanted(hours)).until == over)
            let search = SearchJudging.Search(query)
            let end = try #require(read.until)
            listings.clock.advance(by: .seconds(Int(end.timeIntervalSince(noon)) - 1))
            #expect(try await listings.judged(space, [search]) == [search.id])
            #expect(try await listings.looked(query, by: tom) == [space])
            listings.clock.advance(by: .seconds(1))
            #expect(try await listings.judged(space, [search]).isEmpty)
            #expect(try await listings.looked(query, by: tom).isEmpty)
            #expect(try await listings.wrong(in: query) == ["things.from: past"])
        }
    }

    @Test func whatCanBeFoundIsSaidOfItAndNoDoor() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft("Jazz, Café am Tor")).id
            let searchable = try #require(try await listings.searched.searchable(Subject(car)))
            #expect(searchable.owner == maya && searchable.title == "Jazz, Café am Tor" && searchable.thing == .car)
            #expect(!searchable.isForOne && searchable.position == Position(latitude: 1.3525, longitude: 103.8475))
            let words = ["jazz", "cafe", "am", "tor", "room", "for", "four", "and", "a", "pram"]
            let begun = ["jaz", "caf", "tor", "roo", "for", "fou", "and", "pra"]
            let said = ["region:Central", "brand:Honda", "model:Jazz", "*"]
            let keys = words.map { "word:\($0)" } + Set(begun).map { "begins:\($0)" } + said
            #expect(Set(searchable.keys.map(\.rawValue)) == Set(keys.map { "car/\($0)" }))
            #expect(searchable.keys.count == keys.count)
            let text = String(decoding: try WireJSON.encode(searchable), as: UTF8.self)
            #expect(!text.contains("SBA1234G") && !text.contains("04-56") && !text.contains("1.351"))

            func isThere(_ id: ThingID) async throws -> Bool {
                try await listings.searched.searchable(Subject(id)) != nil
            }
            let draft = try await listings.posted(spaceDraft(isComplete: false)).id
            #expect(try await !isThere(draft))
            #expect(try await !isThere(.new()))
            try await listings.rentals.withdraw(car, .from(maya))
            #expect(try await !isThere(car))
        }
    }

    @Test func whatOneRentsIsStillShownAndWhatIsGoneIsNot() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let space = try await listings.posted(spaceDraft()).id
            let spot = try await listings.posted(by: lin).id
            let subjects = [Subject(car), Subject(space), Subject(ThingID.new()), Subject(spot)]
            func found(_ person: PersonID) async throws -> Set<ThingID> {
                let items = try await listings.searched.found(FoundQuery(for: person, subjects)).items
                #expect(items.contains { $0.spot?.id == spot })
                return Set(items.compactMap { $0.thing?.id })
            }
            #expect(try await found(tom) == [car, space])
            #expect(try await found(maya).isEmpty, "her own")
            _ = try await listings.ask(car)
            try await listings.rentals.withdraw(car, .from(maya))
            #expect(try await found(tom) == [car, space])
            #expect(try await found(kim) == [space])
            try await listings.part(maya, tom)
            #expect(try await found(tom) == [car])
            let items = try await listings.searched.found(FoundQuery(for: tom, [Subject(car)])).items
            #expect(items.first?.thing?.rental != nil && items.first?.thing?.isExact == true)
            try await listings.apply(
                SubjectHidden(subject: Subject(space), hiding: Hiding(at: noon, reason: "No space.")))
            #expect(try await found(kim).isEmpty)
        }
    }

    /// Of all that are there, the newest are asked until there are enough.
    @Test func whetherOneIsFreeIsAskedWhenItsTurnComes() async throws {
        try await Listings.with { listings in
            try await listings.copies(of: listings.posted(spaceDraft()).id)
            let query = ThingQuery(kind: .space, q: "half", from: "2026-10-01", until: "2026-10-04")
            let search = try #require(try await listings.rentals.timed([ThingSearch(query)], at: noon).first)
            let plan = try await listings.database.query("EXPLAIN ANALYZE " + search.newest(for: tom, .off))
                .map { try $0.get("QUERY PLAN", as: String.self) }
            let asked = plan.first { $0.contains("on occupied") } ?? ""
            #expect(asked.contains("loops=\(SearchLook.most))"), "\(plan.joined(separator: "\n"))")
            #expect(try await listings.looked(wanted(query), by: tom).count == SearchLook.most)
        }
    }

    /// However many things there are, it is one of them that is looked at.
    @Test func aThingIsJudgedByItsOwnKey() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted(spaceDraft()).id
            try await listings.copies(of: id)
            for query in [ThingQuery(kind: .space), ThingQuery(kind: .space, q: "half gar", region: "East")] {
                let statement = try ThingSearch(query).finding(id, for: tom, .off)
                let plan = try await listings.database.query("EXPLAIN " + statement)
                    .map { try $0.get("QUERY PLAN", as: String.self) }.joined(separator: "\n")
                #expect(plan.contains("things_pkey"), "\(plan)")
                #expect(try await listings.looked(wanted(query), by: tom).count == SearchLook.most)
            }
        }
    }
}

extension Listings {
    /// Some thousand more that are the same.
    fileprivate func copies(of id: ThingID) async throws {
        _ = try await database.query(
            """
            INSERT INTO things (id, kind, owner, posted_at, state, title, description, brand, model, region, place, photos,
                price, currency, unit, cancellation, is_instant, zone, globe, latitude, longitude, newness)
            SELECT gen_random_uuid(), kind, owner, posted_at, state, title, description, brand, model, region, place, photos,
                price, currency, unit, cancellation, is_instant, zone, globe, latitude, longitude, newness
            FROM things, generate_series(1, 3000) WHERE id = \(id)
            """)
        _ = try await database.query("ANALYZE things")
    }
}
