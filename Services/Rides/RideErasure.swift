import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

extension RideTransaction {
    /// What has not left is removed, what nobody else has to do with is deleted, and what is between two stays with the other, without a name
    /// and without doors.
    func erase(_ person: PersonID) async throws -> (records: [ErasedRecords], photos: [String]) {
        let rooms = try await roomRides(of: person)
        let open = try await transaction.query(
            "SELECT \(OfferedRide.columns) FROM rides WHERE driver = \(person) AND state = 'open' ORDER BY id FOR NO KEY UPDATE"
        ).map(OfferedRide.init)
        try await keep(
            open.compactMap { ride in ride.callOff(at: now).map { RideStep(before: ride, after: $0) } }, by: person)
        try await callOff(by: person)
        let nobody = PersonID.nobody
        let changes = try await transaction.pipeline([
            // Of two who are both gone nothing is kept.
            "DELETE FROM seat_requests WHERE driver = \(person) AND rider = \(nobody)",
            "DELETE FROM seat_requests WHERE rider = \(person) AND driver = \(nobody)",
            "UPDATE seat_requests SET driver = \(nobody), \(Self.unnaming(person)) WHERE driver = \(person)",
            """
            UPDATE seat_requests
            SET rider = \(nobody), riders = '{}', message = NULL, \(Self.unnaming(person)),
                board_own = NULL, board_stop = CASE WHEN board_own IS NULL THEN board_stop ELSE nearest_stop(ride, board_at) END,
                leave_own = NULL, leave_stop = CASE WHEN leave_own IS NULL THEN leave_stop ELSE nearest_stop(ride, leave_at) END
            WHERE rider = \(person)
            """,
            // What they settled as a moderator; nobody else acts on what is another's.
            "UPDATE seat_requests SET changed_by = NULL, reason = NULL WHERE changed_by = \(person) AND state = 'settled'",
            """
            DELETE FROM rides
            WHERE driver = \(person) AND NOT EXISTS (SELECT FROM seat_requests WHERE seat_requests.ride = rides.id)
            """,
            OfferedRide.forgettingDoors(
                where: "driver = \(person)", also: ", driver = \(nobody), notes = NULL, reason = NULL"),
            "DELETE FROM saved_rides WHERE person = \(person)",
            "DELETE FROM calendar_entries WHERE person = \(person)",
            "UPDATE rides SET series = NULL, series_day = NULL WHERE series IN (SELECT id FROM ride_series WHERE driver = \(person))",
            "DELETE FROM ride_series WHERE driver = \(person)",
        ]).map(\.affected)
        try await tellRooms(of: rooms)
        let records = [
            ErasedRecords(.rides, changes[5] + changes[10]), ErasedRecords(.unnamed, changes[6]),
            ErasedRecords(.seats, changes[0] + changes[1] + changes[2] + changes[3]),
        ]
        return (records.filter { $0.count > 0 }, [])
    }

    private static func unnaming(_ person: PersonID) -> SQLQuery {
        """
        reason = CASE WHEN changed_by = \(person) THEN NULL ELSE reason END,
        changed_by = CASE WHEN changed_by = \(person) THEN NULL ELSE changed_by END
        """
    }
}
