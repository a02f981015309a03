import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// What standing searches ask of deliveries, within this process. What they find is said by the list of a restaurant, and by nothing else.

extension DeliveryUseCases {
    /// - Throws: `invalid`, whose fields are those of the query as a whole (`deliverers.near`).
    func readSearch(_ query: WantedQuery) async throws -> ReadSearch {
        let wanted = try WantedDeliverer(query, at: clock())
        guard let restaurant = wanted.query.restaurant else { return wanted.read }
        let places = KnownPlaces(try await askForPlaces([restaurant]))
        var errors: [FieldError] = []
        _ = DeliveryRules.restaurant(restaurant, at: "deliverers.restaurant", among: places, &errors)
        guard errors.isEmpty else { throw WantedError.invalid(errors) }
        return wanted.read
    }

    /// Those of some whom others can find now.
    func searchables(_ subjects: [Subject]) async throws -> [Searchable] {
        let ids = subjects.compactMap { $0.id(of: Availability.self) }
        if ids.isEmpty { return [] }
        return try await store.database.read(OfferedAvailability.findable(ids, at: clock())).map { row in
            Searchable(try OfferedAvailability(row))
        }
    }

    /// Those of the searches that find them now. One that can't be read any more is over, and finds nothing.
    func judgeSearches(_ judging: SearchJudging) async throws -> SearchJudgement {
        guard let id = judging.subject.id(of: Availability.self) else { return SearchJudgement(found: []) }
        let now = clock()
        let asked = judging.searches.compactMap { search in
            (try? WantedDeliverer(search.query.read(), at: now)).map {
                (search.id, $0.finding(id, for: search.person, at: now, people.campuses))
            }
        }
        let areFound = try await store.database.areFound(by: asked.map { $0.1 })
        return SearchJudgement(found: zip(asked, areFound).filter { $0.1 }.map { $0.0.0 })
    }

    /// The newest whom it finds; of what is over nobody.
    func look(_ look: SearchLook) async throws -> SearchLookAnswer {
        let now = clock()
        guard let wanted = try? WantedDeliverer(look.query, at: now) else { return SearchLookAnswer(subjects: []) }
        let rows = try await store.database.read(wanted.newest(for: look.person, at: now, people.campuses))
        return SearchLookAnswer(subjects: try rows.map { Subject(try $0.get("id", as: AvailabilityID.self)) })
    }

    /// Those of some whom somebody can find now.
    func foundItems(_ query: FoundQuery) async throws -> FoundItems {
        let ids = query.subjects.compactMap { $0.id(of: Availability.self) }
        return FoundItems(items: try await shown(ids, to: query.person).map { ShelfItem($0) })
    }

    /// Somebody who can bring something, and from where.
    func deliverer(_ id: AvailabilityID, for caller: Caller) async throws -> DelivererFound {
        let person = try caller.requirePerson()
        guard let found = try await shown([id], to: person).first else { throw DeliveryError.delivererNotFound }
        return found
    }

    private func shown(_ ids: [AvailabilityID], to person: PersonID) async throws -> [DelivererFound] {
        if ids.isEmpty { return [] }
        let statement = OfferedAvailability.shown(ids, to: person, at: clock(), people.campuses)
        let found = try await store.database.read(statement).map(OfferedAvailability.init)
        let names = try await people.summaries(of: Set(found.map(\.deliverer)), for: person)
        return found.map {
            DelivererFound(restaurant: $0.restaurant.shown, deliverer: Deliverer($0, to: nil, among: names))
        }
    }
}

extension Searchable {
    /// Somebody with one free hand is for the first who asks them.
    init(_ offered: OfferedAvailability) {
        let (vertical, restaurant) = (WantedDeliverer.vertical, offered.restaurant)
        self.init(
            Subject(offered.id), of: offered.deliverer, title: restaurant.name,
            keys: SearchCells.keys(at: restaurant.position, of: vertical) + [WantedDeliverer.key(of: restaurant.id)],
            at: restaurant.position, isForOne: offered.free == 1)
    }
}

extension OfferedAvailability {
    /// One whom somebody may see.
    fileprivate static func findable(_ ids: [AvailabilityID], at now: Date) -> SQLQuery {
        "SELECT \(columns) FROM availabilities WHERE id = ANY(\(ids)) AND \(isFindable(at: now))"
    }

    /// Those of some whom one person sees.
    fileprivate static func shown(
        _ ids: [AvailabilityID], to person: PersonID, at now: Date, _ campuses: CampusSeparation
    ) -> SQLQuery {
        """
        SELECT \(columns) FROM availabilities
        WHERE id = ANY(\(ids)) AND \(isShown(to: person, at: now, campuses)) ORDER BY id
        """
    }
}
