import DurableMessaging
import FoundationEssentials
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Asks whoever has them about the subjects of open rooms: once after each start, which may be one from a backup, and then once a day. Events
/// say it sooner; what one of them said that was missed is known at the latest then. Any number of replicas may ask.
struct SubjectInquiries: Service, CustomStringConvertible {
    let store: RoomStore
    let askForSubject: ChatUseCases.AskForSubject
    let logger: Logger
    let clock: @Sendable () -> Date
    let startedAt: Date
    var batch = 50
    var interval: TimeInterval = ChatLimits.day
    var pause = Duration.seconds(60)

    init(
        store: RoomStore, logger: Logger, askForSubject: @escaping ChatUseCases.AskForSubject,
        clock: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.logger = logger
        self.askForSubject = askForSubject
        self.clock = clock
        startedAt = clock()
    }

    /// Who says so has said nothing about the subject.
    private var passing: Set<ErrorCode> { [.unavailable, .outcomeUnknown, .tooManyRequests] }

    var description: String { "subject inquiries" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "what rooms are about could not be asked") {
            try await round()
        }
    }

    /// - Returns: Whether there may be more to ask at once. Whoever does not answer is asked again after a pause.
    func round() async throws -> Bool {
        let due = try await store.subjects(
            askedBefore: max(startedAt, clock().addingTimeInterval(-interval)), atMost: batch)
        var asked: Set<Subject> = []
        for one in due where asked.insert(one.subject).inserted { try await ask(one) }
        return due.count == batch
    }

    private func ask(_ due: DueSubject) async throws {
        let askedAt = clock()
        let facts: RoomSubjectFacts
        do {
            // As its owner, who sees it whatever becomes of it.
            facts = try await askForSubject(RoomSubjectQuery(subject: due.subject, viewer: due.owner))
        } catch let error as ServiceError where error.code == .notFound {
            // Not there, not even for its owner: it is over.
            facts = RoomSubjectFacts(
                title: due.title, photo: due.photo, owner: due.owner, partners: [], isOpen: false)
        } catch let error as ServiceError where !passing.contains(error.code) {
            // It has the same trouble in a minute, and would come before all others again.
            logger.warning(
                "what a room is about could not be asked",
                metadata: ["subject": "\(due.subject.id)", "reason": .string("\(error)")])
            return try await store.transaction { try await $0.note(due.subject, askedAt: askedAt) }
        }
        try await store.transaction { rooms in
            // What was heard since it was asked may be newer, and wins.
            let news = try await rooms.news(of: due.subject, since: askedAt - ChatLimits.clockTolerance)
            if news == nil, try await !rooms.say(facts, of: due.subject) { try await rooms.follow(due.subject, facts) }
            try await rooms.note(due.subject, askedAt: askedAt)
        }
    }
}

/// What an open room is about, as it has it.
struct DueSubject: Hashable, Sendable {
    var subject: Subject
    var owner: PersonID
    var title: String?
    var photo: String?
}

extension RoomStore {
    /// What open rooms are about of which nobody was asked since `moment`; those first of which nobody was asked for longest.
    ///
    /// Rooms of the same subject come one after another, and are asked about once: those that follow are noted with it.
    func subjects(askedBefore moment: Date, atMost limit: Int) async throws -> [DueSubject] {
        let rows = try await database.read(
            """
            SELECT subject_kind, subject_id, owner, title, photo FROM rooms
            WHERE state = 'open' AND owner IS NOT NULL AND owner <> \(PersonID.nobody)
                AND (asked_at IS NULL OR asked_at < \(moment))
            ORDER BY asked_at NULLS FIRST, subject_kind, subject_id LIMIT \(limit)
            """)
        return try rows.map { row in
            DueSubject(
                subject: Subject(kind: try .stored(row.get("subject_kind")), id: try row.get("subject_id")),
                owner: try row.get("owner"), title: try row.get("title"), photo: try row.get("photo"))
        }
    }
}

extension RoomTransaction {
    /// Whether all open rooms of the subject have it as it is: of what is open to some of them alone, none does.
    func say(_ facts: RoomSubjectFacts, of subject: Subject) async throws -> Bool {
        guard facts.isOpen, facts.isOpenToAll != false else { return false }
        return try await transaction.query(
            """
            SELECT FROM rooms
            WHERE subject_kind = \(subject.kind.rawValue) AND subject_id = \(subject.id) AND state = 'open'
                AND (title IS DISTINCT FROM \(facts.title) OR photo IS DISTINCT FROM \(facts.photo))
            LIMIT 1
            """
        ).isEmpty
    }

    /// Keeps that it was asked what rooms are about.
    func note(_ subject: Subject, askedAt moment: Date) async throws {
        try await transaction.query(
            """
            UPDATE rooms SET asked_at = \(moment)
            WHERE subject_kind = \(subject.kind.rawValue) AND subject_id = \(subject.id)
            """)
    }
}
