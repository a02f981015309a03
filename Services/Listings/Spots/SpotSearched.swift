import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// What standing searches ask of spots: the search around a point answers them, of one spot or of the newest.

/// A standing search for spots that are free around a point.
struct SpotSearch: Hashable, Sendable {
    /// What its keys are of.
    static let vertical = "spot"
    let circle: ReadSearch.Circle

    /// - Throws: `invalid`, with all that is wrong.
    init(_ query: SpotQuery) throws(SpotError) {
        var errors = FieldError.notSearched([
            ("bbox", query.bbox != nil), ("of", query.of != nil), ("by", query.by != nil),
            ("limit", query.limit != nil), ("cursor", query.cursor != nil),
        ])
        let asked = SpotQuery(near: query.near, radius: query.radius)
        errors +=
            asked.near == nil
            ? [FieldError("near", "required", "Around which place?")] : SpotPage.errors(in: asked)
        guard errors.isEmpty, let circle = asked.circle else { throw .invalid(errors) }
        self.circle = circle
    }

    var read: ReadSearch {
        ReadSearch(
            query: WantedQuery(spots: SpotQuery(near: circle.middle, radius: circle.radius)),
            anchors: [SearchCells.keys(within: circle, of: Self.vertical)], around: circle)
    }

    // MARK: SQL

    /// A row where it finds this spot for somebody, by the spot's own key.
    func finding(_ id: SpotID, for person: PersonID, at now: Date, _ campuses: CampusSeparation) -> SQLQuery {
        let others = Self.others(than: person, campuses)
        let isFree = SpotPage.isFree(near: circle.middle, within: circle.radius, at: now, others)
        return "SELECT FROM spots WHERE id = \(id) AND \(isFree)"
    }

    /// The newest that it finds for somebody. An index has the newest of the box around the circle first; those in the corners are passed over.
    /// All of the circle would have to be read, and put in order, without it.
    func newest(for person: PersonID, at now: Date, _ campuses: CampusSeparation) -> SQLQuery {
        let most = SearchLook.most
        let condition: SQLQuery = """
            AND \(circle.middle.isWithin(circle.radius)) \(Self.others(than: person, campuses))
            """
        let parts = BoundingBox(around: circle.middle, metres: Double(circle.radius)).parts.map { part -> SQLQuery in
            "(\(SpotPage.newest(most, "id", within: part, at: now, condition)))"
        }
        return """
            SELECT id FROM (\(parts.dropFirst().reduce(parts[0]) { $0 + " UNION ALL " + $1 })) AS newest
            ORDER BY id DESC LIMIT \(unescaped: "\(most)")
            """
    }

    /// "And the poster is somebody else, and is not apart from this person."
    private static func others(than person: PersonID, _ campuses: CampusSeparation) -> SQLQuery {
        "AND posted_by <> \(person) \(SpotPage.together(with: person, campuses))"
    }
}

extension SpotUseCases {
    /// Those of some spots that somebody can find now.
    func searchables(_ ids: [SpotID]) async throws -> [Searchable] {
        if ids.isEmpty { return [] }
        let now = clock()
        let spots = try await store.database.read(SpotViewer.everything.spots("id = ANY(\(ids))", people.campuses))
        return try spots.map { try ParkingSpot($0) }.filter { $0.isShown && $0.state(at: now) == .free }
            .map(Searchable.init)
    }

    /// Those of the searches that find it now. One that can't be read finds nothing.
    func judge(_ id: SpotID, by searches: [SearchJudging.Search]) async throws -> [WantedID] {
        let now = clock()
        let asked = searches.compactMap { search in
            (try? search.query.read().spots).flatMap { try? SpotSearch($0) }.map {
                (search.id, $0.finding(id, for: search.person, at: now, people.campuses))
            }
        }
        let areFound = try await store.database.areFound(by: asked.map { $0.1 })
        return zip(asked, areFound).filter { $0.1 }.map { $0.0.0 }
    }

    /// The newest that it finds; none where it looks for something else, or can't be read.
    func look(_ look: SearchLook) async throws -> [Subject] {
        guard let search = look.query.spots.flatMap({ try? SpotSearch($0) }) else { return [] }
        let statement = search.newest(for: look.person, at: clock(), people.campuses)
        return try await store.database.read(statement).map { Subject(try $0.get("id", as: SpotID.self)) }
    }

    /// Those of some spots that somebody can find now, or holds.
    func found(_ ids: [SpotID], for person: PersonID) async throws -> [Spot] {
        if ids.isEmpty { return [] }
        let now = clock()
        let looks = SpotViewer(person: person, claimsSince: now - limits.claimLifetime)
        let which: SQLQuery = """
            id = ANY(\(ids)) AND posted_by <> \(person)
            AND (state = 'free' AND expires_at > \(now) OR claimed_by = \(person))
            """
        let spots = try await store.database.read(looks.spots(which, people.campuses)).map { try ParkingSpot($0) }
        // Of those that one holds, the poster may be apart from oneself.
        let names = try await people.summaries(of: Set(spots.flatMap(\.people)), for: person)
        return spots.map { Spot($0, for: person, among: names, at: now) }
    }
}

extension Searchable {
    fileprivate init(_ spot: ParkingSpot) {
        let position = spot.details.position
        self.init(
            Subject(spot.id), of: spot.postedBy, title: spot.details.name,
            keys: SearchCells.keys(at: position, of: SpotSearch.vertical), at: position, isForOne: true)
    }
}

extension SpotTransaction {
    /// Tells those who keep standing searches that a spot can be found, says something else, or can be found no more.
    /// - Parameter before: as it was; nil where it is new.
    func tellSearches(of spot: ParkingSpot, after before: ParkingSpot?) {
        guard spot.findable != before?.findable else { return }
        tellSearches(of: spot.id)
    }

    /// The same of all that somebody shares who belongs to another campus by what this transaction has written: a trigger has moved their spots.
    func tellSearchesOfMoved(_ poster: PersonID) async throws {
        let moved = try await transaction.query(
            """
            SELECT id FROM spots
            WHERE posted_by = \(poster) AND state = 'free' AND xmin = pg_current_xact_id()::xid ORDER BY id
            """)
        for row in moved { tellSearches(of: try row.get("id", as: SpotID.self)) }
    }

    private func tellSearches(of spot: SpotID) {
        transaction.publish(SearchableChanged(subject: Subject(spot)), about: "spot/\(spot)", to: .nobody)
    }
}

extension ParkingSpot {
    /// What others find of it, as it is stored; nil where they don't find it. That time passes, the sweep brings there.
    fileprivate var findable: SpotDetails? { state == .free && isShown ? details : nil }
}
