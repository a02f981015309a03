import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

/// One page of who can bring something from a restaurant: the least way for them first, or who began first where no point is asked for.
struct DelivererPage: Hashable, Sendable {
    var restaurant: PlaceID
    var to: Position?
    var limit = PageSize.usual
    var after: DelivererCursor?

    /// - Throws: `invalid`.
    init(_ query: DelivererQuery) throws(DeliveryError) {
        var errors = query.to.map { DeliveryRules.errors(in: $0, at: "to") } ?? []
        (restaurant, to) = (query.restaurant, query.to)
        limit = query.readLimit(&errors)
        after = query.readCursor(&errors) { text in
            DelivererCursor(text).flatMap { ($0.chord != nil) == (query.to != nil) ? $0 : nil }
        }
        guard errors.isEmpty else { throw .invalid(errors) }
    }

    /// Answers the first `limit` + 1. All who are there are sorted: as many as there are at one restaurant.
    func statement(for viewer: PersonID, at now: Date, _ campuses: CampusSeparation) -> SQLQuery {
        let order: SQLQuery = to == nil ? "id" : "chord, id"
        return """
            SELECT * FROM (
                SELECT \(OfferedAvailability.columns), \(chord) AS chord FROM availabilities
                WHERE restaurant = \(restaurant) AND \(OfferedAvailability.isShown(to: viewer, at: now, campuses))
            ) AS here \(beyond) ORDER BY \(order) LIMIT \(unescaped: "\(limit + 1)")
            """
    }

    /// Cursors have it.
    private var chord: SQLQuery { to.map { OfferedAvailability.chord(to: $0) } ?? "NULL::float8" }

    private var beyond: SQLQuery {
        guard let after else { return "" }
        guard let chord = after.chord else { return "WHERE id > \(after.id)" }
        return "WHERE (chord, id) > (\(chord), \(after.id))"
    }
}

extension OfferedAvailability {
    /// From where they go, as others are told it (`DeliveryPlace.coarse`), to a point that was asked for.
    static func chord(to point: Position) -> SQLQuery {
        func told(_ degrees: SQLQuery, _ farthest: SQLQuery) -> SQLQuery {
            // The arithmetic of the earth refuses the smallest numbers that there are (`Position.settled`).
            """
            CASE WHEN drop_place IS NULL THEN on_grid(\(degrees), \(farthest)) WHEN abs(\(degrees)) < 1e-12 THEN 0 ELSE \(degrees) END
            """
        }
        return "ll_to_earth(\(told("drop_latitude", "90")), \(told("drop_longitude", "180")))::cube <-> \(point.globe)"
    }
}

/// The place of somebody in such a list.
struct DelivererCursor: Hashable, Sendable {
    var id: AvailabilityID
    /// Where the list is ordered by distance.
    var chord: Double?

    init(_ found: FoundDeliverer) { (id, chord) = (found.availability.id, found.chord) }

    init?(_ text: String) {
        if let place = DistanceCursor(text) {
            (id, chord) = (AvailabilityID(place.id), place.chord)
        } else if let id = AvailabilityID(text) {
            self.id = id
        } else {
            return nil
        }
    }

    var text: String { chord.map { DistanceCursor($0, id.uuid).text } ?? "\(id)" }
}

/// Somebody who is there.
struct FoundDeliverer: Hashable, Sendable {
    let availability: OfferedAvailability
    let chord: Double?

    init(_ row: PostgresRow) throws { (availability, chord) = (try OfferedAvailability(row), try row.get("chord")) }
}
