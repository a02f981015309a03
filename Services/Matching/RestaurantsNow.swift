import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

/// One page of restaurants from which somebody can bring something now: the nearest first, or by name where no point is asked for.
struct RestaurantPage: Hashable, Sendable {
    var near: Position?
    var limit = PageSize.usual
    var after: RestaurantCursor?

    /// How many drop-offs of a restaurant are named.
    static let mostDropOffs = 3

    /// - Throws: `invalid`.
    init(_ query: DeliveryRestaurantQuery) throws(DeliveryError) {
        var errors = query.near.map { DeliveryRules.errors(in: $0, at: "near") } ?? []
        near = query.near
        limit = query.readLimit(&errors)
        after = query.readCursor(&errors) { text in
            RestaurantCursor(text).flatMap { ($0.chord != nil) == (query.near != nil) ? $0 : nil }
        }
        guard errors.isEmpty else { throw .invalid(errors) }
    }

    /// Answers the first `limit` + 1. Restaurants come from their own index, and of each those are counted who are there.
    func statement(for viewer: PersonID, at now: Date, _ campuses: CampusSeparation) -> SQLQuery {
        let order: (found: SQLQuery, page: SQLQuery) = near == nil ? ("name, id", "name, id") : ("chord", "chord, id")
        return """
            SELECT * FROM (
                SELECT restaurants.*, \(near?.chord ?? "NULL::float8") AS chord, here.* FROM restaurants
                CROSS JOIN LATERAL (
                    SELECT count(*) AS deliverers, max(until) AS last,
                        (array_agg(DISTINCT drop_name))[:\(unescaped: "\(Self.mostDropOffs)")] AS drop_offs
                    FROM availabilities
                    WHERE restaurant = restaurants.id AND \(OfferedAvailability.isShown(to: viewer, at: now, campuses))
                ) AS here
                WHERE restaurants.until > \(now) AND here.deliverers > 0 \(beyond)
                ORDER BY \(order.found) FETCH FIRST \(unescaped: "\(limit + 1)") ROWS WITH TIES
            ) AS found ORDER BY \(order.page) LIMIT \(unescaped: "\(limit + 1)")
            """
    }

    private var beyond: SQLQuery {
        guard let after else { return "" }
        if let near { return near.beyond(after.byDistance) }
        return "AND (name, id) > (SELECT last.name, last.id FROM restaurants AS last WHERE last.id = \(after.id))"
    }
}

/// The place of a restaurant in such a list.
struct RestaurantCursor: Hashable, Sendable {
    var id: PlaceID
    /// Where the list is ordered by distance.
    var chord: Double?

    init(_ found: FoundRestaurant) { (id, chord) = (found.id, found.chord) }

    init?(_ text: String) {
        if let place = DistanceCursor(text) {
            (id, chord) = (PlaceID(place.id), place.chord)
        } else if let id = PlaceID(text) {
            self.id = id
        } else {
            return nil
        }
    }

    var byDistance: DistanceCursor? { chord.map { DistanceCursor($0, id.uuid) } }
    var text: String { byDistance?.text ?? "\(id)" }
}

/// A restaurant, and who is there.
struct FoundRestaurant: Hashable, Sendable {
    let id: PlaceID
    let chord: Double?
    let place: DeliveryPlace
    let deliverers: Int
    let dropOffs: [String]
    let until: Date

    init(_ row: PostgresRow) throws {
        (id, chord) = (try row.get("id"), try row.get("chord"))
        place = DeliveryPlace(
            place: id, name: try row.get("name"), address: try row.get("address"),
            position: Position(latitude: try row.get("latitude"), longitude: try row.get("longitude")))
        (deliverers, dropOffs) = (try row.get("deliverers"), try row.get("drop_offs"))
        until = try row.get("last")
    }
}

extension DeliveryRestaurant {
    init(_ found: FoundRestaurant, from near: Position?) {
        self.init(
            restaurant: found.place, deliverers: found.deliverers, dropOffs: found.dropOffs, until: found.until,
            distance: near.map { Int($0.metres(to: found.place.position).rounded()) })
    }
}

extension OfferedAvailability {
    /// Whether anybody sees them at the restaurant: `isShown(at:)` in SQL, and that they are not suspended.
    /// - Parameter ofOne: asked of one or two rows, not of many.
    static func isFindable(at now: Date, ofOne: Bool = false) -> SQLQuery {
        let person: SQLQuery = "availabilities.person"
        let isSuspended =
            ofOne
            ? SuspensionProjection.isSuspendedHere(person, at: now)
            : SuspensionProjection.isAmongSuspended(person, at: now)
        return """
            state = 'available' AND taken < capacity AND is_listed AND availabilities.until > \(now) AND NOT \(isSuspended)
            """
    }

    /// Whether somebody sees them there: they are not the viewer themselves, nor apart from them.
    /// - Parameter ofOne: asked of one or two rows, not of many.
    static func isShown(
        to viewer: PersonID, at now: Date, _ campuses: CampusSeparation, ofOne: Bool = false
    ) -> SQLQuery {
        let person: SQLQuery = "availabilities.person"
        let isTogether =
            ofOne
            ? BlockProjection.isTogetherHere(person, with: viewer) : BlockProjection.isTogether(person, with: viewer)
        return """
            \(isFindable(at: now, ofOne: ofOne)) AND availabilities.person <> \(viewer) AND \(isTogether)
                \(campuses.condition("availabilities.campus", isOf: viewer))
            """
    }
}
