import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

/// What has to be known when somebody asks for seats. Until the end of the transaction nobody else asks for any in that ride and its other way, and the
/// one who asks asks for no others.
struct SeatInquiry: Hashable, Sendable {
    let seen: SeenRide
    /// The other one of outward and return, where they can see it.
    let other: SeenRide?
    var seeker: SeatSeeker
    /// Whether the driver may give them a seat at all.
    let mayRide: Bool

    /// What to ask of the database, in one round trip: the person is locked before the rides, as everywhere.
    static func questions(_ id: RideID, by person: PersonID, at now: Date, _ campuses: CampusSeparation) -> [SQLQuery] {
        let looks = RideViewer(person: person)
        let driver: SQLQuery = "(SELECT driver FROM rides WHERE id = \(id))"
        return [.lock("person", person)] + looks.locked(id, campuses) + [
            looks.others(of: [id], campuses),
            """
            SELECT \(SeatAgreement.mayRide(person, with: driver, at: now, campuses)) AS may,
                (SELECT campus IS NOT NULL FROM people WHERE id = \(person)) AS verified,
                (SELECT count(*) FROM seat_requests WHERE rider = \(person) AND \(SeatAgreement.isUnanswered)) AS waiting
            """,
            engagements(of: person, during: id),
        ]
    }

    /// Where somebody is in another car while a ride or its other way goes on.
    private static func engagements(of person: PersonID, during id: RideID) -> SQLQuery {
        let own = SeatAgreement.overlaps(
            of: "\(person)", from: "wanted.departs_at", until: "wanted.arrives_at", besides: "wanted.id")
        return """
            SELECT own.* FROM rides AS wanted CROSS JOIN LATERAL (\(own)) AS own
            WHERE wanted.id = ANY(\(OfferedRide.bothWays(of: "\([id])")))
            """
    }

    /// - Throws: `RideError.notFound` where there is none for this person.
    init(_ answers: [PostgresRows], by person: PersonID) throws {
        guard let row = answers[2].first else { throw RideError.notFound }
        seen = try SeenRide(row)
        other = try answers[3].first.map(SeenRide.init)
        let known = answers[4][0]
        mayRide = try known.get("may", as: Bool?.self) ?? false
        seeker = SeatSeeker(
            person: person, isVerified: try known.get("verified", as: Bool?.self) ?? false,
            waiting: try known.get("waiting"), engagements: try answers[5].map(SeatEngagement.init))
    }
}

extension SeatInquiry {
    /// - Returns: the request, and the one on the other way where both are asked for.
    func ask(
        _ draft: SeatDraft, along streets: KnownStreets, at now: Date, within limits: RideLimits
    ) throws(RideError) -> [SeatChange] {
        guard let together = draft.together else {
            return [try SeatAgreement.ask(draft, in: seen, by: seeker, along: streets, at: now, within: limits)]
        }
        return try SeatAgreement.ask(
            draft, and: together, in: seen, and: other, by: seeker, along: streets, at: now, within: limits)
    }
}

extension SeatEngagement {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(ride: try row.get("ride"), from: try row.get("boards_at"), until: try row.get("leaves_at"))
    }
}

extension SeatAgreement {
    /// Whether a driver may give somebody a seat, in SQL: neither has blocked the other, they are of one campus where campuses are apart, and neither is
    /// suspended.
    static func mayRide(
        _ rider: PersonID, with driver: SQLQuery, at now: Date, _ campuses: CampusSeparation
    ) -> SQLQuery {
        """
        (\(BlockProjection.isTogetherHere(driver, with: rider)) \(campuses.condition(driver, isTogetherWith: rider))
            AND NOT \(SuspensionProjection.isSuspendedHere(driver, at: now))
            AND NOT \(SuspensionProjection.isSuspendedHere("\(rider)", at: now)))
        """
    }
}
