import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// What standing searches ask of rides. What they find is said by the search of this service, and by nothing else.

extension RideUseCases {
    func readSearch(_ query: WantedQuery) throws(RideError) -> ReadSearch {
        let now = clock()
        let wanted = try WantedRide(query, at: now)
        try wanted.checkIsAhead(of: now)
        return ReadSearch(
            query: WantedQuery(rides: wanted.query), anchors: wanted.page.wish.anchors(at: now), until: wanted.until)
    }

    /// Those of some that others can find now.
    func searchables(_ query: SearchablesQuery) async throws -> Searchables {
        guard query.subjects.count <= SearchablesQuery.largest else {
            throw RideError.tooMany("subjects", atMost: SearchablesQuery.largest)
        }
        let ids = query.subjects.compactMap { $0.id(of: Ride.self) }
        let now = clock()
        let rides = try await store.rides(ids, for: nil, isModerator: true).map(\.ride)
        return Searchables(rides.filter { $0.isListed && now < $0.leavesBy }.map(Searchable.init))
    }

    func judgeSearches(_ judging: SearchJudging) async throws -> SearchJudgement {
        let now = clock()
        let (ride, seekers) = try seekers(judging, at: now)
        return SearchJudgement(found: try await finder.searches(finding: ride, among: seekers, at: now))
    }

    /// What cannot be read any more is over.
    func seekers(_ judging: SearchJudging, at now: Date) throws(RideError) -> (ride: RideID, seekers: [RideSeeker]) {
        guard judging.searches.count <= SearchJudging.largest else {
            throw .tooMany("searches", atMost: SearchJudging.largest)
        }
        guard let ride = judging.subject.id(of: Ride.self) else { throw .notFound }
        let seekers = judging.searches.compactMap { search in
            (try? WantedRide(search.query.read(), at: now)).map {
                RideSeeker(search: search.id, person: search.person, page: $0.page)
            }
        }
        return (ride, seekers)
    }

    /// The best that it finds now; of what is over nothing.
    func look(_ look: SearchLook) async throws -> SearchLookAnswer {
        let now = clock()
        guard let wanted = try? WantedRide(look.query, at: now) else { return SearchLookAnswer(subjects: []) }
        let found = try await finder.found(wanted.page, for: look.person, at: now)
        let rides = found.offers.shown.map(\.seen.ride).filter { $0.driver != look.person }
        return SearchLookAnswer(subjects: rides.map { Subject($0.id) })
    }

    /// In the order in which they are named.
    func foundItems(_ query: FoundQuery) async throws -> FoundItems {
        guard query.subjects.count <= FoundQuery.largest else {
            throw RideError.tooMany("subjects", atMost: FoundQuery.largest)
        }
        let now = clock()
        let ids = query.subjects.compactMap { $0.id(of: Ride.self) }
        let found = try await store.findable(ids, for: query.person, at: now)
        let company = try await company(of: found, for: query.person)
        return FoundItems(items: found.map { ShelfItem(company.answer($0, to: query.person, at: now)) })
    }
}

extension RideError {
    fileprivate static func tooMany(_ field: String, atMost limit: Int) -> RideError {
        .invalid([FieldError(field, "too_many", "At most \(limit) at once.")])
    }
}

extension Searchable {
    init(_ ride: OfferedRide) {
        self.init(
            Subject(ride.id), of: ride.driver, title: ride.title, keys: ride.searchKeys,
            isForOne: ride.freeByLeg.max() == 1)
    }
}

// MARK: When to look anew

/// What of a ride a search may ask for, and what is told of it where it is found.
struct SearchedFacts: Hashable, Sendable {
    let title: String
    var way: FittedWay
    let seats: Int
    var load: SeatLoad
    let luggage: RideLuggage
    let legs: [StreetLeg]?

    /// Whether more people ride along, or less of the detour is left, and nothing else differs: then no search finds it that did not before.
    func isNarrower(than before: SearchedFacts) -> Bool {
        var others = self
        (others.load, others.way.detourLeft) = (before.load, before.way.detourLeft)
        return others == before && way.detourLeft <= before.way.detourLeft && before.load.isWithin(load)
    }
}

extension OfferedRide {
    /// Nil where no search finds it.
    var searchedFacts: SearchedFacts? {
        guard isListed else { return nil }
        return SearchedFacts(
            title: title, way: FittedWay(self), seats: seats, load: load, luggage: luggage, legs: legs)
    }
}

extension RideTransaction {
    /// Says that a ride may be found by other searches than before, where that is so.
    func tellSearches(of ride: OfferedRide, since before: OfferedRide?) {
        let (facts, earlier) = (ride.searchedFacts, before?.searchedFacts)
        guard facts != earlier else { return }
        let isNarrower = facts.flatMap { facts in earlier.map { facts.isNarrower(than: $0) } } ?? false
        tellSearches(of: ride.id, isNarrower: isNarrower)
    }

    private func tellSearches(of ride: RideID, isNarrower: Bool = false) {
        let change = SearchableChanged(subject: Subject(ride), isNarrower: isNarrower)
        transaction.publish(change, about: "ride/\(ride)", to: .nobody)
    }

    /// The same of all that somebody drives who belongs to another campus by what this transaction has written: a trigger has moved their rides.
    func tellSearchesOfMoved(_ driver: PersonID) async throws {
        let moved = try await transaction.query(
            "SELECT id FROM rides WHERE driver = \(driver) AND listed AND changed_in = pg_current_xact_id() ORDER BY id"
        )
        for row in moved { tellSearches(of: try row.get("id")) }
    }
}
