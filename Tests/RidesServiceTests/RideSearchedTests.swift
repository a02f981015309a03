import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import RidesService

@Suite("Standing searches for rides")
struct RideSearchedTests {
    // MARK: The same as the search

    /// Of 300 rides and 200 searches, with and without streets: what the search finds page by page is what each ride is judged to be found by, and
    /// has a key of each anchor.
    @Test func standing_searches_find_what_the_search_finds() async throws {
        let streets = MadeUpStreets()
        var random = RandomRides(seed: 51)
        let all = (0..<300).map { number in
            var ride = random.lasting()
            if number % 2 == 0 { ride.legs = streets.legs(ride.way.points) }
            return ride
        }
        let searches = try (0..<200).map { number in
            var search = random.search(by: tom)
            var query = try search.query.read()
            // As much as the search has it, mostly.
            query.rides?.mostExtra = number % 4 == 0 ? 20_000 : 3_000_000
            search.query = PassedOn(query)
            return search
        }
        try await Rides.with(streets: streets.askForStreets) { rides in
            for ride in all { _ = try await rides.database.query(ride.insertion) }
            let verified = all.indices.filter { $0 % 3 == 0 }.map { all[$0].id }
            _ = try await rides.database.query("UPDATE rides SET campus = 'slo' WHERE id = ANY(\(verified))")
            try await rides.feed.round()
            var found: [RideID: Set<WantedID>] = [:]
            for search in searches {
                let query = try #require(search.query.read().rides)
                for one in try await rides.everything(query, for: tom) {
                    found[one.ride.id, default: []].insert(search.id)
                }
            }
            let allAnchors = try searches.map { try rides.rides.readSearch($0.query.read()).anchors }
            var (pairs, candidates) = (0, 0)
            for ride in all {
                let judging = SearchJudging(of: Subject(ride.id), by: searches)
                let judged = try await rides.rides.judgeSearches(judging).found
                #expect(Set(judged) == found[ride.id] ?? [] && Set(judged).count == judged.count)
                let keys = Set(try await rides.searchable(ride.id)?.keys ?? [])
                for (search, anchors) in zip(searches, allAnchors) where judged.contains(search.id) {
                    #expect(anchors.count == 2 && anchors.allSatisfy { !keys.isDisjoint(with: $0) })
                }
                pairs += judged.count
                candidates += allAnchors.count { !keys.isDisjoint(with: $0[0]) }
            }
            #expect(pairs > 200 && candidates < all.count * searches.count / 4, "\(pairs) of \(candidates)")
        }
    }

    @Test func what_is_there_is_what_fits_now() async throws {
        try await Rides.with { rides in
            try await rides.feed.round()
            let ride = try await rides.posted().id
            let own = try await rides.posted(by: tom).id
            func look(_ query: RideSearchQuery) async throws -> [RideID?] {
                try await rides.rides.look(SearchLook(for: tom, WantedQuery(rides: query))).subjects
                    .map { $0.id(of: Ride.self) }
            }
            #expect(try await look(.usual()) == [ride], "not what they drive themselves")
            #expect(try await look(.usual { $0.at = after(hours: 200) }).isEmpty, "not the week around")
            #expect(try await look(.usual { $0.at = after(hours: -200) }).isEmpty, "what is over finds nothing")
            let items = try await rides.rides.foundItems(FoundQuery(for: tom, [own, .new(), ride].map { Subject($0) }))
            #expect(items.items.map(\.ride?.id) == [own, ride])
            #expect(items.items.map(\.ride?.mine) == [true, false])
        }
    }

    @Test func what_is_there_is_more_than_a_page() async throws {
        try await Rides.with { rides in
            for _ in 0..<130 { _ = try await rides.database.query(Example.ride(id: .new()).insertion) }
            try await rides.feed.round()
            let there = try await rides.rides.look(SearchLook(for: tom, WantedQuery(rides: .usual()))).subjects
            #expect(there.count == 130 && Set(there).count == 130)
        }
    }

    @Test func what_is_more_extra_is_not_found() async throws {
        try await Rides.with { rides in
            try await rides.feed.round()
            let ride = try await rides.posted().id
            func beside(_ change: (inout RideSearchQuery) -> Void = { _ in }) -> RideSearchQuery {
                .usual {
                    ($0.from, $0.to) = (Example.paso, Example.gilroy)
                    change(&$0)
                }
            }
            func isFound(_ query: RideSearchQuery) async throws -> [Bool] {
                let wanted = WantedQuery(rides: query)
                let search = SearchJudging.Search(id: .new(), person: tom, query: wanted)
                return [
                    try await !rides.rides.judgeSearches(SearchJudging(of: Subject(ride), by: [search])).found.isEmpty,
                    try await !rides.rides.look(SearchLook(for: tom, wanted)).subjects.isEmpty,
                ]
            }
            let extra = try #require(try await rides.everything(beside(), for: tom).first?.extra)
            #expect(try await isFound(beside { $0.mostExtra = extra }) == [true, true])
            #expect(try await isFound(beside { $0.mostExtra = extra - 1 }) == [false, false])
            // From stop to stop it is far: the search finds that, a standing one only where it is asked for.
            let far = beside { $0.noDetour = true }
            #expect(try await rides.everything(far, for: tom).map(\.ride.id) == [ride])
            #expect(try await isFound(far) == [false, false])
            let read = try rides.rides.readSearch(WantedQuery(rides: far))
            #expect(read.query.rides?.mostExtra == 18_000)
            #expect(try await isFound(beside { ($0.noDetour, $0.mostExtra) = (true, 3_000_000) }) == [true, true])
        }
    }

    // MARK: Who finds it

    @Test func each_search_is_judged_for_its_own_person() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            #expect(try await rides.finders(of: ride) == [tom, lin, kim], "not its driver")
            try await rides.part(maya, tom)
            #expect(try await rides.finders(of: ride) == [lin, kim])
            #expect(try await [rides.found(ride, for: tom), rides.found(ride, for: lin)] == [false, true])
            try await rides.hear(SubjectHidden(subject: Subject(ride), hiding: Hiding(at: noon, reason: "Rude.")))
            #expect(try await rides.finders(of: ride).isEmpty)
            #expect(try await rides.searchable(ride) == nil)
            #expect(try await rides.found(ride, for: lin) == false)
            try await rides.hear(SubjectRestored(subject: Subject(ride)))
            #expect(try await rides.finders(of: ride) == [lin, kim])
            try await rides.suspend(maya, until: after(hours: 1))
            #expect(try await rides.finders(of: ride).isEmpty)
            #expect(try await rides.searchable(ride) == nil)
            rides.advance(hours: 1)
            try await rides.pass()
            #expect(try await rides.finders(of: ride) == [lin, kim])
            rides.advance(hours: 48)
            #expect(try await rides.finders(of: ride).isEmpty, "it has left, whatever the rounds do")
            #expect(try await rides.searchable(ride) == nil)
            #expect(try await rides.found(ride, for: lin) == false)
        }
    }

    @Test func campuses_are_kept_apart() async throws {
        try await Rides.with(campuses: CampusSeparation(isOn: true)) { rides in
            for (person, campus) in [(maya, "slo"), (tom, "slo"), (lin, "davis")] {
                try await rides.name(person, "Somebody", campus: campus)
            }
            try await rides.name(kim, "Kim")
            let ride = try await rides.posted().id
            #expect(try await rides.finders(of: ride) == [tom])
            #expect(try await [rides.found(ride, for: tom), rides.found(ride, for: lin)] == [true, false])
            let before = try await rides.told(SearchableChanged.self).count
            try await rides.hear(PersonChanged(person: PersonSummary(id: maya, name: "Maya", campus: "davis")))
            #expect(try await rides.finders(of: ride) == [lin])
            #expect(try await rides.told(SearchableChanged.self).dropFirst(before).map(\.subject) == [Subject(ride)])
            try await rides.hear(PersonChanged(person: PersonSummary(id: maya, name: "Maya M.", campus: "davis")))
            #expect(try await rides.told(SearchableChanged.self).count == before + 1, "her name is no matter")
        }
    }

    @Test func only_so_many_are_judged_at_once() async throws {
        try await Rides.with { rides in
            let ride = Subject(try await rides.posted().id)
            let search = SearchJudging.Search(id: .new(), person: tom, query: WantedQuery(rides: .usual()))
            let most = Array(repeating: search, count: SearchJudging.largest)
            #expect(try await rides.rides.judgeSearches(SearchJudging(of: ride, by: most)).found.count == most.count)
            let more = SearchJudging(of: ride, by: most + [search])
            #expect(await refusalCode { try await rides.rides.judgeSearches(more) } == .invalid)
            let unread = SearchJudging.Search(
                id: .new(), person: tom, query: WantedQuery(rides: .usual { $0.at = after(hours: -100) }))
            let one = SearchJudging(of: ride, by: [unread, search])
            #expect(try await rides.rides.judgeSearches(one).found == [search.id], "what cannot be read finds nothing")
            let many = FoundQuery(for: tom, Array(repeating: ride, count: FoundQuery.largest + 1))
            #expect(await refusalCode { try await rides.rides.foundItems(many) } == .invalid)
            let others = SearchablesQuery(of: [Subject(SpotID.new()), Subject(RideID.new())])
            #expect(try await rides.rides.searchables(others).items.isEmpty)
            let tooMany = SearchablesQuery(of: Array(repeating: ride, count: SearchablesQuery.largest + 1))
            #expect(await refusalCode { try await rides.rides.searchables(tooMany) } == .invalid)
            #expect(try await rides.rides.judgeSearches(SearchJudging(of: Subject(RideID.new()), by: most)).found == [])
        }
    }

    @Test func the_last_seat_is_for_one() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { $0.seats = 2 }.id
            func searchable() async throws -> Searchable { try #require(try await rides.searchable(ride)) }
            let before = try await searchable()
            #expect(before.owner == maya && before.title == "San Luis Obispo → San Francisco")
            #expect(!before.isForOne && before.position == nil && before.thing == nil)
            _ = try await rides.seated(in: ride, 0...1)
            #expect(try await !searchable().isForOne, "two are free on the other leg")
            _ = try await rides.seated(lin, in: ride, 1...2)
            #expect(try await searchable().isForOne)
            _ = try await rides.seated(kim, in: ride)
            #expect(try await !searchable().isForOne, "it is full, and found still")
            #expect(Set(try await searchable().keys) == Set(before.keys))
        }
    }
}

extension Rides {
    fileprivate func searchable(_ ride: RideID) async throws -> Searchable? {
        try await rides.searchables(SearchablesQuery(of: [Subject(ride)])).items.first
    }
}

extension RideSearchQuery {
    /// From Salinas to San Francisco around the departure of the tests' rides.
    static func usual(_ change: (inout RideSearchQuery) -> Void = { _ in }) -> RideSearchQuery {
        var query = RideSearchQuery(from: salinas, to: city, at: Example.departure)
        change(&query)
        return query
    }
}

extension RandomRides {
    mutating func search(by person: PersonID) -> SearchJudging.Search {
        let wish = wish()
        var query = RideSearchQuery(from: wish.from, to: wish.to, noDetour: wish.mayDetour ? nil : true)
        let moment = max(noon, wish.times.lowerBound + 86_400)
        switch number(0...3) {
        case 0: (query.after, query.before) = (moment, moment + Double(number(1...168)) * 3600)
        case 1: query.before = moment + 3600
        default: query.at = moment
        }
        if chance(0.2) { query.luggage = .medium }
        if chance(0.3) { (query.onlyFree, query.seats) = (true, number(1...4)) }
        if chance(0.2) { query.onlyVerified = true }
        return SearchJudging.Search(id: .new(), person: person, query: WantedQuery(rides: query))
    }
}

extension Rides {
    /// Every page of what a search finds.
    func everything(_ query: RideSearchQuery, for person: PersonID?) async throws -> [FoundRide] {
        var query = query
        query.limit = 100
        var found: [FoundRide] = []
        repeat {
            let page = try await rides.search(query, for: Caller(person: person))
            found += page.items
            query.cursor = page.next
        } while query.cursor != nil
        return found
    }

    /// Whose usual search finds it.
    func finders(of ride: RideID) async throws -> [PersonID] {
        let searches = [maya, tom, lin, kim].map {
            SearchJudging.Search(id: .new(), person: $0, query: WantedQuery(rides: .usual()))
        }
        let found = try await rides.judgeSearches(SearchJudging(of: Subject(ride), by: searches)).found
        return searches.filter { found.contains($0.id) }.map(\.person)
    }

    /// Whether what somebody's search has found is still there for them.
    func found(_ ride: RideID, for person: PersonID) async throws -> Bool {
        try await !rides.foundItems(FoundQuery(for: person, [Subject(ride)])).items.isEmpty
    }
}
