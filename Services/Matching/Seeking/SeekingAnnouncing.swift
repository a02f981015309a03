import DurableMessaging
import FoundationEssentials
import Logging
import People
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Tells drivers that somebody has begun to seek along the way of their rides: once it is known what the search finds, of the best rides, and of each not more
/// than drivers bear. Which rides are the best is asked while nothing is locked.
///
/// One replica at a time tells, so that nobody is told more than it is counted.
struct SeekingAnnouncing: Service, CustomStringConvertible {
    let store: WantedStore
    let services: SearchedServices
    let logger: Logger
    var batch = 20
    var pause = Duration.seconds(1)

    var description: String { "drivers and those who seek" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "drivers are told of nobody: the database is away") {
            try await round()
        }
    }

    /// - Returns: whether there is more to do.
    func round() async throws -> Bool {
        let due = try await store.transaction { try await $0.takeUnannounced(atMost: batch) }
        for search in due {
            guard var query = JSON<WantedQuery>(postgresText: search.text.text)?.value else { continue }
            // Who has no seat free is told of nobody.
            query.rides?.onlyFree = true
            do {
                let found = try await services.look(SearchLook(for: search.person, query)).subjects
                try await store.transaction { try await $0.announce(search, along: found) }
            } catch  where !Task.isCancelled {
                logger.notice(
                    "drivers are told later of who seeks",
                    metadata: ["wanted": "\(search.id)", "reason": .string("\(error)")])
                // Where it does not answer, the others of this round are not asked about either.
                let code = (error as? ServiceError)?.code
                if code == .unavailable || code == .outcomeUnknown { return false }
            }
        }
        return due.count >= batch
    }
}

/// A search of which drivers are to be told.
private struct UnannouncedSearch: Hashable, Sendable {
    let id: WantedID
    let person: PersonID
    /// What it looks for, as the table has it.
    let text: RawJSON

    init(_ row: PostgresRow) throws {
        (id, person, text) = (try row.get("id"), try row.get("person"), try row.get("query"))
    }
}

/// A ride of which the driver is told.
private struct AnnouncedRide: Hashable, Sendable {
    let id: RideID
    let driver: PersonID
    let title: String
    /// Its driver was told of this search, or of as many as they bear today.
    let isTold: Bool

    init(_ row: PostgresRow) throws {
        (id, driver, title) = (try row.get("ride"), try row.get("driver"), try row.get("title"))
        isTold = try row.get("is_told")
    }
}

extension WantedTransaction {
    /// Some that no other process takes until then. Of who is suspended drivers are told when they are back. What was told of searches that are gone is
    /// forgotten after a day.
    fileprivate func takeUnannounced(atMost limit: Int) async throws -> [UnannouncedSearch] {
        try await transaction.pipeline([
            "DELETE FROM announcements WHERE wanted IS NULL AND at <= \(now - SeekingLimits.day)",
            """
            UPDATE wanted SET announce_due = \(now + SeekingLimits.announcingAgain) WHERE id IN (
                SELECT wanted.id FROM wanted
                WHERE wanted.announce_due <= \(now) AND wanted.state = 'live' AND wanted.is_settled AND wanted.due_at > \(now)
                    AND wanted.seeks_before > \(now)
                    AND NOT \(SuspensionProjection.isAmongSuspended("wanted.person", at: now))
                ORDER BY wanted.announce_due LIMIT \(unescaped: "\(limit)") FOR NO KEY UPDATE SKIP LOCKED)
            RETURNING id, person, query
            """,
        ])[1].map(UnannouncedSearch.init)
    }

    /// - Parameter found: what the search finds now, the best first.
    fileprivate func announce(_ search: UnannouncedSearch, along found: [Subject]) async throws {
        let rides = found.prefix(SeekingLimits.considered).compactMap { $0.id(of: Ride.self) }
        let answers = try await transaction.pipeline([
            .lock("wanted", "announcing"), Self.announcing(search, along: rides, at: now, people.campuses),
            """
            SELECT FROM wanted
            WHERE id = \(search.id) AND query = \(search.text) AND is_visible AND state = 'live' AND is_settled AND seeks_before > \(now)
                AND announce_due IS NOT NULL AND NOT \(SuspensionProjection.isSuspendedHere("wanted.person", at: now))
            FOR NO KEY UPDATE
            """,
        ])
        // Nobody sees it any more, or it looks for something else, of which drivers are told by itself.
        if answers[2].isEmpty { return }
        let byRide = Dictionary(try answers[1].map(AnnouncedRide.init).map { ($0.id, $0) }) { one, _ in one }
        // The best ones, however often a search begins anew.
        let told = rides.compactMap { byRide[$0] }.prefix(SeekingLimits.announced).filter { !$0.isTold }
        try await transaction.pipeline([
            """
            INSERT INTO announcements (ride, wanted, at)
            SELECT ride, \(search.id), \(now) FROM unnest(\(told.map(\.id))) AS ride
            """,
            "UPDATE wanted SET announce_due = NULL WHERE id = \(search.id)",
        ])
        for ride in told {
            transaction.publish(
                NoticeRaised.seeker(search.person, along: ride.id, titled: ride.title, of: ride.driver, at: now),
                about: "ride/\(ride.id)", to: .nobody)
        }
    }

    /// Rides whose drivers may know of it, locked: none goes until they are told.
    private static func announcing(
        _ search: UnannouncedSearch, along rides: [RideID], at now: Date, _ campuses: CampusSeparation
    ) -> SQLQuery {
        """
        SELECT searchables.subject AS ride, searchables.owner AS driver, searchables.title,
            EXISTS (
                SELECT FROM announcements
                WHERE announcements.ride = searchables.subject AND announcements.wanted = \(search.id))
            OR (
                SELECT count(*) FROM announcements
                WHERE announcements.ride = searchables.subject AND announcements.at > \(now - SeekingLimits.day)
            ) >= \(unescaped: "\(SeekingLimits.perRide)") AS is_told
        FROM searchables
        WHERE searchables.kind = 'ride' AND searchables.subject = ANY(\(rides)) AND searchables.is_there
            AND EXISTS (
                SELECT FROM finds
                WHERE finds.wanted = \(search.id) AND finds.kind = 'ride' AND finds.subject = searchables.subject)
            AND searchables.owner <> \(search.person)
            AND \(BlockProjection.isTogether("searchables.owner", with: search.person))
            AND NOT \(SuspensionProjection.isAmongSuspended("searchables.owner", at: now))
            \(campuses.condition("searchables.owner", isTogetherWith: search.person))
        ORDER BY searchables.subject FOR SHARE OF searchables
        """
    }
}
