package import DurableMessaging
package import FoundationEssentials
package import Messaging
package import Postgres
package import WireProtocol

// What is asked of everybody who does something, before it is done.

extension PeopleProjection {
    /// Does what somebody asks for once, however often the request comes (`Database.command`), if they may: they are signed in, this service has
    /// met them, and they are not suspended, in this order. That they are not erased is asked by the tables themselves (`PeopleErasure.guarding`).
    /// - Parameters:
    ///   - first: statements that are known from the beginning, locks first; `body` gets their answers.
    ///   - meaning: what it means that the database refuses something, where it is not that somebody has erased themselves.
    package func command<Reply: Codable & Sendable>(
        _ request: RequestContext,
        asking first: @escaping @Sendable (PersonID, _ now: Date) -> [SQLQuery] = { _, _ in [] },
        meaning: @escaping @Sendable (PostgresError) -> (any Refusal)? = { _ in nil },
        _ body: @escaping @Sendable (CommandTransaction, PersonID, [PostgresRows]) async throws -> Reply
    ) async throws -> Reply {
        let person = try request.caller.requirePerson()
        try await meet(person)
        return try await database.command(
            request,
            asking: { now in
                // Last: its snapshot is younger than the locks.
                first(person, now) + ["SELECT \(SuspensionProjection.isSuspended("\(person)", at: now)) AS suspended"]
            },
            meaning: { meaning($0) ?? PeopleErasure.refusal(of: $0) }
        ) { transaction, answers in
            guard let standing = answers.last, try !standing[0].get("suspended") else {
                throw ServiceError.accountSuspended
            }
            return try await body(transaction, person, Array(answers.dropLast()))
        }
    }

    /// Whether somebody may begin something with another one: that one is known here, not apart from them, and not suspended.
    package func mayBegin(
        _ person: PersonID, with other: PersonID, in transaction: CommandTransaction
    ) async throws -> Bool {
        try await transaction.query(
            """
            SELECT FROM people AS other WHERE other.id = \(other)
                AND \(BlockProjection.isTogetherHere("other.id", with: person))
                \(campuses.condition("other.id", isTogetherWith: person))
                AND NOT \(SuspensionProjection.isSuspended("other.id", at: transaction.now))
            """
        ).isEmpty == false
    }
}

extension ServiceError {
    /// Who asks was suspended since they got their token.
    package static let accountSuspended = ServiceError(.suspended, "Your account is suspended.")
}
