import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// What is not over as far as others know: who leaves the community now would be gone with it.

/// A ride of one's own that is under way, or a seat in one, or one about which two are at odds.
struct RideInHand: Hashable, Sendable {
    var ride: RideID
    /// Nil of a ride that the person drives.
    var seat: SeatRequestID?
    var title: String
}

extension RideStore {
    /// A ride that nobody else rides along in keeps nobody. The latest first.
    func inHand(of person: PersonID) async throws -> [RideInHand] {
        let title: SQLQuery = "stop_names[1] || ' → ' || stop_names[cardinality(stop_names)] AS title"
        // Each part from its own index.
        let rows = try await database.read(
            """
            SELECT rides.id AS ride, NULL::uuid AS seat, \(title) FROM rides
            WHERE driver = \(person) AND state = 'departed' AND EXISTS (
                SELECT FROM seat_requests WHERE seat_requests.ride = rides.id AND seat_requests.state = 'accepted'
                    AND rider <> \(PersonID.nobody))
            UNION ALL SELECT rides.id, seat_requests.id, \(title)
            FROM seat_requests JOIN rides ON rides.id = seat_requests.ride
            WHERE rider = \(person) AND rides.driver <> \(PersonID.nobody)
                AND (seat_requests.state = 'accepted' AND rides.state = 'departed' OR seat_requests.state = 'disputed')
            UNION ALL SELECT rides.id, seat_requests.id, \(title)
            FROM seat_requests JOIN rides ON rides.id = seat_requests.ride
            WHERE seat_requests.driver = \(person) AND rider <> \(PersonID.nobody) AND seat_requests.state = 'disputed'
            """)
        return try rows.map {
            RideInHand(ride: try $0.get("ride"), seat: try $0.get("seat"), title: try $0.get("title"))
        }.sorted { $0.ride > $1.ride }
    }
}

extension RideUseCases {
    func commitments(of person: PersonID) async throws -> Page<Commitment> {
        Page(
            items: try await store.inHand(of: person).map { one in
                Commitment(one.seat.map { Subject($0) } ?? Subject(one.ride), title: one.title)
            })
    }
}
