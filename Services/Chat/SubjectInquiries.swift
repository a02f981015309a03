import Logging
import ServiceLifecycle
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Asks whoever has them about the subjects of open rooms: once after each start, which may be one from a backup, and then once a day. Events
/// say it sooner; what one of them said that was missed is known at the latest then. Any number of replicas may ask.
struct SubjectInquiries<Store: RoomStore>: Service, CustomStringConvertible {
    let store: Store
    let askForSubject: ChatUseCases<Store>.AskForSubject
    let logger: Logger
    let clock: @Sendable () -> Date
    let startedAt: Date
    var batch = 50
    var interval: TimeInterval = ChatLimits.day
    var pause = Duration.seconds(60)

    init(
        store: Store, logger: Logger, askForSubject: @escaping ChatUseCases<Store>.AskForSubject,
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
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                if await round() { continue }
                try await Task.sleep(for: pause)
            }
        }
    }

    /// - Returns: Whether there may be more to ask at once. Whoever does not answer is asked again after a pause.
    func round() async -> Bool {
        do {
            let due = try await store.subjects(
                askedBefore: max(startedAt, clock().addingTimeInterval(-interval)), atMost: batch)
            var asked: Set<Subject> = []
            for one in due where asked.insert(one.subject).inserted { try await ask(one) }
            return due.count == batch
        } catch {
            if !Task.isCancelled {
                logger.notice("what rooms are about could not be asked", metadata: ["reason": .string("\(error)")])
            }
            return false
        }
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
