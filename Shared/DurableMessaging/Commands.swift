package import FoundationEssentials
import Logging
package import Messaging
package import Postgres
import Reactor
package import WireProtocol

extension Database {
    /// Runs a command once for each request id of its caller, whatever gets lost and however often it is sent.
    ///
    /// The effect, its events and the reply become durable together. The same id with the same content is answered with the
    /// stored reply; with other content it is refused (`idempotency_mismatch`). What `body` throws undoes everything; where it is a
    /// `Refusal` of what somebody signed in has asked, copies of the request that are still on their way are refused as well
    /// (`DatabaseSettings.keepRefusals`), so that nothing is done that was said not to be. Deadlocks, lost connections and commits
    /// whose answer was lost are cleared up here: `body` may run several times, and must keep to the database.
    /// - Parameter meaning: what it means for the one who asked that the database refuses something (by a constraint, at a statement or at
    ///   COMMIT); nil where it is a fault of ours.
    /// - Throws: what `body` throws; `ServiceError` `.unavailable` or `.outcomeUnknown` where the database is away.
    package func command<Reply: Codable & Sendable>(
        _ context: RequestContext, meaning: @escaping @Sendable (PostgresError) -> (any Refusal)? = { _ in nil },
        _ body: @escaping @Sendable (CommandTransaction) async throws -> Reply
    ) async throws -> Reply {
        try await command(context, asking: { _ in [] }, meaning: meaning) { transaction, _ in
            try await body(transaction)
        }
    }

    /// The same, with first statements that are known from the beginning: they travel with the look for a stored reply, behind the lock of the
    /// request, and `body` gets their answers. So a command that leaves its writes to the end (`CommandTransaction.last`) takes two round trips.
    package func command<Reply: Codable & Sendable>(
        _ context: RequestContext, asking first: @escaping @Sendable (_ now: Date) -> [SQLQuery],
        meaning: @escaping @Sendable (PostgresError) -> (any Refusal)? = { _ in nil },
        _ body: @escaping @Sendable (CommandTransaction, [PostgresRows]) async throws -> Reply
    ) async throws -> Reply {
        let record = RequestRecord(context, keys: keys)
        return try await translatingOutages {
            // An unknown commit is tried again as well: `find` waits for the lock of the transaction in question,
            // and so sees whether it was committed.
            try await retrying(commitsOfUnknownOutcome: true) {
                let reason: any Refusal
                do {
                    return try await attempt { transaction in
                        let (stored, answers) = try await record.find(
                            in: transaction.transaction, at: transaction.now, with: first(transaction.now))
                        if let stored { return (try WireJSON.decode(Reply.self, from: stored), []) }
                        let reply: Reply
                        do { reply = try await body(transaction, answers) } catch let refusal as any Refusal {
                            throw Refused(reason: refusal)
                        }
                        return (reply, [try record.insert(reply: WireJSON.encode(reply))])
                    }
                } catch let refused as Refused {
                    reason = refused.reason
                } catch let error as PostgresError {
                    guard let refusal = meaning(error) else { throw error }
                    reason = refusal
                }
                guard let stored = try await refuse(reason, record, context) else { throw reason }
                return try WireJSON.decode(from: stored)
            }
        }
    }

    /// Sees to it that what was refused is not done by a copy of the request that another process holds.
    /// - Returns: the reply, where another copy was done since.
    private func refuse(
        _ reason: any Refusal, _ record: RequestRecord, _ context: RequestContext
    ) async throws -> [UInt8]? {
        let refusal = reason.serviceError
        // Of strangers nothing is kept: they could fill the table, and theirs are no commands that anybody's things depend on.
        guard refusal.isFinal, context.caller.person != nil else { return nil }
        return try await attempt { transaction in
            if let stored = try await record.find(in: transaction.transaction, at: transaction.now).stored {
                return (stored, [])
            }
            let until = max(context.deadline, transaction.now) + settings.keepRefusals.timeInterval
            return (nil, [try record.insert(refusal: refusal, until: until)])
        }
    }

    /// Runs `body` in a transaction, with its events, where no request stands behind it: sweeps, projections.
    /// - Throws: as `command`; after `.outcomeUnknown` it may have been done or not.
    @discardableResult
    package func transaction<Value: Sendable>(
        _ body: @escaping @Sendable (CommandTransaction) async throws -> Value
    ) async throws -> Value {
        try await translatingOutages {
            try await retrying(commitsOfUnknownOutcome: false) { try await attempt { (try await body($0), []) } }
        }
    }

    /// One attempt: the body, what goes with it, the events last, COMMIT; then the sequencer is woken.
    func attempt<Value: Sendable>(
        _ body: @Sendable (CommandTransaction) async throws -> (Value, [SQLQuery])
    ) async throws -> Value {
        let collected = CollectedEvents()
        let value = try await pool.transaction(withLast: { transaction in
            let command = CommandTransaction(now: clock(), transaction: transaction, collected: collected)
            var (value, last) = try await body(command)
            last.insert(contentsOf: collected.statements, at: 0)
            if let insert = try collected.insert() { last.append(insert) }
            return (value, last)
        })
        collected.follow()
        if !collected.isEmpty { await sequencer.wake() }
        return value
    }

    /// Runs `attempt` again where others made it fail. What took too long is not: that would add to what made it slow.
    func retrying<Value: Sendable>(
        commitsOfUnknownOutcome: Bool, _ attempt: @Sendable () async throws -> Value
    ) async throws -> Value {
        var backoff = Backoff(first: .milliseconds(10), limit: .milliseconds(500))
        var unknown: PostgresError?
        while true {
            do {
                return try await attempt()
            } catch let error as PostgresError where error.saysNothing {
                // Once a commit's outcome is unknown, failing to find out does not make it "nothing was done".
                if error.kind == .commitUnknown { unknown = error }
                let mayRepeat = error.isCollision || (error.kind == .commitUnknown && commitsOfUnknownOutcome)
                guard mayRepeat, backoff.failures + 1 < settings.attempts, !Task.isCancelled else {
                    throw unknown ?? error
                }
                logger.debug("transaction is tried again", metadata: ["reason": "\(error)"])
                try? await Task.sleep(for: backoff.next())
            }
        }
    }

    /// Says of outages what a client can use; refusals of the server pass as they are.
    func translatingOutages<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as PostgresError {
            switch error.kind {
            case .connectionLost, .unavailable, .timeout,
                .server where error.isRetriable:
                logger.warning("the database is away", metadata: ["reason": "\(error): \(error.debugDetail)"])
                throw ServiceError(.unavailable, "The service is busy. Try again in a moment.", retryAfter: 1)
            case .commitUnknown:
                logger.warning("a commit's outcome is unknown", metadata: ["reason": "\(error.debugDetail)"])
                throw ServiceError(
                    .outcomeUnknown, "It is not known whether this was done. Send the same request again.",
                    retryAfter: 1)
            case .cancelled: throw CancellationError()
            case .server, .unexpectedValue, .misuse: throw error
            }
        }
    }
}

/// What the body of a command threw, as apart from what was stored of an earlier one.
private struct Refused: Error {
    var reason: any Refusal
}

extension PostgresError {
    /// Others were in the way, or the connection went: the next attempt may well succeed.
    fileprivate var isCollision: Bool { kind == .connectionLost || (kind == .server && isRetriable) }

    /// It is no answer to what was asked: nothing follows from it about an earlier attempt.
    fileprivate var saysNothing: Bool { isRetriable || kind == .commitUnknown || kind == .cancelled }
}
