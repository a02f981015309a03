import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// Who hears that somebody is at a restaurant now, or nobody any more. The round of an area tells it: nobody else does so for these restaurants meanwhile.

/// A restaurant; where campuses are kept apart, for the people of one of them.
private struct ToldRestaurant: Hashable {
    let restaurant: PlaceID
    let campus: String
}

extension DeliveryTransaction {
    /// Tells what changed of some restaurants since it was told last: that the first one is there who has a free hand, or that the last one is not.
    func tellRestaurants(_ marked: Set<PlaceID>, in area: Int64) async throws {
        if marked.isEmpty { return }
        let restaurants = marked.sorted()
        let campus: SQLQuery = people.campuses.isOn ? "campus" : "''::text"
        let answers = try await transaction.pipeline([
            """
            SELECT restaurant, \(campus) AS belongs, count(*) AS deliverers, max(restaurant_name) AS name,
                max(restaurant_address) AS address, max(restaurant_latitude) AS latitude,
                max(restaurant_longitude) AS longitude
            FROM availabilities
            WHERE restaurant = ANY(\(restaurants)) AND state = 'available' AND taken < capacity AND is_listed
                AND until > \(now) AND \(campus) IS NOT NULL
            GROUP BY 1, 2 ORDER BY 1, 2
            """,
            """
            SELECT restaurant, campus AS belongs, place FROM restaurants_told
            WHERE restaurant = ANY(\(restaurants)) ORDER BY 1, 2
            """,
        ])
        let there = Set(try answers[0].map(ToldRestaurant.init))
        let told = Set(try answers[1].map(ToldRestaurant.init))
        for row in answers[0] where try !told.contains(ToldRestaurant(row)) {
            try await tell(try ToldRestaurant(row), try DeliveryPlace(row), try row.get("deliverers"), in: area)
        }
        for row in answers[1] where try !there.contains(ToldRestaurant(row)) {
            let place = try row.get("place", as: JSON<DeliveryPlace>.self).value
            try await tell(try ToldRestaurant(row), place, 0, in: area)
        }
    }

    private func tell(
        _ told: ToldRestaurant, _ place: DeliveryPlace, _ deliverers: Int, in area: Int64
    ) async throws {
        _ = try await transaction.query(
            deliverers > 0
                ? """
                INSERT INTO restaurants_told (restaurant, campus, area, place)
                VALUES (\(told.restaurant), \(told.campus), \(area), \(JSON(place)))
                ON CONFLICT (restaurant, campus) DO UPDATE SET area = excluded.area, place = excluded.place
                """
                : "DELETE FROM restaurants_told WHERE restaurant = \(told.restaurant) AND campus = \(told.campus)")
        transaction.publish(
            RestaurantsChanged(restaurant: place, deliverers: deliverers), about: "restaurant/\(told.restaurant)",
            to: .everyone, at: place.position, within: people.campuses.isOn ? told.campus : nil)
    }
}

extension ToldRestaurant {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(restaurant: try row.get("restaurant"), campus: try row.get("belongs"))
    }
}

extension DeliveryPlace {
    /// A restaurant.
    init(_ row: PostgresRow) throws {
        self.init(
            place: try row.get("restaurant"), name: try row.get("name"), address: try row.get("address"),
            position: Position(latitude: try row.get("latitude"), longitude: try row.get("longitude")))
    }
}
