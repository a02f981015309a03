import Crypto
import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

extension PostgresDeviceStore: DeviceRecords {
    func reached(_ ids: [PushDeviceID]) async throws -> [UUID: ReachedDevice] {
        let rows = try await database.read(
            """
            SELECT id, person, language, sealed, address, takes_little, failures, rests_until
            FROM devices WHERE id = ANY(\(ids))
            """)
        let found = try rows.map { row in
            ReachedDevice(
                id: try row.get("id"), person: try row.get("person"), language: try row.get("language"),
                sealed: try row.get("sealed"), address: try row.get("address"),
                takesLittle: try row.get("takes_little"), failures: try row.get("failures"),
                restsUntil: try row.get("rests_until"))
        }
        return Dictionary(found.map { ($0.id.uuid, $0) }) { first, _ in first }
    }

    func note(_ verdict: PushVerdict, of push: Push, now: Date) async throws {
        let device = push.device
        switch verdict {
        case .again: return
        case .delivered:
            _ = try await database.query(
                """
                UPDATE devices SET last_used_at = \(now), failures = 0, rests_until = NULL WHERE id = \(device.id)
                """)
        case .shortened:
            _ = try await database.query("UPDATE devices SET takes_little = true WHERE id = \(device.id)")
        case .gone:
            // One that was registered anew meanwhile has other keys, and stays.
            try await database.transaction { transaction in
                _ = try await Self.remove(where: "id = \(device.id) AND sealed = \(device.sealed)", from: transaction)
            }
        case .dead(let reason):
            // What is given up twice, since the first note was not followed by the end, is one.
            _ = try await database.query(
                """
                INSERT INTO dead_pushes (id, device, kind, reason, attempts, ended_at, notice)
                SELECT \(push.delivery.id), id, \(push.delivery.notice.kind.rawValue), \(reason),
                    \(push.delivery.attempts), \(now), (SELECT id FROM notices WHERE id = \(push.delivery.notice.id))
                FROM devices WHERE id = \(device.id)
                ON CONFLICT (id) DO UPDATE SET reason = excluded.reason, attempts = excluded.attempts,
                    ended_at = excluded.ended_at
                """)
        }
    }

    func rest(_ device: ReachedDevice, until: Date) async throws {
        // Of several that fail at the same time, in several replicas, one counts.
        _ = try await database.query(
            """
            UPDATE devices SET rests_until = greatest(rests_until, \(until)),
                failures = CASE WHEN failures = \(device.failures) THEN failures + 1 ELSE failures END
            WHERE id = \(device.id)
            """)
    }

    func sweep(forgotten: Date, unseen: Date) async throws {
        _ = try await database.query("DELETE FROM dead_pushes WHERE ended_at < \(forgotten)")
        _ = try await database.query("DELETE FROM ended_sessions WHERE until < \(forgotten)")
        try await database.transaction { transaction in
            _ = try await Self.remove(where: "seen_at < \(unseen)", from: transaction)
        }
    }

    func tally() async throws -> PushTally {
        let rows = try await database.read(
            """
            SELECT (SELECT count(*) FROM deliveries) AS waiting, (SELECT count(*) FROM dead_pushes) AS dead,
                (SELECT count(*) FROM devices) AS devices
            """)
        return PushTally(
            waiting: try rows[0].get("waiting"), dead: try rows[0].get("dead"), devices: try rows[0].get("devices"))
    }

    // MARK: Our key

    private static let keyName = Array("push key".utf8)

    /// Our key: the one that was made at the first start. Where it cannot be opened any more, a new one takes its place, and the browsers
    /// that know the old one are forgotten: they subscribe anew with their next page.
    func pushKey(now: Date) async throws -> P256.Signing.PrivateKey {
        try await database.transaction { transaction in
            _ = try await transaction.query(.lock("push key", "one"))
            if let row = try await transaction.query("SELECT sealed FROM push_key").first {
                if let bytes = try? seal.open(try row.get("sealed"), as: Self.keyName),
                    let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes)
                {
                    return key
                }
                _ = try await Self.remove(where: "kind = 'webPush'", from: transaction)
            }
            let key = P256.Signing.PrivateKey()
            let sealed = try seal.seal(Array(key.rawRepresentation), as: Self.keyName)
            _ = try await transaction.query(
                """
                INSERT INTO push_key (sealed, made_at) VALUES (\(sealed), \(now))
                ON CONFLICT (is_one) DO UPDATE SET sealed = excluded.sealed, made_at = excluded.made_at
                """)
            return key
        }
    }
}
