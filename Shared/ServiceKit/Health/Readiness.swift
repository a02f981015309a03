package import Logging
import Synchronization

/// Whether this process can do its work: the phase of its life, and named checks that services add while they are wired.
package final class Readiness: Sendable {
    package enum Phase: String, Codable, Sendable {
        case starting, running, stopping
    }

    /// The outcome; `checks` says `ok` or `failed` for each name, and nothing about why (that is in the log).
    package struct Report: Codable, Hashable, Sendable {
        package var ready: Bool
        package var phase: Phase
        package var checks: [String: String]
    }

    private struct Check: Sendable {
        var name: String
        var limit: Duration
        var run: @Sendable () async throws -> Void
    }
    private struct State {
        var phase = Phase.starting
        var checks: [Check] = []
    }

    private let state = Mutex(State())
    private let logger: Logger

    package init(logger: Logger) { self.logger = logger }

    /// Adds a condition of readiness; `check` throws where it does not hold, and counts as failed after `limit`.
    package func require(
        _ name: String, within limit: Duration = .seconds(2), _ check: @escaping @Sendable () async throws -> Void
    ) {
        state.withLock { $0.checks.append(Check(name: name, limit: limit, run: check)) }
    }

    /// Phases only go forward: a process that is stopping does not come back.
    package func enter(_ phase: Phase) {
        state.withLock { if $0.phase != .stopping { $0.phase = phase } }
    }

    package var phase: Phase { state.withLock { $0.phase } }

    /// Runs all checks at once. The checks are not run before and after the process's work.
    package func report() async -> Report {
        let (phase, checks) = state.withLock { ($0.phase, $0.checks) }
        guard phase == .running else { return Report(ready: false, phase: phase, checks: [:]) }
        let results = await withTaskGroup(of: (String, Bool).self) { group in
            for check in checks { group.addTask { (check.name, await self.holds(check)) } }
            return await group.reduce(into: [String: Bool]()) { $0[$1.0] = $1.1 }
        }
        return Report(
            ready: results.values.allSatisfy(\.self), phase: phase,
            checks: results.mapValues { $0 ? "ok" : "failed" })
    }

    private func holds(_ check: Check) async -> Bool {
        do {
            try await withTimeLimit(check.limit, check.run)
            return true
        } catch {
            logger.warning("not ready", metadata: ["check": .string(check.name), "reason": .string("\(error)")])
            return false
        }
    }
}
