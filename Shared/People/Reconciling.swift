import DurableMessaging
package import Logging
package import Postgres
package import WireProtocol

/// Makes what people have follow from who is suspended now, for all of them at once. Where a row cannot be read, each is seen to by themselves, so that the others are not kept
/// waiting, and whose row it is, is logged.
/// - Parameters:
///   - all: answers how many were seen to.
///   - people: those to whom there is something to see.
/// - Returns: how many were seen to at once.
package func reconcile(
    logger: Logger, all: () async throws -> Int, people: () async throws -> [PersonID],
    one: (PersonID) async throws -> Void
) async throws -> Int {
    do { return try await all() } catch let error as PostgresError where error.isUnreadable {}
    for person in try await people() {
        do { try await one(person) } catch let error as PostgresError where error.isUnreadable {
            logger.error(
                "a row of somebody who is suspended, or was, cannot be read",
                metadata: ["person": "\(person)", "error": "\(error.debugDetail)"])
        }
    }
    return 0
}
