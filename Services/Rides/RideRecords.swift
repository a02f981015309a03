import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

extension RideUseCases {
    /// What is kept about somebody: what they drive, once or each week, what was between them and others about seats, and what they saved.
    var ownRecords: [PersonalSections.Section] {
        [
            .init("rides") { person, cursor in
                let found = try await store.rides(
                    drivenBy: person, after: cursor.flatMap { RideID($0) }, limit: PageSize.largest)
                let company = RideCompany(
                    names: try await people.summaries(of: [person]), [:],
                    others: try await store.others(of: found.map(\.id), for: person).map(\.ride))
                let now = clock()
                return Page(
                    items: try found.map {
                        try PersonalRecord("rides", company.answer(SeenRide(ride: $0), to: person, at: now))
                    },
                    next: found.count == PageSize.largest ? found.last?.id.description : nil)
            },
            .init("series") { person, cursor in
                let found = try await store.series(
                    of: person, after: cursor.flatMap { RideSeriesID($0) }, limit: PageSize.largest)
                return Page(
                    items: try await answers(found).map { try PersonalRecord("series", $0) },
                    next: found.count == PageSize.largest ? found.last?.id.description : nil)
            },
            .init("seats") { person, cursor in
                let page = SeatPage(
                    .own(person, nil), limit: PageSize.largest, after: cursor.flatMap { SeatRequestID($0) })
                let found = FoundPage(try await store.seats(page), of: PageSize.largest)
                return Page(
                    items: try await seatRecords(found.shown, of: person), next: found.last?.id.description)
            },
            .init("saved") { person, cursor in
                try await store.saved(
                    by: person, after: cursor.flatMap { MomentCursor($0) }, limit: PageSize.largest)
            },
        ]
    }

    private func seatRecords(_ seats: [SeatAgreement], of person: PersonID) async throws -> [PersonalRecord] {
        let rides = try await store.rides(of: seats)
        // The two may be apart since.
        let names = try await people.summaries(of: seats.reduce(into: []) { $0.formUnion($1.people) }, for: person)
        let now = clock()
        return try seats.compactMap { seat in
            try rides[seat.ride].map {
                try PersonalRecord("seats", SeatRequest(seat, in: $0, for: person, among: names, at: now))
            }
        }
    }
}

extension RideStore {
    fileprivate func rides(drivenBy person: PersonID, after: RideID?, limit: Int) async throws -> [OfferedRide] {
        let earlier: SQLQuery = after.map { "AND id < \($0)" } ?? ""
        return try await database.read(
            """
            SELECT \(OfferedRide.columns) FROM rides WHERE driver = \(person) \(earlier)
            ORDER BY id DESC LIMIT \(unescaped: "\(limit)")
            """
        ).map(OfferedRide.init)
    }

    fileprivate func saved(by person: PersonID, after: MomentCursor?, limit: Int) async throws -> Page<PersonalRecord> {
        let earlier: SQLQuery = after.map { "AND (saved_at, ride) < (\($0.time), \($0.id))" } ?? ""
        let found = try await database.read(
            """
            SELECT ride, saved_at FROM saved_rides WHERE person = \(person) \(earlier)
            ORDER BY saved_at DESC, ride DESC LIMIT \(unescaped: "\(limit)")
            """
        ).map { ExportedSaving(ride: try $0.get("ride"), savedAt: try $0.get("saved_at")) }
        return Page(
            items: try found.map { try PersonalRecord("saved", $0) },
            next: found.count == limit
                ? found.last.map { MomentCursor($0.savedAt, $0.ride.uuid).text } : nil)
    }
}

/// That somebody has a ride on their list.
private struct ExportedSaving: Codable, Sendable {
    var ride: RideID
    var savedAt: Date
}
