import FoundationEssentials
import People
import PlainText
import Postgres
import WireProtocol

/// One page of those who seek a ride, the soonest first: by when they want to have left.
struct SeekerPage: Hashable, Sendable {
    var region: String?
    var direction = RideDirection.from
    var limit = PageSize.usual
    var after: MomentCursor?

    static let longestRegion = 120

    /// - Throws: `invalid`.
    init(_ query: SeekingQuery) throws(WantedError) {
        var errors: [FieldError] = []
        region = TextRule.line(Self.longestRegion).read(query.region, at: "region", &errors)
        direction = query.direction ?? .from
        if query.direction != nil, query.region == nil {
            errors.append(FieldError("direction", "not_allowed", "A direction needs a region."))
        }
        limit = query.readLimit(&errors)
        after = query.readCursor(&errors) { MomentCursor($0) }
        guard errors.isEmpty else { throw .invalid(errors) }
    }

    /// Answers the first `limit` + 1.
    func statement(for viewer: PersonID, at now: Date, _ campuses: CampusSeparation) -> SQLQuery {
        let end: SQLQuery = direction == .from ? "wanted.seeks_from" : "wanted.seeks_to"
        let there: SQLQuery = region.map { "AND \(end) = \($0)" } ?? ""
        let beyond: SQLQuery = after.map { "AND (wanted.seeks_before, wanted.id) > (\($0.time), \($0.id))" } ?? ""
        let page: SQLQuery = """
            SELECT wanted.id, wanted.person, wanted.seeking, wanted.seeks_before FROM wanted
            WHERE \(WantedSearch.isShown(to: viewer, at: now, campuses)) \(there) \(beyond)
            ORDER BY wanted.seeks_before, wanted.id LIMIT \(unescaped: "\(limit + 1)")
            """
        // By a plan for all values all who seek in a region would be read, and put in order.
        return page.plannedAnew
    }
}

/// Somebody who seeks a ride, as the table has it.
struct FoundSeeker: Hashable, Sendable {
    let id: WantedID
    let person: PersonID
    let seeking: Seeking
    let before: Date

    init(_ row: PostgresRow) throws {
        (id, person, before) = (try row.get("id"), try row.get("person"), try row.get("seeks_before"))
        seeking = try row.get("seeking", as: JSON<Seeking>.self).value
    }

    /// What the page after them begins with.
    var cursor: MomentCursor { MomentCursor(before, id.uuid) }
}

extension WantedSearch {
    /// Whether somebody sees who seeks this: it is live, its time is not over, and its person is somebody else, not apart from them, and not suspended.
    static func isShown(to viewer: PersonID, at now: Date, _ campuses: CampusSeparation) -> SQLQuery {
        """
        wanted.is_visible AND wanted.state = 'live' AND wanted.due_at > \(now) AND wanted.seeks_before > \(now)
            AND wanted.person <> \(viewer) AND \(BlockProjection.isTogether("wanted.person", with: viewer))
            AND NOT \(SuspensionProjection.isAmongSuspended("wanted.person", at: now))
            \(campuses.condition("wanted.seeks_campus", isOf: viewer))
        """
    }
}

/// One page of those who seek along the way of a ride: the fewest extra metres first.
struct RideSeekersPage: Hashable, Sendable {
    var ride: RideID
    var limit = PageSize.usual
    var after: DistanceCursor?

    /// - Throws: `invalid`.
    init(_ query: RideSeekersQuery) throws(WantedError) {
        ride = query.ride
        var errors: [FieldError] = []
        limit = query.readLimit(&errors)
        after = query.readCursor(&errors) { DistanceCursor($0) }
        guard errors.isEmpty else { throw .invalid(errors) }
    }

    /// The first of some that come after the page before, of one more than it holds.
    func cut(_ fits: [SeekerFit]) -> FoundPage<SeekerFit> {
        let sorted = fits.sorted { ($0.extra, $0.id) < ($1.extra, $1.id) }
        let following = sorted.drop { fit in
            guard let after else { return false }
            return (Double(fit.extra), fit.id) <= (after.chord, WantedID(after.id))
        }
        return FoundPage(Array(following.prefix(limit + 1)), of: limit)
    }
}

/// Somebody who may seek along the way of a ride.
struct SeekerCandidate: Hashable, Sendable {
    let search: SearchJudging.Search
    let seeking: Seeking
    /// When the driver has invited them.
    let invitedAt: Date?

    /// Nil where it cannot be read: a round that begins such a search says so.
    init?(_ row: PostgresRow) throws {
        let (text, shown): (RawJSON, RawJSON) = (try row.get("query"), try row.get("seeking"))
        guard var query = JSON<WantedQuery>(postgresText: text.text)?.value,
            let seeking = JSON<Seeking>(postgresText: shown.text)?.value
        else { return nil }
        // Who finds no seat free cannot be taken along.
        query.rides?.onlyFree = true
        search = SearchJudging.Search(id: try row.get("id"), person: try row.get("person"), query: query)
        self.seeking = seeking
        invitedAt = try row.get("invited_at")
    }

    /// The newest of those whose searches have found a ride.
    /// - Parameter search: nobody else where it is given.
    static func statement(
        along ride: Subject, for driver: PersonID, only search: WantedID?, at now: Date, _ campuses: CampusSeparation
    ) -> SQLQuery {
        let only: SQLQuery = search.map { "AND finds.wanted = \($0)" } ?? ""
        return """
            SELECT wanted.id, wanted.person, wanted.query, wanted.seeking, (
                    SELECT min(invitations.at) FROM invitations JOIN wanted AS theirs ON theirs.id = invitations.wanted
                    WHERE invitations.ride = finds.subject AND theirs.person = wanted.person) AS invited_at
            FROM finds JOIN wanted ON wanted.id = finds.wanted
            WHERE \(ride.isHere("finds")) \(only) AND \(WantedSearch.isShown(to: driver, at: now, campuses))
            ORDER BY finds.wanted DESC LIMIT \(unescaped: "\(SeekingLimits.along)")
            """
    }
}
