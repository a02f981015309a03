import FoundationEssentials
import Logging
import Reactor
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Asks every service for what it keeps about those who want their archive, page by page. Each page is kept when it comes: whoever is
/// away is asked again, and whoever dies goes on where it was.
struct DataExportGatherer: Service, CustomStringConvertible {
    typealias Ask = @Sendable (_ service: String, PersonalDataQuery) async throws -> Page<PersonalRecord>

    let database: any AuthDatabase
    let logger: Logger
    let now: @Sendable () -> Date
    let ask: Ask
    var batch = 8
    var pause = Duration.milliseconds(500)
    /// Longer than one question may take.
    var lease: TimeInterval = 30

    var description: String { "archives" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "archives wait for the database") {
            try await round() > 0
        }
    }

    /// Asks for one page of each part that is due, all at once: whoever is slow holds up nobody else's.
    /// - Returns: How many were tried.
    func round() async throws -> Int {
        let now = now()
        let parts = try await database.stores.exports.claim(
            atMost: batch, now: now, lease: now.addingTimeInterval(lease))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in parts { group.addTask { try await gather(part) } }
            try await group.waitForAll()
        }
        return parts.count
    }

    private func gather(_ part: DueExportPart) async throws {
        let page: Page<PersonalRecord>
        do {
            page = try await ask(part.service, PersonalDataQuery(person: part.person, cursor: part.cursor))
        } catch {
            if Task.isCancelled { throw error }
            logger.info(
                "an archive waits", metadata: ["service": .string(part.service), "reason": .string("\(error)")])
            let wait = Backoff.step(part.attempts - 1, first: .seconds(1), limit: .seconds(30))
            return try await database.stores.exports.postpone(
                part, to: now().addingTimeInterval(TimeInterval(wait.components.seconds)))
        }
        let now = now()
        try await database.transaction { transaction in
            try await transaction.stores.exports.keep(
                page, of: part, now: now, expiresAt: now.addingTimeInterval(DataExportPolicy.lifetime))
        }
    }
}
