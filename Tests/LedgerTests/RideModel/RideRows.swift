import Postgres
import TestKit
import WireProtocol

/// What the tables say of rides and of the seats in them, past all of the service's own code.
enum RideRows {
    private struct Count: Codable { var count: Int }

    /// Waits until the service's rounds have asked for regions and streets of new rides, and do not lock them any more.
    static func settled(_ rides: [RideID], in stack: Stack) async throws {
        let ids = rides.map { "'\($0)'" }.joined(separator: ", ")
        try await eventually("new rides to have their regions", within: .seconds(180)) {
            let query = """
                SELECT count(*) FROM rides.rides
                WHERE id IN (\(ids)) AND regions_due < now() + interval '20 minutes'
                """
            do {
                return try await stack.rows(of: query, as: Count.self).first?.count == 0
            } catch let error as PostgresError where error.isRetriable {
                // On a machine that is at its limits a connection may not come about in time.
                return false
            }
        }
    }

    /// Between what was told to people and what is there.
    static func differences(to lanes: [RideLane], in stack: Stack) async throws -> [String] {
        let rides = try await stack.rows(of: "SELECT id, state, seats FROM rides.rides", as: RideLane.RideRow.self)
        let seats = try await stack.rows(
            of: """
                SELECT id, ride, rider, state, state = 'waiting' AND approved AS approved, confirmed, together
                FROM rides.seat_requests
                """, as: RideLane.SeatRow.self)
        let expected = lanes.map(\.rows)
        let (lost, strange) = (
            Set(expected.flatMap(\.seats)).subtracting(seats), Set(seats).subtracting(expected.flatMap(\.seats))
        )
        var problems = Set(rides).symmetricDifference(expected.flatMap(\.rides)).map { "ride differs: \($0)" }
        problems += lost.prefix(3).map { "there ought to be \($0)" }
        problems += strange.prefix(3).map { "there is \($0)" }
        return problems
    }

    /// Asked of the rows alone, whatever anybody was told. Most people ride along somewhere where one gets in.
    private static let queries = [
        "parts of rides are oversold": """
        SELECT count(*) FROM rides.rides AS ride JOIN rides.seat_requests AS point
            ON point.ride = ride.id AND point.state = 'accepted'
        WHERE ride.seats < (
            SELECT sum(riding.seats) FROM rides.seat_requests AS riding
            WHERE riding.ride = ride.id AND riding.state = 'accepted'
                AND riding.board_at <= point.board_at AND point.board_at < riding.leave_at)
        """,
        "people have one of both ways that they never got together": """
        SELECT count(*) FROM rides.seat_requests AS own LEFT JOIN rides.seat_requests AS other ON other.id = own.together
        WHERE own.together IS NOT NULL AND (
            other.id IS NULL OR other.together <> own.id OR other.rider <> own.rider OR other.ride = own.ride
            OR (own.state = 'pending') <> (other.state = 'pending')
            OR own.state IN ('accepted', 'left') AND other.state IN ('rejected', 'withdrawn'))
        """,
        "people are in two cars at one time": """
        SELECT count(*) FROM rides.seat_requests AS one JOIN rides.seat_requests AS other
        ON other.rider = one.rider AND other.id > one.id AND one.state = 'accepted' AND other.state = 'accepted'
            AND one.boards_at < other.leaves_at AND other.boards_at < one.leaves_at
        """,
        "requests of a ride that was removed are open": """
        SELECT count(*) FROM rides.seat_requests JOIN rides.rides ON rides.id = seat_requests.ride
        WHERE rides.state = 'removed' AND seat_requests.state IN ('pending', 'waiting', 'accepted')
        """,
    ]

    static func problems(in stack: Stack) async throws -> [String] {
        var problems: [String] = []
        for (name, query) in queries {
            let count = try await stack.rows(of: query, as: Count.self).first?.count ?? -1
            if count != 0 { problems.append("\(count) \(name)") }
        }
        return problems
    }
}

extension RideLane {
    /// The rows of its rides and requests, as they ought to be.
    var rows: (rides: [RideRow], seats: [SeatRow]) {
        let allRides = zip(rides, model.rides).map { id, ride in
            RideRow(id: id, state: ride.isThere ? .open : .removed, seats: ride.seats)
        }
        let allSeats = zip(seats, model.requests).map { id, request in
            SeatRow(
                id: id, ride: rides[request.ride], rider: people[request.rider].id, state: request.place.state,
                approved: request.place.isApproved, confirmed: request.place.isConfirmed,
                together: request.together.map { seats[$0] })
        }
        return (allRides, allSeats)
    }

    struct RideRow: Codable, Hashable {
        var id: RideID
        var state: RideState
        var seats: Int
    }

    struct SeatRow: Codable, Hashable {
        var id: SeatRequestID
        var ride: RideID
        var rider: PersonID
        var state: SeatState
        var approved: Bool
        var confirmed: Bool
        var together: SeatRequestID?
    }
}
