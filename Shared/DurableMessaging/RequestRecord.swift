import Crypto
import FoundationEssentials
import Messaging
import Postgres
import WireProtocol

/// The memory of one command: who asked, under which id, what for, and what was answered.
struct RequestRecord: Sendable {
    let caller: String
    let id: UUID
    let digest: [UInt8]
    let keys: RecordKeys

    init(_ context: RequestContext, keys: RecordKeys) {
        // Ids are chosen by callers, so each has its own; those who are not signed in share one.
        caller = "\(context.peer.rawValue)/\(context.caller.person?.description ?? "")"
        id = context.id
        digest = keys.digest(of: context.content)
        self.keys = keys
    }

    /// The stored reply, and what `further` statements answer that travel with the question. Waits for any other transaction of the same request,
    /// so that there is one effect.
    /// - Throws: the stored refusal; `idempotency_mismatch` where the id was used for something else; `.commitUnknown` where that
    ///   other transaction took too long to wait for.
    func find(
        in transaction: PostgresTransaction, at now: Date, with further: [SQLQuery] = []
    ) async throws -> (stored: [UInt8]?, further: [PostgresRows]) {
        let own: [SQLQuery]
        let answers: [PostgresRows]
        do {
            // Two statements: the snapshot of the second is younger than the lock.
            own = [
                .lock("request", "\(caller)/\(id)"),
                """
                SELECT digest, reply, false AS refused FROM requests WHERE caller = \(caller) AND id = \(id)
                UNION ALL
                SELECT digest, refusal, true FROM refusals
                WHERE caller = \(caller) AND id = \(id) AND digest = \(digest) AND until > \(now)
                """,
            ]
            answers = try await transaction.pipeline(own + further)
        } catch let error as PostgresError where error.kind == .timeout && error.statement ?? 0 < 2 {
            // Somebody is doing this very command and has not said what came of it.
            throw PostgresError(.commitUnknown, sqlState: error.sqlState, debugDetail: error.debugDetail)
        }
        return (try reply(in: answers[1]), Array(answers.dropFirst(own.count)))
    }

    private func reply(in found: PostgresRows) throws -> [UInt8]? {
        // A refusal stands beside a reply only where the reply is to something else.
        if let refusal = try found.first(where: { try $0.get("refused") }) {
            throw try WireJSON.decode(ServiceError.self, from: keys.open(refusal.get("reply"), for: self))
        }
        guard let row = found.first else { return nil }
        guard try row.get("digest", as: [UInt8].self) == digest else {
            throw ServiceError(.idempotencyMismatch, "This idempotency key was used for another request.")
        }
        return try keys.open(row.get("reply"), for: self)
    }

    func insert(reply: [UInt8]) throws -> SQLQuery {
        """
        INSERT INTO requests (caller, id, digest, reply)
        VALUES (\(caller), \(id), \(digest), \(try keys.seal(reply, for: self)))
        """
    }

    func insert(refusal: ServiceError, until: Date) throws -> SQLQuery {
        """
        INSERT INTO refusals (caller, id, digest, refusal, until)
        VALUES (\(caller), \(id), \(digest), \(try keys.seal(WireJSON.encode(refusal), for: self)), \(until))
        ON CONFLICT (caller, id, digest) DO UPDATE SET refusal = excluded.refusal, until = excluded.until
        """
    }
}

/// What protects the records: a stored request cannot be guessed from its digest (passwords go through here), and stored replies
/// (tokens as well) are of no use to who reads the table or a backup of it.
struct RecordKeys: Sendable {
    private let digestKey: SymmetricKey
    private let sealKey: SymmetricKey

    init(secret: [UInt8]) {
        precondition(secret.count >= 16, "the digest key has \(secret.count) bytes; 16 are the least")
        let secret = SymmetricKey(data: secret)
        let derive = { (purpose: String) in
            HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, info: Data(purpose.utf8), outputByteCount: 32)
        }
        digestKey = derive("kampong request digest")
        sealKey = derive("kampong reply seal")
    }

    func digest(of content: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: content, using: digestKey))
    }

    func seal(_ reply: [UInt8], for record: RequestRecord) throws -> [UInt8] {
        let box = try AES.GCM.seal(reply, using: sealKey, authenticating: binding(record))
        return Array(box.combined!)  // nil only for nonces of another length than the default
    }

    func open(_ sealed: [UInt8], for record: RequestRecord) throws -> [UInt8] {
        Array(try AES.GCM.open(.init(combined: sealed), using: sealKey, authenticating: binding(record)))
    }

    /// A reply belongs to its request and to no other row.
    private func binding(_ record: RequestRecord) -> [UInt8] { Array("\(record.caller)/\(record.id)".utf8) }
}
