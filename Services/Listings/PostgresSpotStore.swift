import DurableMessaging
import Messaging
import People
import Postgres
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Spots in the tables `spots` and `observations`.
struct PostgresSpotStore: SpotStore {
    let database: Database
    let people: PeopleProjection
    /// Of one person at once; the sweep takes what is left.
    private static let mostOfOne = 1000

    func spot(_ id: SpotID, for viewer: SpotViewer) async throws -> ParkingSpot? {
        try await database.read(viewer.spot(id, people.campuses)).first.map(ParkingSpot.init)
    }

    func spots(_ page: SpotPage, for person: PersonID?, at now: Date) async throws -> [FoundSpot] {
        var found: [[FoundSpot]] = []
        for statement in page.statements(for: person, at: now, people.campuses) {
            found.append(try await database.read(statement).map { try FoundSpot($0, in: page.selection) })
        }
        return page.merge(found)
    }

    func photos(among photos: [String]) async throws -> [String] {
        try await database.read("SELECT DISTINCT photo FROM spots WHERE photo = ANY(\(photos))").map {
            try $0.get("photo")
        }
    }

    func command<Reply: Codable & Sendable>(
        _ request: RequestContext, of person: PersonID, within limits: SpotLimits,
        _ body: @Sendable @escaping (PostgresSpotTransaction, SpotHoldings) async throws -> Reply
    ) async throws -> Reply {
        try await database.command(
            request,
            asking: { now in
                // Each with a snapshot that is younger than the lock.
                [
                    .lock("person", person),
                    SpotHoldings.selection(of: person, claimsSince: now - limits.claimLifetime, at: now),
                    people.selection(of: [person], for: nil),
                ]
            },
            meaning: { $0.constraint == PeopleErasure.constraint ? SpotError.erased : nil }
        ) { transaction, answers in
            let known = LookedUp(try KnownPeople(rows: answers[2]), of: [person])
            return try await body(
                PostgresSpotTransaction(transaction: transaction, people: people, lookedUp: known),
                SpotHoldings(answers[1][0]))
        }
    }

    func transaction<Result: Sendable>(
        _ body: @Sendable @escaping (PostgresSpotTransaction) async throws -> Result
    ) async throws -> Result {
        try await database.transaction { try await body(PostgresSpotTransaction(transaction: $0, people: people)) }
    }

    /// Does what moderators have decided.
    /// - Parameter rentals: where things are that are no spots.
    func follow(
        on consumer: DurableConsumer, within limits: SpotLimits, _ suspensions: SuspensionProjection,
        beside rentals: PostgresRentalStore
    ) {
        suspensions.follow(on: consumer) { person, transaction in
            _ = try await rentals.rentals(in: transaction).reconcile(person, atMost: Self.mostOfOne)
            let spots = PostgresSpotTransaction(transaction: transaction, people: people)
            _ = try await spots.reconcile(person, atMost: Self.mostOfOne, within: limits)
        }
        consumer.on(SubjectHidden.self, from: PeerRole.auth.rawValue) { event, _, transaction in
            if let id = event.subject.moderated(as: Spot.self) {
                let spots = PostgresSpotTransaction(transaction: transaction, people: people)
                try await spots.moderate(id) { $0.hide(event.hiding, at: spots.now) }
            }
            if let id = event.subject.moderated(as: Thing.self) {
                try await rentals.rentals(in: transaction).moderate(id) { $0.hidden = event.hiding }
            }
        }
        consumer.on(SubjectRestored.self, from: PeerRole.auth.rawValue) { event, _, transaction in
            if let id = event.subject.moderated(as: Spot.self) {
                let spots = PostgresSpotTransaction(transaction: transaction, people: people)
                try await spots.moderate(id) { $0.restore(at: spots.now) }
            }
            if let id = event.subject.moderated(as: Thing.self) {
                try await rentals.rentals(in: transaction).moderate(id) { $0.hidden = nil }
            }
        }
    }
}

extension Subject {
    /// Its id, where it is of this kind, or may be: cases from before spots and things were told apart call both posts.
    fileprivate func moderated<Entity: SubjectEntity>(as entity: Entity.Type) -> ID<Entity>? {
        kind == .post ? ID<Entity>(id.uuid) : id(of: entity)
    }
}

extension SpotHoldings {
    fileprivate static func selection(of person: PersonID, claimsSince: Date, at now: Date) -> SQLQuery {
        """
        SELECT (SELECT count(*) FROM spots WHERE posted_by = \(person) AND state = 'free' AND expires_at > \(now))
                AS free,
            (SELECT count(*) FROM spots WHERE claimed_by = \(person) AND claimed_at > \(claimsSince)) AS claims,
            \(SuspensionProjection.isSuspended("\(person)", at: now)) AS suspended
        """
    }

    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            free: try row.get("free"), claims: try row.get("claims"), isSuspended: try row.get("suspended"))
    }
}
