import DurableMessaging
import FoundationEssentials
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization
import WireProtocol

/// Looks at what can be found anew, says something else, or is gone, and finds the searches that find it now. Of one kind of thing: however many there are of
/// one, and where its service does not answer, nothing of another kind waits for it.
///
/// While something is looked at nobody else looks at it, whichever replica has it: an older answer never undoes a newer one. Its service is asked within
/// the transaction, which holds nothing else until it has answered.
struct WantedLooks: Service, CustomStringConvertible {
    let kind: SubjectKind
    let store: WantedStore
    let services: SearchedServices
    /// Rung where somebody is to be told of something.
    let telling: RoundBell
    let logger: Logger
    let clock: @Sendable () -> Date
    /// After what was done elsewhere than in this process.
    var pause = Duration.milliseconds(200)
    /// What comes within it is looked at in one round.
    var gathering = Duration.milliseconds(1)
    var batch = 50
    /// Fewer than these are looked at one by one at once: what is looked for is told sooner.
    var many = 3
    /// By which a second thing is looked at beside the first one.
    var spare = SpareLook()
    /// Rung where there is something to look at.
    var bell = RoundBell()

    var description: String { "looks at each \(kind.rawValue)" }

    func run() async throws {
        await repeatRounds(
            every: pause, ringing: bell, gathering: gathering, logger: logger,
            failing: "standing searches wait for the database"
        ) {
            try await round()
        }
    }

    /// - Returns: whether there is more to do at once.
    func round() async throws -> Bool {
        let rows = try await store.database.read(due(at: clock()))
        var seen: Set<Subject> = []
        let subjects = try rows.map { try Subject($0) }.filter { seen.insert($0).inserted }
        let left = try await sift(subjects)
        var outcomes = try await attempt(left)
        if left.count < subjects.count { outcomes.insert(.whole) }
        return !outcomes.isDisjoint(with: [.part, .lastPart]) || (rows.count == batch && outcomes.contains(.whole))
    }

    private func attempt(_ subjects: [Subject]) async throws -> Set<Outcome> {
        let hasSpare = subjects.count > 1 && spare.take()
        defer { if hasSpare { spare.giveBack() } }
        return try await withThrowingTaskGroup(of: Outcome.self) { group in
            var outcomes: Set<Outcome> = []
            for (place, subject) in subjects.enumerated() {
                if place >= (hasSpare ? 2 : 1), let outcome = try await group.next() { outcomes.insert(outcome) }
                group.addTask { try await attempt(subject) }
            }
            for try await outcome in group { outcomes.insert(outcome) }
            return outcomes
        }
    }

    /// What is looked at again comes after all that is new.
    private func due(at now: Date) -> SQLQuery {
        let limit: SQLQuery = "LIMIT \(unescaped: "\(batch)")"
        func first(_ condition: SQLQuery) -> SQLQuery {
            """
            (SELECT kind, subject, is_again, due_at, id FROM looks
                WHERE kind = \(kind.rawValue) AND \(condition) AND due_at <= \(now) ORDER BY due_at, id \(limit))
            """
        }
        return """
            SELECT kind, subject FROM (\(first("NOT is_again")) UNION ALL \(first("is_again"))) AS due
            ORDER BY is_again, due_at, id \(limit)
            """
    }

    private enum Outcome: Sendable {
        /// Somebody else is at it, or was; or it is put off.
        case nothing
        /// There is more of it: nobody is told before all of it was looked at.
        case part
        case lastPart
        case whole
    }

    /// What one thing fails by is no reason for others to wait.
    private func attempt(_ subject: Subject) async throws -> Outcome {
        do {
            let outcome = try await store.transaction { try await look(at: subject, in: $0) }
            if [.lastPart, .whole].contains(outcome) { telling.ring() }
            return outcome
        } catch  where !Task.isCancelled {
            logger.notice(
                "a look at what can be found is put off",
                metadata: ["subject": "\(subject.key)", "reason": .string("\(error)")])
            try await store.transaction { try await $0.putOff(subject) }
            return .nothing
        }
    }

    private func look(at subject: Subject, in wanted: WantedTransaction) async throws -> Outcome {
        guard let look = try await wanted.takeLook(at: subject) else { return .nothing }
        guard let thing = try await services.searchable(subject) else {
            return try await wanted.lose(look) ? .part : .whole
        }
        if try await wanted.isNoNews(look) {
            guard try await wanted.keepSearchable(thing, isNews: false) else {
                return try await wanted.lose(look) ? .part : .whole
            }
            try await wanted.finish(look)
            return .whole
        }
        let candidates = try await wanted.candidates(
            for: thing, after: look.after, atMost: look.part(of: WantedCandidates.most))
        let finders = try await services.finders(
            of: subject, among: candidates.searches, atMost: look.part(of: SearchJudging.largest), logger: logger)
        // From here on rows are locked, and nobody is asked.
        guard try await wanted.keepSearchable(thing) else { return try await wanted.lose(look) ? .part : .whole }
        try await wanted.keep(candidates.searches, found: finders, of: thing)
        if let last = candidates.last {
            try await wanted.interrupt(look, after: last)
            return .part
        }
        try await wanted.finish(look)
        // Also where it was for one alone when the look began.
        try await wanted.arrangeWaves(of: subject)
        // What came since it was begun is looked at next.
        return look.after == nil ? .whole : .lastPart
    }
}

/// One place to look at something besides one for each kind of thing, which all kinds share. Who looks at something mostly waits, for its service or for the disk,
/// and has a connection of the pool meanwhile: so the others keep some.
final class SpareLook: Sendable {
    private let isFree = Mutex(true)

    func take() -> Bool {
        isFree.withLock { isFree in
            defer { isFree = false }
            return isFree
        }
    }

    func giveBack() { isFree.withLock { $0 = true } }
}

/// One look at something, with those that came after it and were not begun: one answer is as good as many.
struct WantedLook: Hashable, Sendable {
    let subject: Subject
    let id: Int64
    /// The last candidate that was judged.
    let after: WantedID?
    /// The last of those that it stands for.
    let last: Int64
    /// Nobody has named it: neither for this look nor for one that it stands for.
    let isAgain: Bool
    /// How often it failed.
    let tries: Int

    /// So often it is halved what is asked for at once.
    static let halvings = 4

    /// What nobody else has who looks at something.
    /// - Parameter key: of the thing.
    static func lock(_ key: SQLQuery) -> SQLQuery { "hashtextextended(current_schema() || '/looks/' || \(key), 0)" }

    /// How much is asked for at once: half of it after each time that it failed, since it may have taken too long.
    func part(of whole: Int) -> Int { whole >> min(tries, Self.halvings) }
}

extension Subject {
    /// By what locks, logs and events name it.
    var key: String { "\(kind.rawValue)/\(id)" }

    /// "And it is this one", of a table's row.
    func isHere(_ table: SQLQuery) -> SQLQuery {
        "\(table).kind = \(kind.rawValue) AND \(table).subject = \(id)"
    }
}

extension WantedTransaction {
    /// The earliest look at something, which nobody else looks at until this is committed.
    /// - Returns: Nil where somebody else does, or there is none.
    func takeLook(at subject: Subject) async throws -> WantedLook? {
        let answers = try await transaction.pipeline([
            "SELECT pg_try_advisory_xact_lock(\(WantedLook.lock("\(subject.key)"))) AS free",
            "SELECT id, after, tries FROM looks WHERE \(subject.isHere("looks")) ORDER BY id LIMIT 1",
            "SELECT max(id) AS id, bool_and(is_again) AS is_again FROM looks WHERE \(subject.isHere("looks"))",
        ])
        guard try answers[0][0].get("free"), let first = answers[1].first else { return nil }
        let (id, after): (Int64, WantedID?) = (try first.get("id"), try first.get("after"))
        let newest: Int64 = try answers[2][0].get("id")
        // What came since it was begun is another look.
        return WantedLook(
            subject: subject, id: id, after: after, last: after == nil ? newest : id,
            isAgain: try answers[2][0].get("is_again"), tries: try first.get("tries"))
    }

    /// Whether it is about what was there before anybody looked for anything: nobody is told of that.
    func isNoNews(_ look: WantedLook) async throws -> Bool {
        guard look.isAgain, look.after == nil else { return false }
        return try await transaction.query(
            "SELECT FROM searchables WHERE \(look.subject.isHere("searchables"))"
        ).isEmpty
    }

    /// It goes on from there, by twice as much at once as went well where that was less than usual.
    func interrupt(_ look: WantedLook, after last: WantedID) async throws {
        let tries = max(0, min(look.tries, WantedLook.halvings) - 1)
        try await transaction.pipeline([
            "UPDATE looks SET after = \(last), tries = \(tries) WHERE id = \(look.id)",
            """
            DELETE FROM looks WHERE \(look.subject.isHere("looks")) AND id > \(look.id) AND id <= \(look.last)
            """,
        ])
    }

    func finish(_ look: WantedLook) async throws {
        try await transaction.query(
            "DELETE FROM looks WHERE \(look.subject.isHere("looks")) AND id <= \(look.last)")
    }

    /// For a second, and twice as long each time, up to a minute.
    func putOff(_ subject: Subject) async throws {
        try await transaction.query(
            """
            UPDATE looks
            SET tries = failed.tries + 1, due_at = \(now) + make_interval(secs => least(60, 2 ^ least(failed.tries, 6)))
            FROM (SELECT max(tries) AS tries FROM looks WHERE \(subject.isHere("looks"))) AS failed
            WHERE \(subject.isHere("looks"))
            """)
    }
}
