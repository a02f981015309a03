import DurableMessaging
import FoundationEssentials
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

@Suite("What standing searches ask of deliveries")
struct DelivererSearchedTests {
    // MARK: Reading

    @Test(arguments: [
        (DelivererSearch(), ["restaurant: required"]),
        (DelivererSearch(restaurant: unicafe.id, near: position(0)), ["near: not_allowed"]),
        (DelivererSearch(restaurant: unicafe.id, radius: 400), ["radius: not_allowed"]),
        (DelivererSearch(near: position(0), radius: 49), ["radius: out_of_range"]),
        (DelivererSearch(near: position(0), radius: 5001), ["radius: out_of_range"]),
        (
            DelivererSearch(near: Position(latitude: 86, longitude: 0), to: Position(latitude: 0, longitude: 181)),
            ["near: out_of_range", "to: out_of_range"]
        ),
        (DelivererSearch(restaurant: unicafe.id, until: noon), ["until: in_past"]),
        (DelivererSearch(restaurant: unicafe.id, until: noon + 60 * 86_400 + 1), ["until: too_far_ahead"]),
        (DelivererSearch(radius: 7, until: noon), ["restaurant: required", "radius: out_of_range", "until: in_past"]),
    ])
    func what_is_wrong_stands_at_its_field(_ search: DelivererSearch, _ wrong: [String]) {
        #expect(errors(in: WantedQuery(deliverers: search)) == wrong.map { "deliverers.\($0)" })
    }

    private func errors(in query: WantedQuery) -> [String] {
        do throws(WantedError) {
            _ = try WantedDeliverer(query, at: noon)
            return []
        } catch {
            guard case .invalid(let errors) = error else { return ["\(error)"] }
            return errors.map { "\($0.field): \($0.code)" }
        }
    }

    @Test func one_form_is_read() {
        #expect(errors(in: spots(within: 100)) == ["query: required"])
        var both = WantedQuery(deliverers: DelivererSearch(restaurant: unicafe.id))
        both.spots = SpotQuery(near: position(0))
        #expect(errors(in: both) == ["query: not_allowed"])
        #expect(both.service == nil && WantedQuery(deliverers: DelivererSearch()).service == .matching)
    }

    @Test func read_again_it_is_the_same() throws {
        let until = noon + 60 * 86_400
        let restaurant = DelivererSearch(restaurant: unicafe.id, to: position(5), until: until)
        let read = try WantedDeliverer(WantedQuery(deliverers: restaurant), at: noon).read
        #expect(read.query.deliverers == restaurant && read.until == until && read.around == nil)
        #expect(read.anchors.map { $0.map(\.rawValue) } == [["restaurant/\(unicafe.id)"]])
        let circle = try WantedDeliverer(WantedQuery(deliverers: DelivererSearch(near: position(9))), at: noon).read
        #expect(circle.query.deliverers?.radius == 400 && circle.until == nil)
        #expect(circle.around == ReadSearch.Circle(middle: position(9), radius: 400) && circle.anchors.count == 1)
        for one in [read, circle] { #expect(try WantedDeliverer(one.query, at: noon).read == one) }
    }

    @Test func a_restaurant_is_one_that_Places_knows() async throws {
        try await Deliveries.with { deliveries in
            func read(_ id: PlaceID) async throws -> ReadSearch {
                try await deliveries.useCases.readSearch(WantedQuery(deliverers: DelivererSearch(restaurant: id)))
            }
            let known = try await read(unicafe.id)
            #expect(known.query.deliverers?.restaurant == unicafe.id)
            let refused = await #expect(throws: WantedError.self) { try await read(.new()) }
            #expect(refused?.serviceError.errors.map(\.field) == ["deliverers.restaurant"])
            #expect(refused?.serviceError.errors.map(\.code) == ["unknown_place"])
        }
        try await Deliveries.with(places: { _ in throw ServiceError(.unavailable, "Places is away.") }) { deliveries in
            let query = WantedQuery(deliverers: DelivererSearch(restaurant: unicafe.id))
            #expect(await refusalCode { try await deliveries.useCases.readSearch(query) } == .unavailable)
            let near = WantedQuery(deliverers: DelivererSearch(near: position(0)))
            #expect(await refusalCode { try await deliveries.useCases.readSearch(near) } == nil)
        }
    }

    // MARK: The same as the list

    /// At most so many metres away along each axis.
    private func near(_ metres: Double, _ chance: inout SeededGenerator) -> Position {
        let east = Double.random(in: -metres...metres, using: &chance)
        return position(east, Double.random(in: -metres...metres, using: &chance))
    }

    /// So many people at these restaurants; some are gone, full, or not to be seen.
    private func people(
        _ count: Int, at restaurants: [KnownPlace], _ chance: inout SeededGenerator, of deliveries: Deliveries
    ) async throws -> [OfferedAvailability] {
        var all: [OfferedAvailability] = []
        for number in 0..<count {
            let goes = DeliveryPlace(
                place: number % 2 == 0 ? PlaceID.new() : nil, name: "There", position: near(1500, &chance))
            var offered = OfferedAvailability(
                id: .new(at: noon + Double(number)), deliverer: .new(), beganAt: noon,
                state: number % 11 == 0 ? .paused : .available, restaurant: restaurants[number % restaurants.count],
                dropOff: goes, capacity: 1 + number % 3, detour: DeliveryLimits.detours[number % 4],
                until: after(minutes: number % 7 == 0 ? -1 : 30), isListed: number % 5 != 0, changedAt: noon)
            let campus = Bool.random(using: &chance) ? "north" : nil
            try await deliveries.name(offered.deliverer, "Somebody", campus: campus)
            _ = try await deliveries.database.query(offered.insertion(at: noon))
            if number % 13 == 0 {
                _ = try await deliveries.database.query(
                    "UPDATE availabilities SET taken = capacity WHERE id = \(offered.id)")
                offered.taken = offered.capacity
            }
            all.append(offered)
        }
        return all
    }

    /// All whom Tom sees at some restaurants.
    private func listed(at restaurants: [KnownPlace], of deliveries: Deliveries) async throws -> Set<AvailabilityID> {
        var found: Set<AvailabilityID> = []
        for restaurant in restaurants {
            let query = DelivererQuery(restaurant: restaurant.id, limit: 100)
            found.formUnion(try await deliveries.useCases.deliverers(query, for: Caller(person: tom)).items.map(\.id))
        }
        return found
    }

    /// By plain sums.
    private func fits(_ offered: OfferedAvailability, _ search: DelivererSearch) -> Bool {
        let isHere =
            search.restaurant.map { $0 == offered.restaurant.id }
            ?? search.near.map { $0.metres(to: offered.restaurant.position) <= Double(search.radius ?? 400) } ?? false
        let way = search.to.map { $0.metres(to: offered.dropOff.coarse.position) } ?? 0
        return isHere && way <= Double(offered.detour + 150)
    }

    @Test(arguments: [false, true])
    func searches_find_whom_the_list_of_a_restaurant_shows(campusesApart: Bool) async throws {
        try await Deliveries.with(campuses: CampusSeparation(isOn: campusesApart)) { deliveries in
            var chance = SeededGenerator(seed: 30)
            var restaurants: [KnownPlace] = []
            for number in 0..<10 {
                restaurants.append(
                    KnownPlace(id: .new(), name: "Restaurant \(number)", position: near(2000, &chance)))
            }
            let there = try await people(140, at: restaurants, &chance, of: deliveries)
            try await deliveries.name(tom, "Tom", campus: "north")
            for number in [1, 2, 3] { try await deliveries.part(tom, there[number].deliverer) }
            let suspended = there[18].deliverer
            _ = try await deliveries.database.query(
                "INSERT INTO suspensions (person, until, generation) VALUES (\(suspended), 'infinity', 1)")
            let listed = try await listed(at: restaurants, of: deliveries)
            #expect(listed.count > 20 && listed.count < 100)

            var (searches, reads): ([SearchJudging.Search], [ReadSearch]) = ([], [])
            for number in 0..<80 {
                var search = DelivererSearch(to: number % 2 == 0 ? nil : near(1500, &chance))
                if number % 4 < 2 {
                    search.restaurant = restaurants[number / 4 % 10].id
                } else {
                    search.near = near(2000, &chance)
                    search.radius = Int.random(in: WantedDeliverer.radii, using: &chance)
                }
                let read = try WantedDeliverer(WantedQuery(deliverers: search), at: noon).read
                searches.append(SearchJudging.Search(id: .new(), person: tom, query: read.query))
                reads.append(read)
                let fitting = there.filter { listed.contains($0.id) && fits($0, search) }
                let found = try await deliveries.useCases.look(SearchLook(for: tom, read.query)).subjects
                #expect(found == fitting.reversed().map { Subject($0.id) }, "the newest first")
            }

            var (pairs, onTheWay) = (0, 0)
            for offered in there {
                let subject = Subject(offered.id)
                let judging = SearchJudging(of: subject, by: searches)
                let judged = Set(try await deliveries.useCases.judgeSearches(judging).found)
                let fitting = try searches.filter { search in
                    try listed.contains(offered.id) && search.query.read().deliverers.map { fits(offered, $0) } ?? false
                }
                #expect(judged == Set(fitting.map(\.id)))
                let searchable = try await deliveries.useCases.searchable(subject)
                let isThere = offered.isShown(at: noon) && offered.deliverer != suspended
                #expect((searchable != nil) == isThere)
                let keys = Set(searchable?.keys ?? [])
                for (search, read) in zip(searches, reads) where judged.contains(search.id) {
                    #expect(read.anchors.allSatisfy { !keys.isDisjoint(with: $0) })
                    pairs += 1
                    if read.query.deliverers?.to != nil { onTheWay += 1 }
                }
            }
            #expect(pairs > 100 && onTheWay > 5, "\(pairs), \(onTheWay) of them on the way")
        }
    }

    // MARK: What is said of one

    @Test func one_with_one_free_hand_is_for_the_first() async throws {
        try await Deliveries.with { deliveries in
            let there = try await deliveries.bringing { $0.capacity = 2 }
            let subject = Subject(there.id)
            let two = try #require(try await deliveries.useCases.searchable(subject))
            #expect(two.owner == maya && two.title == "Unicafe" && two.position == unicafe.position && !two.isForOne)
            #expect(two.subject == subject && two.noticeKind == .delivererFound)
            #expect(two.raised(to: [tom], at: noon)?.title == "Unicafe")
            #expect(two.raised(to: [tom], at: noon)?.actor == maya)
            _ = try await deliveries.database.query("UPDATE availabilities SET taken = 1")
            #expect(try await deliveries.useCases.searchable(subject)?.isForOne == true)
            _ = try await deliveries.database.query("UPDATE availabilities SET taken = 2")
            #expect(try await deliveries.useCases.searchable(subject) == nil)
            #expect(try await deliveries.useCases.searchable(Subject(AvailabilityID.new())) == nil)
            #expect(try await deliveries.useCases.searchable(Subject(SpotID(there.id.uuid))) == nil)
        }
    }

    @Test func a_deliverer_is_shown_as_the_list_shows_them() async throws {
        try await Deliveries.with { deliveries in
            let home = DropOffDraft(name: "Home", position: position(900))
            let id = try await deliveries.bringing { $0.dropOff = home }.id
            func shown(_ person: PersonID?) async throws -> DelivererFound {
                try await deliveries.useCases.deliverer(id, for: Caller(person: person))
            }
            func found(by person: PersonID) async throws -> [ShelfItem] {
                let query = FoundQuery(for: person, [Subject(id), Subject(SpotID.new())])
                return try await deliveries.useCases.foundItems(query).items
            }
            let query = DelivererQuery(restaurant: unicafe.id)
            let list = try await deliveries.useCases.deliverers(query, for: Caller(person: tom)).items
            let one = try await shown(tom)
            #expect(one.restaurant == unicafe.shown && [one.deliverer] == list)
            #expect(one.deliverer.dropOff.position == position(900).onGrid, "not where exactly they live")
            #expect(try await found(by: tom).map(\.deliverer) == [one])
            #expect(await deliveryRefusal { try await shown(maya) } == .delivererNotFound, "not themselves")
            #expect(await refusalCode { try await shown(nil) } == .unauthenticated)
            try await deliveries.block(tom, maya)
            #expect(await deliveryRefusal { try await shown(tom) } == .delivererNotFound)
            #expect(try await found(by: tom).isEmpty)
            #expect(try await found(by: lin).count == 1)
            deliveries.advance(minutes: 30)
            #expect(await deliveryRefusal { try await shown(lin) } == .delivererNotFound, "whatever the rounds do")
            #expect(try await found(by: lin).isEmpty)
        }
    }

    @Test func what_is_over_finds_nothing() async throws {
        try await Deliveries.with { deliveries in
            let id = Subject(try await deliveries.bringing().id)
            let query = WantedQuery(deliverers: DelivererSearch(restaurant: unicafe.id, until: after(minutes: 10)))
            let search = SearchJudging.Search(id: .new(), person: tom, query: query)
            func finds() async throws -> [Bool] {
                let judged = try await deliveries.useCases.judgeSearches(SearchJudging(of: id, by: [search])).found
                let seen = try await deliveries.useCases.look(SearchLook(for: tom, query)).subjects
                return [judged == [search.id], seen == [id]]
            }
            #expect(try await finds() == [true, true])
            deliveries.advance(minutes: 10)
            #expect(try await finds() == [false, false])
            let other = SearchJudging(of: Subject(SpotID.new()), by: [search])
            #expect(try await deliveries.useCases.judgeSearches(other).found.isEmpty)
        }
    }
}

extension DeliveryUseCases {
    fileprivate func searchable(_ subject: Subject) async throws -> Searchable? {
        try await searchables([subject]).first
    }
}
