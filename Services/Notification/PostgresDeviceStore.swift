import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import WireProtocol

/// Every SQL statement about devices; what delivering asks is in `PostgresDeviceRecords.swift`.
struct PostgresDeviceStore: DeviceStore {
    let database: Database
    let seal: DeviceSeal

    /// Those to which the inbox may have something brought.
    static let devices = PushDevices(rows: "SELECT id, person, rests_until FROM devices")

    func register(_ draft: DeviceDraft, _ policy: DevicePolicy, _ context: RequestContext) async throws -> PushDevice {
        let address = seal.digest(draft.target.address)
        let sealed = try seal.seal(draft.target)
        return try await database.command(context, meaning: PeopleErasure.refusal(of:)) { transaction in
            try await transaction.pipeline([
                .lock("person", draft.person), .lock("device", Base64URL.encode(address)),
                .lock("session", allOf: draft.session.map { [$0] } ?? []),
            ])
            guard try await transaction.query("SELECT FROM ended_sessions WHERE id = \(draft.session)").isEmpty else {
                throw ServiceError(.unauthenticated, "The session has ended.")
            }
            // What waits for whoever had it before is not for this person's eyes.
            try await Self.remove(
                where: "address = \(address) AND person <> \(draft.person)", from: transaction)
            let rows = try await transaction.query(
                """
                INSERT INTO devices (id, person, session, kind, address, sealed, label, language, added_at, seen_at)
                VALUES (\(PushDeviceID.new(at: draft.at)), \(draft.person), \(draft.session),
                    \(draft.target.kind.rawValue), \(address), \(sealed), \(draft.label), \(draft.language),
                    \(draft.at), \(draft.at))
                ON CONFLICT (address) DO UPDATE SET session = excluded.session, sealed = excluded.sealed,
                    label = excluded.label, language = excluded.language, seen_at = excluded.seen_at,
                    takes_little = false
                RETURNING \(Self.columns)
                """)
            try await Self.remove(
                where: """
                    id IN (SELECT id FROM devices WHERE person = \(draft.person) AND address <> \(address)
                        ORDER BY greatest(seen_at, last_used_at) DESC, id DESC OFFSET \(policy.most - 1))
                    """, from: transaction)
            guard let row = rows.first else { throw ServiceError.notFound("device") }
            return try PushDevice(row, session: draft.session)
        }
    }

    func remove(_ id: PushDeviceID, of person: PersonID, _ context: RequestContext) async throws {
        _ = try await database.command(context) { transaction in
            guard try await Self.remove(where: "id = \(id) AND person = \(person)", from: transaction) == 1 else {
                throw ServiceError.notFound("device")
            }
            return Nothing()
        }
    }

    func devices(of person: PersonID, session: SessionID?) async throws -> [PushDevice] {
        try await database.read(
            "SELECT \(Self.columns) FROM devices WHERE person = \(person) ORDER BY seen_at DESC, id DESC"
        ).map { try PushDevice($0, session: session) }
    }

    // MARK: What others say

    /// Whoever signs out on a device, or is signed out, is told nothing there any more.
    func follow(on consumer: DurableConsumer) {
        consumer.on(SessionsRevoked.self, from: PeerRole.auth.rawValue) { event, _, transaction in
            try await Self.end(event.sessions, in: transaction)
        }
    }

    /// Nothing is told any more on devices of these sessions, and none comes to them: one that somebody has asked for may be under way.
    static func end(_ sessions: [RevokedSessions.Revoked], in transaction: CommandTransaction) async throws {
        let ids = sessions.map(\.id)
        _ = try await transaction.query(.lock("session", allOf: ids))
        _ = try await transaction.query(
            """
            INSERT INTO ended_sessions (id, until)
            SELECT id, until FROM unnest(\(ids)::uuid[], \(sessions.map(\.until))::timestamptz[]) AS ended (id, until)
            ON CONFLICT (id) DO UPDATE SET until = greatest(ended_sessions.until, excluded.until)
            """)
        try await remove(where: "session = ANY(\(ids))", from: transaction)
    }

    /// What becomes of the devices of somebody who erases themselves.
    static func erase(_ person: PersonID, in transaction: CommandTransaction) async throws -> ErasedRecords {
        ErasedRecords(.devices, try await remove(where: "person = \(person)", from: transaction))
    }

    /// What is kept of somebody's devices, for their archive; neither where they are reached nor their keys.
    var ownRecords: PersonalSections.Section {
        .init("devices") { person, _ in
            let kept = try await devices(of: person, session: nil)
            return Page(items: try kept.map { try PersonalRecord("devices", ExportedDevice($0)) })
        }
    }

    /// - Returns: How many are gone. Nothing waits for them any more.
    @discardableResult
    static func remove(where condition: SQLQuery, from transaction: CommandTransaction) async throws -> Int {
        let gone: [UUID] = try await transaction.query("DELETE FROM devices WHERE \(condition) RETURNING id").map {
            try $0.get("id")
        }
        if !gone.isEmpty { _ = try await transaction.query("DELETE FROM deliveries WHERE device = ANY(\(gone))") }
        return gone.count
    }

    private static let columns: SQLQuery = "id, kind, label, session, added_at, last_used_at"
}

/// A device in the archive.
private struct ExportedDevice: Codable, Sendable {
    var id: PushDeviceID
    var kind: PushKind
    var label: String?
    var addedAt: Date
    var lastUsedAt: Date?

    init(_ device: PushDevice) {
        (id, kind, label) = (device.id, device.kind, device.label)
        (addedAt, lastUsedAt) = (device.addedAt, device.lastUsedAt)
    }
}

extension PushDevice {
    /// - Parameter session: Of whoever asks.
    fileprivate init(_ row: PostgresRow, session: SessionID?) throws {
        let name: String = try row.get("kind")
        guard let kind = PushKind(rawValue: name) else {
            throw PostgresError(.unexpectedValue, debugDetail: "\(name) is no kind of device")
        }
        let own: SessionID? = try row.get("session")
        self.init(
            id: try row.get("id"), kind: kind, label: try row.get("label"), addedAt: try row.get("added_at"),
            lastUsedAt: try row.get("last_used_at"), current: session != nil && own == session)
    }
}
