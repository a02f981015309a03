package import FoundationEssentials
import KampongClient
import Messaging
import Synchronization
package import WireProtocol

/// What was asked and what was answered: one entry for each command.
package struct LedgerEntry: Sendable {
    package enum Outcome: Hashable, Sendable {
        /// Acknowledged: it must be in effect, once. Names the thing.
        case ok(String)
        /// Refused, or surely not done: it must not be in effect.
        case fail(String)
        /// It may be in effect or not, but not half.
        case unknown(String)
    }

    package var number: Int
    package var person: PersonID?
    package var command: any LedgerCommand
    /// The id that the command travels with, which the gateway makes of its key.
    package var requestID: UUID
    /// Since the ledger was opened.
    package var invokedAt: Duration
    package var endedAt: Duration?
    /// Nil while no answer came.
    package var outcome: Outcome?

    package init(
        number: Int, person: PersonID?, command: any LedgerCommand, requestID: UUID, invokedAt: Duration,
        endedAt: Duration? = nil, outcome: Outcome? = nil
    ) {
        self.number = number
        self.person = person
        self.command = command
        self.requestID = requestID
        self.invokedAt = invokedAt
        self.endedAt = endedAt
        self.outcome = outcome
    }

    /// The thing, where it is known.
    package var aggregate: String? {
        if case .ok(let aggregate) = outcome { aggregate } else { command.aggregate }
    }

    /// Whether nobody who could decide about it has said yes or no: it had no answer, or one that speaks of the way there, or of a fault, and
    /// not of what was asked.
    package var isTurnedAway: Bool {
        switch outcome {
        case .unknown, nil: true
        case .fail(let reason): Self.nobodysDecisions.contains(reason)
        case .ok: false
        }
    }

    private static let nobodysDecisions: Set<String> = [
        "unreachable",
        ErrorCode.unavailable.rawValue,
        // Whoever gives commands is signed in, within all limits, and asks by the same words as before.
        ErrorCode.unauthenticated.rawValue, ErrorCode.tooManyRequests.rawValue, ErrorCode.malformed.rawValue,
        ErrorCode.unknownMethod.rawValue, ErrorCode.internalError.rawValue,
    ]
}

extension LedgerEntry: CustomStringConvertible {
    package var description: String {
        let end = outcome.map { "\($0)" } ?? "no answer"
        return "#\(number) \(command.name) \(aggregate ?? "") by \(person.map(\.description) ?? "nobody"), \(end)"
    }
}

/// The book of all commands. Safe from any task.
package final class Ledger: Sendable {
    /// Makes the request id of a key, as the gateway does.
    package typealias RequestID = @Sendable (_ key: String, _ person: PersonID?) -> UUID

    private let entries = Mutex<[LedgerEntry]>([])
    private let opened = ContinuousClock.now
    private let requestID: RequestID

    package init(requestID: @escaping RequestID) { self.requestID = requestID }

    package var all: [LedgerEntry] { entries.withLock { $0 } }
    package var now: Duration { .now - opened }
    /// How many wait for their answer.
    package var pending: Int { entries.withLock { $0.count { $0.outcome == nil } } }

    /// Strikes out what was given in between and is known to be gone for good.
    package func strike(from begin: Duration, to end: Duration, where isGone: (LedgerEntry) -> Bool) {
        entries.withLock { $0.removeAll { $0.invokedAt >= begin && $0.invokedAt <= end && isGone($0) } }
    }

    /// Gives a command and writes down what became of it. Says whether it was acknowledged.
    @discardableResult
    package func give(_ command: any LedgerCommand, as person: LedgerPerson) async -> LedgerEntry.Outcome {
        let key = UUID().uuidString
        let person = command.actor ?? person
        let id = requestID(key, command.isAnonymous ? nil : person.id)
        let number = entries.withLock { entries in
            let number = (entries.last?.number ?? -1) + 1
            entries.append(
                LedgerEntry(number: number, person: person.id, command: command, requestID: id, invokedAt: now))
            return number
        }
        let outcome: LedgerEntry.Outcome
        do { outcome = .ok(try await command.send(as: person, key: key)) } catch { outcome = Self.outcome(of: error) }
        entries.withLock { entries in
            // Numbers rise, and those before may have been struck out.
            guard let index = entries.lastIndex(where: { $0.number == number }) else { return }
            entries[index].outcome = outcome
            entries[index].endedAt = now
        }
        return outcome
    }

    /// What an error promises: a refusal and `unavailable` say that nothing was done, everything else says nothing.
    package static func outcome(of error: any Error) -> LedgerEntry.Outcome {
        switch error {
        case let problem as Problem where problem.status < 500: .fail(problem.code.rawValue)
        case let problem as Problem where problem.code == .unavailable: .fail(problem.code.rawValue)
        case let problem as Problem: .unknown(problem.code.rawValue)
        case let error as Unreachable where !error.outcomeUnknown: .fail("unreachable")
        default: .unknown("\(error)")
        }
    }

    /// One line for each beginning and end, in the order of time, as histories of such tests are written.
    package var history: String {
        let lines = all.flatMap { entry in
            let what = "#\(entry.number) \(entry.command.name) \(entry.aggregate ?? "-") \(entry.requestID)"
            let begin = (entry.invokedAt, "invoke \(what) by \(entry.person?.description ?? "-")")
            guard let outcome = entry.outcome, let endedAt = entry.endedAt else { return [begin] }
            return [begin, (endedAt, "\(outcome) \(what)")]
        }
        return lines.sorted { $0.0 < $1.0 }.map { "\($0.0 / .milliseconds(1)) \($0.1)\n" }.joined()
    }
}
