import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// What standing searches ask of spots. Maya and Lin post, Tom looks.
@Suite struct SpotSearchedTests {
    private let byTheLibrary = WantedQuery(spots: SpotQuery(near: library, radius: 500))

    @Test func aSearchIsAPointAndHowFar() async throws {
        try await Listings.with { listings in
            let read = try await listings.searched.read(WantedQuery(spots: SpotQuery(near: library)))
            #expect(read.query == WantedQuery(spots: SpotQuery(near: library, radius: 1000)))
            #expect(read.around == ReadSearch.Circle(middle: library, radius: 1000) && read.until == nil)
            #expect(read.anchors.count == 1 && read.anchors.allSatisfy { !$0.isEmpty })
            #expect(try await listings.searched.read(read.query) == read, "read again, it is the same")
            let box = BoundingBox(west: 24, south: 60, east: 25, north: 61)
            let tries: [(SpotQuery, [String])] = [
                (SpotQuery(), ["spots.near: required"]),
                (SpotQuery(radius: 5), ["spots.near: required"]),
                (SpotQuery(bbox: box), ["spots.bbox: not_allowed", "spots.near: required"]),
                (SpotQuery(near: library, of: .posted), ["spots.of: not_allowed"]),
                (SpotQuery(near: library, by: maya), ["spots.by: not_allowed"]),
                (SpotQuery(near: library, limit: 5), ["spots.limit: not_allowed"]),
                (SpotQuery(near: library, cursor: "x"), ["spots.cursor: not_allowed"]),
                (SpotQuery(near: library, radius: 0), ["spots.radius: out_of_range"]),
                (SpotQuery(near: library, radius: 50_001), ["spots.radius: out_of_range"]),
                (SpotQuery(near: Position(latitude: 91, longitude: 0)), ["spots.near: out_of_range"]),
            ]
            for (query, wrong) in tries {
                #expect(try await listings.wrong(in: WantedQuery(spots: query)) == wrong, "\(query)")
            }
            var query = byTheLibrary
            query.things = ThingQuery(kind: .car)
            #expect(try await listings.wrong(in: query) == ["query: not_allowed"])
            (query.spots, query.things) = (nil, nil)
            #expect(try await listings.wrong(in: query) == ["query: required"])
        }
    }

    @Test func whatCanBeFoundIsSaidOfIt() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            let searchable = try #require(try await listings.searched.searchable(Subject(id)))
            #expect(searchable.subject == Subject(id) && searchable.owner == maya && searchable.isForOne)
            #expect(searchable.title == "By the library" && searchable.position == library && searchable.thing == nil)
            #expect(listings.share(searchable, try await listings.searched.read(byTheLibrary)))
            func isThere(_ subject: Subject) async throws -> Bool {
                try await listings.searched.searchable(subject) != nil
            }
            #expect(try await !isThere(Subject(SpotID.new())))
            #expect(try await !isThere(Subject(kind: .ride, id: .new())))
            let car = Subject(try await listings.posted(carDraft()).id)
            let both = SearchablesQuery(of: [car, Subject(id), Subject(SpotID.new())])
            #expect(try await Set(listings.searched.searchables(both).items.map(\.subject)) == [car, Subject(id)])
            let tooMany = SearchablesQuery(of: Array(repeating: car, count: SearchablesQuery.largest + 1))
            #expect(await refusalCode { try await listings.searched.searchables(tooMany) } == .invalid)
            try await listings.hide(id, Hiding(at: noon, reason: "x"))
            #expect(try await !isThere(Subject(id)))
            try await listings.restore(id)
            _ = try await listings.spots.claim(id, .from(tom))
            #expect(try await !isThere(Subject(id)))
            _ = try await listings.spots.release(id, .from(tom))
            #expect(try await isThere(Subject(id)))
            listings.clock.advance(by: .seconds(1800))
            #expect(try await !isThere(Subject(id)), "its time is over")
        }
    }

    private func around(_ place: Position, _ chance: inout SeededGenerator) -> Position {
        let latitude = min(90, place.latitude + Double.random(in: -0.02...0.02, using: &chance))
        var longitude = place.longitude + Double.random(in: -0.04...0.04, using: &chance)
        if longitude > 180 { longitude -= 360 }
        return Position(latitude: latitude, longitude: longitude)
    }

    /// Spots of four people, of which some are hidden, taken, over, or of somebody who is suspended.
    private func town(
        _ listings: Listings, _ places: [Position], _ chance: inout SeededGenerator
    ) async throws -> [SpotID] {
        var spots: [SpotID] = []
        for number in 0..<28 {
            listings.clock.advance(by: .seconds(20))
            let place = around(places[number % places.count], &chance)
            let minutes = Int.random(in: 4...30, using: &chance)
            let person = [maya, tom, lin, kim][Int.random(in: 0..<4, using: &chance)]
            let id = try await listings.posted(draft(at: place, lifetime: .minutes(minutes)), by: person).id
            spots.append(id)
            switch Int.random(in: 0..<10, using: &chance) {
            case 0: try await listings.hide(id, Hiding(at: noon, reason: "x"))
            case 1: _ = try? await listings.spots.claim(id, .from(maya))
            case 2: try await listings.spots.remove(id, .from(person))
            default: break
            }
        }
        try await listings.part(maya, tom)
        try await listings.suspend(kim, until: nil)
        return spots
    }

    /// Around the library, across the date line, and over the pole.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func aStandingSearchFindsWhatTheSearchFinds(seed: UInt64) async throws {
        try await Listings.with { listings in
            var chance = SeededGenerator(seed: seed)
            let places = [
                library, Position(latitude: -16.8, longitude: 179.99), Position(latitude: 89.985, longitude: 10),
            ]
            let spots = try await town(listings, places, &chance)
            var (searches, finds): ([SearchJudging.Search], [WantedID: Set<SpotID>]) = ([], [:])
            for number in 0..<36 {
                let near = around(places[number % places.count], &chance)
                let radius = [50, 300, 1000, 2500, 20_000, 50_000][Int.random(in: 0..<6, using: &chance)]
                let query = SpotQuery(near: near, radius: radius, limit: 100)
                let person = [maya, tom, lin, PersonID.new()][Int.random(in: 0..<4, using: &chance)]
                let found = try await listings.found(query, by: person).items.filter { !$0.mine }.map(\.id)
                let wanted = WantedQuery(spots: SpotQuery(near: near, radius: radius))
                let search = SearchJudging.Search(wanted, by: person)
                searches.append(search)
                finds[search.id] = Set(found)
                let newest = found.sorted(by: >).map { Subject($0) }
                #expect(try await listings.looked(wanted, by: person) == newest, "seed \(seed), \(wanted)")
            }
            var hits = 0
            for id in spots {
                let found = try await listings.judged(Subject(id), searches)
                #expect(found == Set(finds.filter { $0.value.contains(id) }.keys), "seed \(seed), \(id)")
                if found.isEmpty { continue }
                let searchable = try #require(try await listings.searched.searchable(Subject(id)))
                for search in searches where found.contains(search.id) {
                    hits += 1
                    let read = try await listings.searched.read(search.query.read())
                    #expect(listings.share(searchable, read), "seed \(seed), \(search)")
                }
            }
            #expect(hits > 20)
        }
    }

    /// By its box on the map as by the straight line through the earth, on both sides of the date line and at both poles.
    @Test func atTheEndsOfTheMapWhatIsThereIsWhatTheSearchFinds() async throws {
        let places = [
            (0, 180), (0, -180), (-17, 179.9999), (-17, -179.9999), (90, 7), (-90, 0), (89.9999, -170), (-89.9999, 180),
        ].map { Position(latitude: $0.0, longitude: $0.1) }
        try await Listings.with { listings in
            for place in places {
                listings.clock.advance(by: .seconds(1))
                _ = try await listings.posted(draft(at: place))
            }
            for place in places {
                for radius in [1, 25, 1000, 50_000] {
                    let query = SpotQuery(near: place, radius: radius)
                    let found = try await listings.found(query, by: tom).items.map(\.id).sorted(by: >)
                    let newest = try await listings.looked(WantedQuery(spots: query), by: tom)
                    #expect(!found.isEmpty && newest == found.map { Subject($0) }, "\(place), \(radius)")
                }
            }
        }
    }

    /// Not all of a circle, which may be all of a town, and then in order.
    @Test func theNewestComeInTheOrderOfAnIndex() async throws {
        for isOn in [false, true] {
            let campuses = CampusSeparation(isOn: isOn)
            try await Listings.with(campuses: campuses) { listings in
                try await CampusIndexes.settle(isOn, in: listings.database)
                for place in [library, Position(latitude: -16.8, longitude: 180)] {
                    let search = try SpotSearch(SpotQuery(near: place, radius: 500))
                    let statement = search.newest(for: tom, at: noon, campuses)
                    let plan = try await listings.database.transaction { transaction in
                        try await transaction.query("SET LOCAL enable_seqscan = off")
                        // The others' index, so that this one can be seen to do.
                        if isOn { try await transaction.query("DROP INDEX IF EXISTS spots_newest_within") }
                        return try await transaction.query("EXPLAIN " + statement)
                    }.map { try $0.get("QUERY PLAN", as: String.self) }
                    let index = isOn ? "spots_newest_of_campus" : "spots_newest_within"
                    let scans = plan.filter { $0.contains("using \(index)") }
                    let ordered = plan.filter { $0.contains("Order By: (map ~> '-5'") }
                    let parts = place == library ? 1 : 2
                    #expect(scans.count == parts && ordered.count == parts, "\(plan.joined(separator: "\n"))")
                }
            }
        }
    }

    @Test func campusesAreKeptApart() async throws {
        try await Listings.with(campuses: CampusSeparation(isOn: true)) { listings in
            for (id, campus) in [(maya, "hill"), (lin, "hill"), (tom, "bay")] {
                _ = try await listings.database.query(
                    "INSERT INTO people (id, name, campus) VALUES (\(id), 'Somebody', \(campus))")
            }
            let id = try await listings.posted().id
            let searches = [lin, tom, maya, kim].map { SearchJudging.Search(byTheLibrary, by: $0) }
            #expect(try await listings.judged(Subject(id), searches) == [searches[0].id])
            for (person, isThere) in [(lin, true), (tom, false), (maya, false), (kim, false)] {
                #expect(try await listings.looked(byTheLibrary, by: person).isEmpty != isThere)
                let found = try await listings.searched.found(FoundQuery(for: person, [Subject(id)])).items
                #expect(found.isEmpty != isThere)
            }
        }
    }

    @Test func oneThatCannotBeReadFindsNothingAndKeepsNobodyFromTheRest() async throws {
        try await Listings.with { listings in
            let id = Subject(try await listings.posted().id)
            let wrong = WantedQuery(spots: SpotQuery(near: library, radius: 500, limit: 7))
            let searches = [wrong, byTheLibrary, WantedQuery(things: ThingQuery(kind: .car))].map {
                SearchJudging.Search($0)
            }
            #expect(try await listings.judged(id, searches) == [searches[1].id])
            #expect(try await listings.judged(id, []).isEmpty)
            #expect(try await listings.judged(Subject(kind: .ride, id: id.id), searches).isEmpty)
            #expect(try await listings.looked(wrong, by: tom).isEmpty)
        }
    }

    @Test func noMoreIsAskedThanMayBe() async throws {
        try await Listings.with { listings in
            let id = Subject(try await listings.posted().id)
            let searches = (0...SearchJudging.largest).map { _ in SearchJudging.Search(byTheLibrary) }
            let all = Array(searches.dropLast())
            #expect(try await listings.judged(id, all) == Set(all.map(\.id)))
            #expect(await refusalCode { try await listings.judged(id, searches) } == .invalid)
            let many = Array(repeating: id, count: FoundQuery.largest + 1)
            #expect(await refusalCode { try await listings.searched.found(FoundQuery(for: tom, many)) } == .invalid)
        }
    }

    @Test func ofWhatWasFoundTheRestIsShownAsItIsNow() async throws {
        try await Listings.with { listings in
            let (free, held) = (try await listings.posted().id, try await listings.posted(draft("Held")).id)
            let (hidden, lins) = (try await listings.posted(draft("Hidden")).id, try await listings.posted(by: lin).id)
            let subjects = [free, held, hidden, lins, .new()].map { Subject($0) }
            func found(_ person: PersonID) async throws -> Set<SpotID?> {
                Set(try await listings.searched.found(FoundQuery(for: person, subjects)).items.map { $0.spot?.id })
            }
            try await listings.hide(hidden, Hiding(at: noon, reason: "x"))
            #expect(try await found(tom) == [free, held, lins])
            #expect(try await found(maya) == [lins])
            _ = try await listings.spots.claim(held, .from(tom))
            #expect(try await found(tom) == [free, held, lins])
            #expect(try await found(kim) == [free, lins])
            try await listings.part(maya, tom)
            #expect(try await found(tom) == [held, lins], "what one holds one goes on holding")
            let mine = try await listings.searched.found(FoundQuery(for: tom, [Subject(held)])).items
            #expect(mine.first?.spot?.claim?.mine == true && mine.first?.spot?.postedBy.name == "Someone")
            listings.clock.advance(by: .seconds(1801))
            #expect(try await found(tom) == [held])
            #expect(try await found(kim).isEmpty)
        }
    }

    /// However many spots there are, it is one of them that is looked at.
    @Test func aSpotIsJudgedByItsOwnKey() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            _ = try await listings.database.query(
                """
                INSERT INTO spots (id, posted_by, posted_at, name, kind, latitude, longitude, expires_at, state, there, gone,
                    map, globe)
                SELECT gen_random_uuid(), posted_by, posted_at, name, kind, latitude, longitude, expires_at, 'free', 0, 0,
                    map, globe
                FROM spots, generate_series(1, 5000)
                """)
            _ = try await listings.database.query("ANALYZE spots")
            let search = try SpotSearch(SpotQuery(near: library, radius: 500))
            let statement = search.finding(id, for: tom, at: noon, .off)
            let plan = try await listings.database.query("EXPLAIN " + statement)
                .map { try $0.get("QUERY PLAN", as: String.self) }.joined(separator: "\n")
            #expect(plan.contains("spots_pkey"), "\(plan)")
            let newest = try await listings.looked(byTheLibrary, by: tom)
            #expect(newest.count == SearchLook.most && Set(newest).count == newest.count)
        }
    }
}
