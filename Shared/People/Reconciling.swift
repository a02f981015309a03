package import DurableMessaging
import Logging
import Postgres
package import WireProtocol

extension TransactionStore {
    /// Makes what people have follow from who is suspended now, for all of them at once. Where a row cannot be read, people are seen to one by one: the others do not
    /// wait. Whoever cannot be seen to is logged.
    /// - Parameters:
    ///   - all: answers how many were seen to.
    ///   - people: those to whom there is something to see.
    ///   - steps: what is done for one of them, each in a transaction. Each is done though another one fails.
    /// - Returns: how many were seen to at once.
    package func reconcile(
        all: @Sendable @escaping (Transaction) async throws -> Int,
        people: @Sendable @escaping (Transaction) async throws -> [PersonID],
        steps: [@Sendable (Transaction, PersonID) async throws -> Int]
    ) async throws -> Int {
        do { return try await transaction(all) } catch let error as PostgresError where error.isUnreadable {}
        for person in try await transaction(people) {
            for step in steps {
                do { _ = try await transaction { try await step($0, person) } } catch  where !Task.isCancelled {
                    database.logger.error(
                        "what somebody has does not follow from whether they are suspended",
                        metadata: ["person": "\(person)", "error": "\(error)"])
                }
            }
        }
        return 0
    }
}
