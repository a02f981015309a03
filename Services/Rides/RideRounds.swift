import DurableMessaging
import FoundationEssentials
import Logging
import People
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Lets rides leave and arrive, ends what nobody answered or kept, gives what came free to who waits, reminds of what is due, closes rooms about
/// what is over, withholds and brings back rides of who is suspended, and forgets who exactly rode along from where.
///
/// What is due is in the database, by its time: nothing is forgotten while all replicas are away, and of those that run each takes what no other
/// is at.
struct RideRounds: Service, CustomStringConvertible {
    let store: RideStore
    let logger: Logger
    var batch = 100
    var pause = Duration.seconds(1)

    var description: String { "ride rounds" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "what is due of rides waits for the database") {
            try await round()
        }
    }

    /// What cannot be read keeps nothing else from being done.
    /// - Returns: whether there is more to do.
    func round() async throws -> Bool {
        let passed = [
            try await store.pass("rides", "due_at", atMost: batch) { try await $0.passRides($1, atMost: $2) },
            try await store.pass("seat_requests", "due_at", atMost: batch) { try await $0.passSeats($1, atMost: $2) },
            try await store.pass("seat_requests", "remind_at", atMost: batch) { try await $0.remind($1, atMost: $2) },
            try await store.pass("seat_requests", "talk_until", atMost: batch) {
                try await $0.closeRooms($1, atMost: $2)
            },
            try await reconcile(),
            try await store.transaction { try await $0.forgetDoors(atMost: batch) },
        ]
        return passed.contains { $0 >= batch }
    }

    private func reconcile() async throws -> Int {
        try await store.reconcile(
            all: { try await $0.reconcile(atMost: batch) },
            people: { try await $0.unreconciled(atMost: batch) },
            steps: [
                { try await $0.withholdAndGiveBack($1, atMost: batch) },
                { try await $0.callOffOfSuspended($1, atMost: batch) },
            ])
    }
}

extension RideTransaction {
    /// What time does to rides; those that another process is at are left to it.
    /// - Returns: how many were looked at.
    func passRides(_ rows: DueRows, atMost limit: Int) async throws -> Int {
        let due = try await lockedWhereFree(
            "SELECT id FROM rides WHERE \(rows.condition(at: now)) ORDER BY due_at LIMIT \(unescaped: "\(limit)")")
        try await keep(due.compactMap { ride in ride.pass(at: now).map { RideStep(before: ride, after: $0) } })
        return due.count
    }

    /// The same of requests for seats.
    func passSeats(_ rows: DueRows, atMost limit: Int) async throws -> Int {
        let due = try await each(rows, atMost: limit)
        let joined = try await others(of: due.map(\.seat)).filter { other in
            !due.contains { $0.seat.id == other.seat.id }
        }
        // What is due with the ride, not by itself, is written anew, so that it does not come again.
        try await keep((due + joined).map { SeatChange($0.seat, in: $0.ride, $0.seat.pass(in: $0.ride, at: now)) })
        return due.count
    }

    /// Tells what is due, once.
    func remind(_ rows: DueRows, atMost limit: Int) async throws -> Int {
        let due = try await each(rows, atMost: limit)
        for one in due {
            let (seat, ride) = (one.seat, one.ride)
            _ = try await transaction.query(
                "UPDATE seat_requests SET remind_at = \(seat.remindAt(in: ride, after: now)) WHERE id = \(seat.id)")
            guard let occasion = seat.occasion(in: ride, at: now) else { continue }
            let known = try await people(seat.people, for: nil)
            let news = SeatNews(seat, in: ride, by: seat.changedBy, among: known)
            publish(SeatReminder(request: news, about: occasion), of: seat)
        }
        return due.count
    }

    /// What is over for a month keeps neither doors nor the names of those for whom seats were. What is due and not over waits until it is.
    func forgetDoors(atMost limit: Int) async throws -> Int {
        let due: [RideID] = try await transaction.query(
            """
            SELECT id FROM rides
            WHERE doors_until <= \(now) AND state IN ('completed', 'removed') ORDER BY doors_until LIMIT \(unescaped: "\(limit)")
            FOR NO KEY UPDATE SKIP LOCKED
            """
        ).map { try $0.get("id") }
        if due.isEmpty { return 0 }
        try await transaction.pipeline([
            OfferedRide.forgettingDoors(where: "id = ANY(\(due))"),
            """
            UPDATE seat_requests
            SET riders = '{}', board_own = without_door(board_own), leave_own = without_door(leave_own)
            WHERE ride = ANY(\(due)) AND (riders <> '{}' OR board_own IS NOT NULL OR leave_own IS NOT NULL)
            """,
        ])
        return due.count
    }

    /// Locks those requests whose time has come, after their rides, as everybody does; what another process is at is left to it.
    func each(_ rows: DueRows, atMost limit: Int) async throws -> [LockedSeat] {
        // As a number in the text: a plan that does not know how few they are would read all rides.
        let due: SQLQuery = """
            \(rows.condition(at: now)) ORDER BY \(unescaped: rows.time) LIMIT \(unescaped: "\(limit)")
            """
        let rides = try await lockedWhereFree("SELECT ride FROM seat_requests WHERE \(due)")
        if rides.isEmpty { return [] }
        let seats = try await transaction.query(
            """
            SELECT \(SeatAgreement.columns) FROM seat_requests WHERE ride = ANY(\(rides.map(\.id))) AND \(due)
            FOR NO KEY UPDATE SKIP LOCKED
            """
        ).map(SeatAgreement.init)
        let byID = Dictionary(rides.map { ($0.id, $0) }) { one, _ in one }
        return seats.compactMap { seat in byID[seat.ride].map { LockedSeat(seat: seat, ride: $0) } }
    }
}

extension OfferedRide {
    /// Leaves of the stops of some rides what everybody was told of them.
    static func forgettingDoors(where condition: SQLQuery, also changes: SQLQuery = "") -> SQLQuery {
        func middles(_ column: SQLQuery, _ farthest: SQLQuery) -> SQLQuery {
            "ARRAY(SELECT on_grid(degrees, \(farthest)) FROM unnest(\(column)) WITH ORDINALITY AS stop (degrees, number) ORDER BY number)"
        }
        return """
            UPDATE rides
            SET stop_addresses = array_fill(NULL::text, ARRAY[cardinality(stop_addresses)]),
                stop_latitudes = \(middles("stop_latitudes", "90")), stop_longitudes = \(middles("stop_longitudes", "180")),
                doors_until = NULL \(changes)
            WHERE \(condition)
            """
    }
}
