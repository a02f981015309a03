import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// What somebody offers to bring along as a row of the table `availabilities`, in both directions.

extension OfferedAvailability {
    static let columns: SQLQuery = """
        id, person, began_at, state, restaurant, restaurant_name, restaurant_address, restaurant_latitude, restaurant_longitude, \
        drop_place, drop_name, drop_address, drop_latitude, drop_longitude, trip_metres, trip_along_streets, capacity, taken, detour, \
        until, least_fee, currency, is_listed, unanswered, changed_at
        """

    init(_ row: PostgresRow) throws {
        self.init(
            id: try row.get("id"), deliverer: try row.get("person"), beganAt: try row.get("began_at"),
            state: try AvailabilityState.stored(row.get("state")), restaurant: try KnownPlace(row),
            dropOff: try DeliveryPlace(row, "drop", id: "drop_place"), trip: try KnownWay(row),
            capacity: try row.get("capacity"), taken: try row.get("taken"), detour: try row.get("detour"),
            until: try row.get("until"), leastFee: try Money(row, "least_fee"), isListed: try row.get("is_listed"),
            unanswered: try row.get("unanswered"), changedAt: try row.get("changed_at"))
    }

    func insertion(at now: Date) -> SQLQuery {
        """
        INSERT INTO availabilities (id, person, began_at, state, restaurant, restaurant_name, restaurant_address,
            restaurant_latitude, restaurant_longitude, drop_place, drop_name, drop_address, drop_latitude, drop_longitude,
            trip_metres, trip_along_streets, capacity, detour, until, least_fee, currency, is_listed, unanswered, changed_at,
            area, globe, due_at, remind_at)
        VALUES (\(id), \(deliverer), \(beganAt), \(state.rawValue), \(restaurant.shown.values), \(dropOff.values),
            \(trip?.metres), \(trip?.isAlongStreets), \(capacity), \(detour), \(until), \(leastFee?.amount),
            \(leastFee?.currency), \(isListed), \(unanswered), \(changedAt), \(area), \(restaurant.position.globe), \(dueAt),
            \(remindAt(after: now)))
        """
    }

    /// Writes all that can change, but for how many hands are full: the database counts them itself.
    func update(at now: Date) -> SQLQuery {
        """
        UPDATE availabilities
        SET state = \(state.rawValue),
            (restaurant, restaurant_name, restaurant_address, restaurant_latitude, restaurant_longitude)
                = (\(restaurant.shown.values)),
            (drop_place, drop_name, drop_address, drop_latitude, drop_longitude) = (\(dropOff.values)),
            trip_metres = \(trip?.metres), trip_along_streets = \(trip?.isAlongStreets), capacity = \(capacity),
            detour = \(detour), until = \(until), least_fee = \(leastFee?.amount), currency = \(leastFee?.currency),
            is_listed = \(isListed), unanswered = \(unanswered), changed_at = \(changedAt), area = \(area),
            globe = \(restaurant.position.globe), due_at = \(dueAt), remind_at = \(remindAt(after: now))
        WHERE id = \(id)
        """
    }

    private var area: Int64 { DeliveryArea.of(restaurant.position) }
}

extension KnownWay {
    /// Nil where Places has not said it.
    fileprivate init?(_ row: PostgresRow) throws {
        guard let metres: Int = try row.get("trip_metres") else { return nil }
        self.init(metres: metres, isAlongStreets: try row.get("trip_along_streets"))
    }
}

// MARK: What several tables have

extension KnownPlace {
    /// The restaurant of a row.
    init(_ row: PostgresRow) throws {
        let place = try DeliveryPlace(row, "restaurant", id: "restaurant")
        self.init(
            id: try row.get("restaurant"), name: place.name, address: place.address, position: place.position)
    }
}

extension DeliveryPlace {
    /// - Parameters:
    ///   - prefix: with which its columns begin.
    ///   - id: the column of its id.
    init(_ row: PostgresRow, _ prefix: String, id: String) throws {
        self.init(
            place: try row.get(id), name: try row.get("\(prefix)_name"), address: try row.get("\(prefix)_address"),
            position: Position(
                latitude: try row.get("\(prefix)_latitude"), longitude: try row.get("\(prefix)_longitude")))
    }

    /// Those of its columns: id, name, address, latitude, longitude.
    var values: SQLQuery { "\(place), \(name), \(address), \(position.latitude), \(position.longitude)" }
}

extension Money {
    /// An amount in the row's currency; nil where there is none.
    init?(_ row: PostgresRow, _ column: String) throws {
        guard let amount: Int = try row.get(column) else { return nil }
        self.init(amount: amount, currency: try row.get("currency"))
    }
}
