import DurableMessaging
package import Logging
import Postgres
package import WireProtocol

/// Makes what people have follow from who is suspended now, for all of them at once. Where a row cannot be read, people are seen to one by one: the others do not
/// wait. Whoever cannot be seen to is logged.
/// - Parameters:
///   - all: answers how many were seen to.
///   - people: those to whom there is something to see.
///   - steps: what is done for one of them. Each is done though another one fails.
/// - Returns: how many were seen to at once.
package func reconcile(
    logger: Logger, all: () async throws -> Int, people: () async throws -> [PersonID],
    steps: [(PersonID) async throws -> Void]
) async throws -> Int {
    do { return try await all() } catch let error as PostgresError where error.isUnreadable {}
    for person in try await people() {
        for step in steps {
            do { try await step(person) } catch  where !Task.isCancelled {
                logger.error(
                    "what somebody has does not follow from whether they are suspended",
                    metadata: ["person": "\(person)", "error": "\(error)"])
            }
        }
    }
    return 0
}
