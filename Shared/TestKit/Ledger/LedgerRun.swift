import FoundationEssentials
import KampongClient
import Postgres
import Synchronization
package import WireProtocol

/// People who use a stack while it is hurt, and the audit of what came of it.
///
/// ```swift
/// let run = try await LedgerRun.begin(on: stack, with: subjects, …)
/// try await run.load { try await … }          // hurt the stack meanwhile, and heal it
/// let findings = try await run.audit()
/// ```
package final class LedgerRun: Sendable {
    package struct Options: Sendable {
        /// People who give commands at the same time.
        package var people = 12
        /// How many of them take the first answer for the last, instead of asking again with the same key: what they are told
        /// of the effect has to be true too.
        package var impatient = 4
        package var listeners = 3
        /// From the end of one command to the next, at least and at most.
        package var pause: ClosedRange<Int> = 50...150
        package var seed: UInt64 = 1
        /// For how long it is waited until everything is back and nothing waits any more.
        package var settleTimeout = LedgerRun.settling.limit
        package init() {}
    }

    /// After how long everything is back, and nothing waits any more.
    package static let settling = Promised(.seconds(10))

    package let ledger: Ledger
    private let subjects: [any LedgerSubject]
    private let choices: [any LedgerSubject]
    private let options: Options
    private let reader: LedgerReader
    private let subscriptions: [(subscriber: String, publisher: String)]
    private let people: [LedgerPerson]
    private let listeners: [LedgerListener]
    /// How far each publisher was when all of them heard.
    private let heads: [String: Int64]
    private let rounds = Mutex(0)

    /// Signs people up, opens listeners, and makes sure that each of them hears.
    /// - Parameters:
    ///   - weights: how often people turn to each subject.
    ///   - subscriptions: who keeps an offset in whose stream.
    ///   - join: makes the command by which a person joins, and answers who they are.
    ///   - hello: publishes something for everybody.
    package static func begin(
        on stack: Stack, with subjects: [any LedgerSubject], weights: [Int],
        subscriptions: [(subscriber: String, publisher: String)], options: Options = Options(),
        requestID: @escaping Ledger.RequestID, join: (LedgerPerson) -> any LedgerCommand,
        hello: (LedgerPerson) -> any LedgerCommand
    ) async throws -> LedgerRun {
        let ledger = Ledger(requestID: requestID)
        let names = Set(subjects.map(\.service.rawValue)).union(
            subscriptions.flatMap { [$0.subscriber, $0.publisher] })
        let reader = try LedgerReader(url: try stack.databaseURL(), services: names.sorted())
        try await reader.tap(
            Set(subscriptions.map(\.subscriber)).sorted().flatMap { ["\($0).offsets", "\($0).dead_letters"] }
                + subjects.flatMap(\.projections))
        var people: [LedgerPerson] = []
        for number in 0..<options.people {
            let address = URL(string: stack.baseURLs[number % stack.baseURLs.count])!
            let retry = number < options.people - options.impatient ? RetryPolicy.standard : .never
            var person = LedgerPerson(number: number, client: KampongClient(baseURL: address, retry: retry))
            guard case .ok = await ledger.give(join(person), as: person) else {
                throw TestSetupError("A person of the ledger could not join: \(ledger.all.last!)")
            }
            person.id = try await person.client.me().id
            people.append(person)
        }
        let listeners = people.prefix(options.listeners).map {
            LedgerListener("person \($0.number)", person: $0.id, client: $0.client)
        }
        try await eventually("every listener to hear something") {
            _ = await ledger.give(hello(people[0]), as: people[0])
            try await Task.sleep(for: .milliseconds(300))
            return listeners.allSatisfy { !$0.stream.messages.isEmpty }
        }
        let heads = try await reader.heads()
        return LedgerRun(
            ledger: ledger, subjects: subjects,
            choices: zip(subjects, weights).flatMap { Array(repeating: $0, count: $1) },
            options: options, reader: reader, subscriptions: subscriptions, people: people, listeners: listeners,
            heads: heads)
    }

    private init(
        ledger: Ledger, subjects: [any LedgerSubject], choices: [any LedgerSubject], options: Options,
        reader: LedgerReader, subscriptions: [(subscriber: String, publisher: String)], people: [LedgerPerson],
        listeners: [LedgerListener], heads: [String: Int64]
    ) {
        self.ledger = ledger
        self.subjects = subjects
        self.choices = choices
        self.options = options
        self.reader = reader
        self.subscriptions = subscriptions
        self.people = people
        self.listeners = listeners
        self.heads = heads
    }

    // MARK: Load

    /// Everybody gives commands while `body` runs, and for two seconds after that.
    /// - Returns: How long it took from the end of `body` until nothing waited any more.
    /// - Throws: What `body` throws, and `NeverHappened` where something still waits when `settleTimeout` is over.
    @discardableResult
    package func load(_ body: () async throws -> Void) async throws -> Duration {
        let round = rounds.withLock { rounds in
            rounds += 1
            return rounds
        }
        let workers = people.map { person in Task { await work(as: person, round: round) } }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        let healed = ContinuousClock.now
        try? await Task.sleep(for: .seconds(2))
        for worker in workers { worker.cancel() }
        try result.get()
        try await settle(by: healed + options.settleTimeout)
        return .now - healed
    }

    private func work(as person: LedgerPerson, round: Int) async {
        var random = SeededGenerator(seed: options.seed &+ UInt64(person.number) << 32 &+ UInt64(round))
        while !Task.isCancelled {
            if let command = choices.randomElement(using: &random)?.command(for: person, using: &random) {
                // Not cancelled with the worker: every command that was given is waited for.
                _ = await Task { await ledger.give(command, as: person) }.value
            }
            try? await Task.sleep(for: .milliseconds(Int.random(in: options.pause, using: &random)))
        }
    }

    private func settle(by deadline: ContinuousClock.Instant) async throws {
        let left = { max(.milliseconds(100), deadline - .now) }
        try await eventually("the answers of all commands (\(ledger.pending) wait)", within: left()) {
            ledger.pending == 0
        }
        var waitsFor: String?
        do {
            try await eventually("every event to be numbered and applied", within: left()) {
                // Its connection may have gone with the server, and comes back by itself.
                do { waitsFor = try await reader.unsettled(subscriptions) } catch { waitsFor = "\(error)" }
                return waitsFor == nil
            }
        } catch let error as NeverHappened {
            throw NeverHappened(description: "\(error.description) At the end: \(waitsFor ?? "").")
        }
        let services = try await reader.services()
        do {
            try await eventually("every listener to have heard everything", within: left()) {
                lacking(services).isEmpty
            }
        } catch let error as NeverHappened {
            throw NeverHappened(description: "\(error.description) At the end: \(lacking(services)).")
        }
    }

    /// Who has not heard the last event that is for them; a listener whose stream has ended for good says why.
    private func lacking(_ services: [String: ServiceEvidence]) -> [String] {
        heard.flatMap { stream in
            services.compactMap { service, evidence in
                let due = HeardAudit.due(of: evidence, named: service, to: stream)
                guard let last = due.all[due.begin...].last, stream.messages.lastIndex(of: last) == nil else {
                    return nil
                }
                return "\(stream.listener) lacks the \(last.type) of \(service) (\(stream.end ?? "still listening"))"
            }
        }
    }

    /// What was heard until now.
    private var heard: [HeardStream] {
        listeners.map { listener in
            var stream = listener.stream
            stream.since = heads
            return stream
        }
    }

    // MARK: Afterwards

    package func evidence() async throws -> LedgerEvidence {
        var queries: [String: String] = [:]
        for subject in subjects { queries.merge(subject.rows) { first, _ in first } }
        let (moment, heard) = try await momentAndHeard(queries)
        return LedgerEvidence(
            ledger: ledger.all, services: moment.services, subscriptions: subscriptions, taps: moment.taps,
            heard: heard, rows: moment.rows)
    }

    /// A moment at which nothing waited, and what was heard by then. Some things happen by themselves (spots expire, offers lapse, notices of messages
    /// wait), so it is tried again where one came before all was heard, or was not taken yet by those who follow: what nobody handles moves an offset
    /// a quarter of a second later.
    private func momentAndHeard(_ queries: [String: String]) async throws -> (LedgerMoment, [HeardStream]) {
        let deadline = ContinuousClock.now + options.settleTimeout
        let left = { max(.milliseconds(100), deadline - .now) }
        while true {
            // Who is behind for good, or has not heard it by then, is found by the audit.
            try? await eventually("every event to be taken", within: left()) {
                try await reader.unsettled(subscriptions) == nil
            }
            let moment = try await reader.moment(queries)
            try? await eventually("every listener to have heard it", within: left()) {
                lacking(moment.services).isEmpty
            }
            let heard = heard
            let heads = try await reader.heads()
            let isStill = heads == moment.services.mapValues(\.head) && moment.isSettled(among: subscriptions)
            if isStill || ContinuousClock.now > deadline { return (moment, heard) }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// What is wrong with what is there.
    /// - Parameter begunAnew: the publisher that was restored, so that listeners have been told to load anew, each of them.
    package func audit(begunAnew publisher: String? = nil) async throws -> [Finding] {
        var evidence = try await evidence()
        var findings: [Finding] = []
        if let publisher {
            evidence.restored = publisher
            for index in evidence.heard.indices {
                let count = evidence.heard[index].messages.count
                evidence.heard[index].messages.removeAll { $0.type == "resync" && $0.payload.contains(publisher) }
                if evidence.heard[index].messages.count == count {
                    findings.append(
                        Finding(.gap, "\(evidence.heard[index].listener) was not told that \(publisher) begins anew"))
                }
            }
        }
        return findings + Audit(evidence, of: subjects).findings()
    }

    /// Gives commands as one of the people, one after the other. Says whether all were acknowledged.
    package func give(_ commands: [any LedgerCommand], as person: PersonID) async -> Bool {
        guard let person = people.first(where: { $0.id == person }) else { return false }
        for command in commands {
            guard case .ok = await ledger.give(command, as: person) else { return false }
        }
        return true
    }

    /// Runs statements as the superuser of the stack's database, for faults that are made there.
    package func run(_ statements: String...) async throws {
        for statement in statements { try await reader.administrator.run("\(unescaped: statement)") }
    }

    /// Commands since a moment that were turned away although nothing spoke against them.
    /// - Parameter patient: given by people who ask again.
    package func turnedAway(since begin: Duration, patient: Bool) -> [LedgerEntry] {
        let askers = Set(people.filter { ($0.number < options.people - options.impatient) == patient }.map(\.id))
        return ledger.all.filter { $0.invokedAt >= begin && askers.contains($0.person) && $0.isTurnedAway }
    }

    /// How many commands ended how.
    package var summary: String {
        let entries = ledger.all
        let count = { (isIt: (LedgerEntry.Outcome) -> Bool) in entries.count { $0.outcome.map(isIt) ?? false } }
        let ok = count { if case .ok = $0 { true } else { false } }
        let failed = count { if case .fail = $0 { true } else { false } }
        let unknown = count { if case .unknown = $0 { true } else { false } }
        return "\(entries.count) commands: \(ok) ok, \(failed) fail, \(unknown) unknown"
    }

    package func end() async {
        for listener in listeners { listener.stop() }
        await reader.close()
    }
}
