import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

struct PostgresErasureStore: ErasureStore {
    let statements: any Statements
    let fields: FieldSeal

    private static let addressField = "erasures.address"

    // MARK: The account

    func erase(_ person: PersonID, now: Date) async throws -> ErasedAccount? {
        // Whoever is about to befriend or block them waits, and finds nobody.
        try await statements.query(.lock("person", person))
        let id = person.uuid
        let counts = try await statements.query(
            """
            SELECT
                (SELECT count(*) FROM sessions WHERE person = \(id)) AS sessions,
                (SELECT count(*) FROM friendships WHERE low = \(id) OR high = \(id)) AS friendships,
                (SELECT count(*) FROM blocks WHERE blocker = \(id) OR blocked = \(id)) AS blocks,
                (SELECT count(*) FROM encounters WHERE low = \(id) OR high = \(id)) AS encounters,
                (SELECT coalesce(sum(theirs.written), 0)::bigint
                    FROM encounters met CROSS JOIN LATERAL (
                        SELECT count(*) AS written FROM reviews
                        WHERE kind = met.kind AND subject = met.subject AND low = met.low AND high = met.high
                    ) AS theirs
                    WHERE low = \(id) OR high = \(id)) AS reviews,
                (SELECT count(*) FROM identities WHERE person = \(id)) AS identities,
                (SELECT count(*) FROM passkeys WHERE person = \(id)) AS passkeys,
                (SELECT count(*) FROM reports WHERE reporter = \(id)) AS reports,
                (SELECT count(*) FROM notices WHERE person = \(id)) AS notices,
                (SELECT photo FROM accounts WHERE id = \(id)) AS photo
            """)[0]
        let sessions = try await statements.query(
            """
            WITH revoked AS (
                INSERT INTO revoked_sessions (id, access_until)
                SELECT id, access_until FROM sessions WHERE person = \(id) AND access_until > \(now)
                ON CONFLICT DO NOTHING
            )
            SELECT id, access_until FROM sessions WHERE person = \(id) AND ended_at IS NULL
            """
        ).map { RevokedSessions.Revoked(id: SessionID(try $0.get("id")), until: try $0.get("access_until")) }
        // All that refers to an account goes with it; what somebody reported stays without their name.
        guard try await statements.query("DELETE FROM accounts WHERE id = \(id)").affected == 1 else { return nil }
        let kinds: [ErasedRecords.Kind] = [
            .sessions, .identities, .passkeys, .friendships, .blocks, .encounters, .reviews, .reports, .notices,
        ]
        return ErasedAccount(
            records: [ErasedRecords(.accounts, 1)]
                + (try kinds.map { ErasedRecords($0, try counts.get($0.rawValue)) }).filter { $0.count > 0 },
            sessions: sessions, photo: try counts.get("photo"))
    }

    func portraits(among photos: [String]) async throws -> [String] {
        try await statements.query("SELECT DISTINCT photo FROM accounts WHERE photo = ANY(\(photos))").map {
            try $0.get("photo")
        }
    }

    // MARK: Receipts

    func add(_ erasure: Erasure, to email: EmailAddress?) async throws {
        let sealed = try email.map { try fields.seal($0.text, field: Self.addressField, of: erasure.id.uuid) }
        try await statements.query(
            """
            INSERT INTO erasures (id, address, requested_at) VALUES (\(erasure.id), \(sealed), \(erasure.requestedAt))
            """)
        for part in erasure.parts {
            try await statements.query(
                """
                INSERT INTO erasure_parts (erasure, service, done_at, records)
                VALUES (\(erasure.id), \(part.service), \(part.doneAt), \(Self.json(part.records)))
                """)
        }
    }

    func erasure(_ id: ErasureID) async throws -> Erasure? {
        let rows = try await statements.query(
            """
            SELECT requested_at, completed_at, photos_deleted, service, done_at, records
            FROM erasures JOIN erasure_parts ON erasure = id
            WHERE id = \(id) ORDER BY service
            """)
        guard let first = rows.first else { return nil }
        return Erasure(
            id: id, requestedAt: try first.get("requested_at"), completedAt: try first.get("completed_at"),
            parts: try rows.map { row in
                let records: RawJSON = try row.get("records")
                var part = ErasurePart(
                    service: try row.get("service"), doneAt: try row.get("done_at"),
                    records: try WireJSON.decode(from: records.bytes))
                let photos: Int = try row.get("photos_deleted")
                if part.service == PeerRole.gateway.rawValue, photos > 0 {
                    part.records.append(ErasedRecords(.photos, photos))
                }
                return part
            })
    }

    func finish(_ part: ErasurePart, of id: ErasureID, photos: [String]) async throws {
        try await lock(id)
        let isFirst =
            try await statements.query(
                """
                UPDATE erasure_parts SET done_at = \(part.doneAt), records = \(Self.json(part.records))
                WHERE erasure = \(id) AND service = \(part.service) AND done_at IS NULL
                """
            ).affected == 1
        guard isFirst, let doneAt = part.doneAt else { return }
        try await add(photos, of: id)
        try await settle(id, now: doneAt)
    }

    func add(_ photos: [String], of id: ErasureID) async throws {
        guard !photos.isEmpty else { return }
        try await statements.query(
            """
            INSERT INTO erasure_photos (erasure, photo) SELECT \(id), photo FROM unnest(\(photos)::text[]) AS given (photo)
            ON CONFLICT DO NOTHING
            """)
    }

    // MARK: Pictures

    func photos(atMost limit: Int) async throws -> [ErasedPhotos] {
        let rows = try await statements.query(
            """
            SELECT erasure, photo FROM erasure_photos AS left_over
            WHERE NOT EXISTS (
                SELECT FROM erasure_parts AS part
                WHERE part.erasure = left_over.erasure AND service <> \(PeerRole.gateway.rawValue) AND done_at IS NULL)
            ORDER BY erasure, photo LIMIT \(limit)
            """)
        var found: [ErasedPhotos] = []
        for row in rows {
            let id = ErasureID(try row.get("erasure", as: UUID.self))
            if found.last?.erasure != id { found.append(ErasedPhotos(erasure: id, photos: [])) }
            found[found.count - 1].photos.append(try row.get("photo"))
        }
        return found
    }

    func finish(_ photos: ErasedPhotos, now: Date) async throws {
        let id = photos.erasure
        try await lock(id)
        let gone = try await statements.query(
            "DELETE FROM erasure_photos WHERE erasure = \(id) AND photo = ANY(\(photos.photos))"
        ).affected
        guard gone > 0 else { return }
        try await statements.query(
            "UPDATE erasures SET photos_deleted = photos_deleted + \(min(gone, max(0, photos.deleted))) WHERE id = \(id)"
        )
        try await settle(id, now: now)
    }

    /// Of two services that have done their parts at the same moment, the later one sees what the other did: else neither would be the last.
    private func lock(_ id: ErasureID) async throws {
        try await statements.query("SELECT FROM erasures WHERE id = \(id) FOR NO KEY UPDATE")
    }

    /// The gateway's part is done when no other is open and no picture is left, and all of it is done when each part is.
    private func settle(_ id: ErasureID, now: Date) async throws {
        try await statements.query(
            """
            UPDATE erasure_parts AS part SET done_at = \(now)
            WHERE erasure = \(id) AND service = \(PeerRole.gateway.rawValue) AND done_at IS NULL
                AND NOT EXISTS (
                    SELECT FROM erasure_parts AS other
                    WHERE other.erasure = part.erasure AND other.service <> part.service AND other.done_at IS NULL)
                AND NOT EXISTS (SELECT FROM erasure_photos AS left_over WHERE left_over.erasure = part.erasure)
            """)
        try await statements.query(
            """
            UPDATE erasures SET completed_at = \(now)
            WHERE id = \(id) AND completed_at IS NULL
                AND NOT EXISTS (SELECT FROM erasure_parts WHERE erasure = erasures.id AND done_at IS NULL)
            """)
    }

    // MARK: Addresses and old receipts

    func address(of id: ErasureID) async throws -> EmailAddress? {
        let rows = try await statements.query("SELECT address FROM erasures WHERE id = \(id) AND address IS NOT NULL")
        return try rows.first.flatMap {
            EmailAddress(kept: try fields.open($0.get("address"), field: Self.addressField, of: id.uuid))
        }
    }

    func forgetAddress(of id: ErasureID) async throws {
        try await statements.query("UPDATE erasures SET address = NULL WHERE id = \(id)")
    }

    func prune(completedBefore date: Date, now: Date) async throws {
        try await statements.query("DELETE FROM erasures WHERE completed_at < \(date)")
        try await statements.query("DELETE FROM revoked_sessions WHERE access_until < \(now)")
        // The mail was given up: nobody reads it any more.
        try await statements.query(
            """
            UPDATE erasures SET address = NULL
            WHERE address IS NOT NULL AND requested_at < \(now.addingTimeInterval(-ErasurePolicy.mailLifetime))
            """)
    }

    private static func json(_ records: [ErasedRecords]) throws -> RawJSON {
        RawJSON(bytes: try WireJSON.encode(records))
    }
}
