import Reactor

/// A transaction under way: everything asked through it happens together or not at all.
///
/// Valid within the closure that it is given to.
package struct PostgresTransaction: Sendable {
    let pool: PostgresPool
    let lease: Lease

    /// Runs one statement. BEGIN travels with the first.
    @discardableResult
    package func query(_ query: SQLQuery) async throws -> PostgresRows {
        try await pipeline([query])[0]
    }

    /// Runs statements one after another in a single round trip; the first that fails ends the transaction.
    @discardableResult
    package func pipeline(_ queries: [SQLQuery]) async throws -> [PostgresRows] {
        guard !queries.isEmpty else { return [] }
        return try await pool.run(queries, effect: .held, lease: lease).map(PostgresRows.init(result:))
    }
}

extension PostgresPool {
    /// Runs `body` in a transaction on a connection of its own: COMMIT when it returns, ROLLBACK when it throws.
    ///
    /// Keep everything but statements out of `body`: it holds a connection and row locks.
    /// - Throws: what `body` throws, or a `PostgresError`; `.commitUnknown` where the connection went down at COMMIT.
    @discardableResult
    package func transaction<Value: Sendable>(
        _ body: @Sendable (PostgresTransaction) async throws -> Value
    ) async throws -> Value {
        try await transaction(withLast: { (try await body($0), []) })
    }

    /// The same, with last statements that travel together with COMMIT, so that they cost no round trip.
    @discardableResult
    package func transaction<Value: Sendable>(
        patience: Duration? = nil, withLast body: @Sendable (PostgresTransaction) async throws -> (Value, [SQLQuery])
    ) async throws -> Value {
        let lease = try await lease(patience: patience ?? configuration.patience)
        do {
            let (value, last) = try await body(PostgresTransaction(pool: self, lease: lease))
            try await commit(lease, after: last)
            release(lease)
            return value
        } catch {
            await rollBack(lease)
            release(lease)
            throw error
        }
    }

    private func lease(patience: Duration?) async throws -> Lease {
        if Task.isCancelled { throw PostgresError(.cancelled) }
        let number = nextNumber()
        return try await withTaskCancellationHandler {
            try await self.wait(for: number, patience: patience)
        } onCancel: {
            reactor.submit { self.assumeIsolated { $0.cancel(number) } }
        }
    }

    private func wait(for number: UInt64, patience: Duration?) async throws -> Lease {
        try await withCheckedThrowingContinuation { continuation in
            let request = LeaseRequest(
                id: number, deadline: .now + configuration.waitingTimeout, patience: patience,
                continuation: continuation)
            place(.lease(request))
            watch()
        }
    }

    func leased(_ lease: Lease) throws(PostgresError) -> PostgresConnection {
        guard let connection = connections.first(where: { $0.number == lease.connection }) else {
            throw PostgresError(.connectionLost, debugDetail: "the transaction's connection is gone")
        }
        guard connection.lease?.id == lease.id else {
            throw PostgresError(.misuse, debugDetail: "the transaction is over")
        }
        return connection
    }

    /// Once COMMIT is sent it is not cancelled any more: nobody could say what came of it.
    private func commit(_ lease: Lease, after last: [SQLQuery]) async throws {
        guard try leased(lease).lease?.hasBegun == true || !last.isEmpty else { return }
        if Task.isCancelled { throw PostgresError(.cancelled) }
        let answers = try await run(last + [.once("COMMIT")], effect: .commits, lease: lease, shielded: true)
        leasedConnection(lease)?.lease?.hasBegun = false
        // The server answers the COMMIT of a transaction that has failed before with ROLLBACK.
        guard answers.last?.command == "COMMIT" else {
            throw PostgresError(
                .server, sqlState: SQLState.failedTransaction, debugDetail: "a statement of the transaction had failed")
        }
    }

    private func rollBack(_ lease: Lease) async {
        guard let connection = leasedConnection(lease), connection.lease?.hasBegun == true else { return }
        do {
            _ = try await run([.once("ROLLBACK")], effect: .held, lease: lease, shielded: true)
        } catch {
            connection.close(PostgresError(.connectionLost, debugDetail: "ROLLBACK failed: \(error)"))
        }
    }

    private func leasedConnection(_ lease: Lease) -> PostgresConnection? {
        connections.first { $0.number == lease.connection && $0.lease?.id == lease.id }
    }

    private func release(_ lease: Lease) {
        leasedConnection(lease)?.lease = nil
        serveWaiting()
        finishClosing()
    }
}
