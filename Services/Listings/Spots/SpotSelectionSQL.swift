import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// The statements that answer a page of spots. README.md has their plans over a million rows.

extension SpotPage {
    /// PostgreSQL takes a thousandth of all spots to be in any box, however many are, and less where more is asked of them. So few it would
    /// gather and sort, which is all of a city for each page; the index has them in their order.
    static let unsuitable = ["enable_bitmapscan"]

    /// One statement, or two where a box crosses the date line; each answers the first `limit` + 1 of its own.
    /// - Parameter viewer: Who asks: nobody who is apart from them is found.
    func statements(for viewer: PersonID?, at now: Date, _ campuses: CampusSeparation = .off) -> [SQLQuery] {
        let together = Self.together(with: viewer, campuses)
        return switch selection {
        case .within(let box): box.parts.map { newest(within: $0, at: now, together) }
        case .near(let point, let radius): [nearest(to: point, within: radius, at: now, together)]
        case .posted(let person): [newest(where: "posted_by = \(person)")]
        case .free(let person): [newestFree(of: person, at: now, together, person == viewer ? "true" : "shown")]
        case .claimed(let person, let since):
            [newest(where: "claimed_by = \(person) AND claimed_at > \(since)")]
        }
    }

    /// "And those of nobody who is apart from whoever asks."
    static func together(with viewer: PersonID?, _ campuses: CampusSeparation) -> SQLQuery {
        let apart: SQLQuery = viewer.map { "AND \(BlockProjection.isTogether("posted_by", with: $0))" } ?? ""
        return apart + " " + campuses.condition("campus", isOf: viewer)
    }

    /// What is free around a point, for whoever asks.
    static func isFree(
        near point: Position, within radius: Int, at now: Date, _ together: SQLQuery
    ) -> SQLQuery {
        "state = 'free' AND shown AND expires_at > \(now) AND \(point.isNear(within: radius)) \(together)"
    }

    /// Puts the answers of several statements into one, in order.
    func merge(_ found: [[FoundSpot]]) -> [FoundSpot] {
        guard found.count > 1 else { return found.first ?? [] }
        return Array(found.joined().sorted { $0.spot.id > $1.spot.id }.prefix(limit + 1))
    }

    private func newest(within box: BoundingBox, at now: Date, _ together: SQLQuery) -> SQLQuery {
        let condition: SQLQuery = after.map { "AND id < \($0.id) \(together)" } ?? together
        return """
            SELECT \(ParkingSpot.columns) FROM (
                \(Self.newest(limit + 1, ParkingSpot.columns, within: box, after?.id, at: now, condition))
            ) AS newest
            ORDER BY id DESC LIMIT \(unescaped: "\(limit + 1)")
            """
    }

    /// The newest of those that are free within a box, and their ties: the index has them by the milliseconds of their ids. Whoever asks
    /// puts them in order by id.
    /// - Parameters:
    ///   - last: None is newer than that one, to the millisecond.
    ///   - condition: "And what else holds for them."
    static func newest(
        _ count: Int, _ columns: SQLQuery, within box: BoundingBox, _ last: SpotID? = nil, at now: Date,
        _ condition: SQLQuery
    ) -> SQLQuery {
        let latest = last?.milliseconds ?? 1e15
        return """
            SELECT \(columns) FROM spots
            WHERE state = 'free' AND shown AND expires_at > \(now)
                AND map <@ cube(ARRAY[\(box.west), \(box.south), 0]::float8[],
                                ARRAY[\(box.east), \(box.north), \(latest)]::float8[])
                \(condition)
            ORDER BY map ~> -5 FETCH FIRST \(unescaped: "\(count)") ROWS WITH TIES
            """
    }

    /// Ties as above.
    private func nearest(to point: Position, within radius: Int, at now: Date, _ together: SQLQuery) -> SQLQuery {
        """
        SELECT \(ParkingSpot.columns), chord, sec_to_gc(chord) AS ground FROM (
            SELECT \(ParkingSpot.columns), \(point.chord) AS chord FROM spots
            WHERE \(Self.isFree(near: point, within: radius, at: now, together)) \(point.beyond(after?.byDistance))
            ORDER BY chord FETCH FIRST \(unescaped: "\(limit + 1)") ROWS WITH TIES
        ) AS nearest
        ORDER BY chord, id LIMIT \(unescaped: "\(limit + 1)")
        """
    }

    /// The few that are free come from an index of their own, and only then in order: the index that has the order has all that the
    /// person ever posted too. What of them is hidden is left out afterwards: those who may be shown have other indexes, over everybody's.
    private func newestFree(
        of person: PersonID, at now: Date, _ together: SQLQuery, _ visible: SQLQuery
    ) -> SQLQuery {
        let before: SQLQuery = after.map { "AND id < \($0.id)" } ?? ""
        return """
            WITH free AS MATERIALIZED (
                SELECT \(ParkingSpot.columns), shown FROM spots
                WHERE posted_by = \(person) AND state = 'free' AND expires_at > \(now) \(before) \(together)
            )
            SELECT \(ParkingSpot.columns) FROM free WHERE \(visible) ORDER BY id DESC LIMIT \(unescaped: "\(limit + 1)")
            """
    }

    private func newest(where condition: SQLQuery) -> SQLQuery {
        let before: SQLQuery = after.map { "AND id < \($0.id)" } ?? ""
        return """
            SELECT \(ParkingSpot.columns) FROM spots WHERE \(condition) \(before)
            ORDER BY id DESC LIMIT \(unescaped: "\(limit + 1)")
            """
    }
}

/// Who looks at a spot. For those who are apart from its poster there is none, but for one that they hold themselves.
struct SpotViewer: Hashable, Sendable {
    /// Nil for somebody who is not signed in.
    var person: PersonID?
    /// Claims since then still run.
    var claimsSince: Date
    /// Whether what moderators have hidden is there for them.
    var seesHidden = false

    /// For whom nothing is hidden: the service itself.
    static let everything = SpotViewer(person: nil, claimsSince: .distantPast, seesHidden: true)
}

extension SpotViewer {
    /// One spot, if there is one for this person.
    func spot(_ id: SpotID, _ campuses: CampusSeparation = .off) -> SQLQuery { spots("id = \(id)", campuses) }

    /// Those of a few spots that there are for this person.
    func spots(_ which: SQLQuery, _ campuses: CampusSeparation) -> SQLQuery {
        let all: SQLQuery = "SELECT \(ParkingSpot.columns) FROM spots WHERE \(which)"
        if seesHidden, person == nil { return all }
        let sameCampus = campuses.condition("posted_by", isTogetherWith: person)
        guard let person else { return all + " AND shown \(sameCampus)" }
        // Moderators see what is hidden, and the spots of all campuses.
        let visible: SQLQuery = seesHidden ? "" : "AND (shown \(sameCampus) OR posted_by = \(person))"
        return all + """
             AND (\(BlockProjection.isTogetherHere("posted_by", with: person)) \(visible)
                OR claimed_by = \(person) AND claimed_at > \(claimsSince))
            """
    }
}
