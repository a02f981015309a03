import FoundationEssentials
import Synchronization
import WireProtocol

@testable import AuthService

/// Listings as far as auth knows it: posts that may be reported, and what is in whose hands.
final class PostShelf: Sendable {
    private struct State {
        var posts: [ID<Subject>: SubjectSnapshot] = [:]
        var kinds: [ID<Subject>: SubjectKind] = [:]
        /// For whom there is none of it.
        var invisible: Set<PersonID> = []
        var failure: ServiceError?
        var commitments: [PersonID: [Commitment]] = [:]
        var meanwhile: (@Sendable () async throws -> Void)?
    }
    private let state = Mutex(State())

    func put(_ post: SubjectSnapshot, _ kind: SubjectKind = .spot) -> Subject {
        let subject = Subject(kind: kind, id: .new())
        state.withLock { state in
            state.posts[subject.id] = post
            state.kinds[subject.id] = kind
        }
        return subject
    }

    func change(_ subject: Subject, to post: SubjectSnapshot?) { state.withLock { $0.posts[subject.id] = post } }
    func hide(from person: PersonID) { state.withLock { _ = $0.invisible.insert(person) } }
    func fail(with error: ServiceError?) { state.withLock { $0.failure = error } }

    /// As chat answers of a message that is reported.
    func messages(_ message: MessageReference) throws -> ReportedMessages {
        try state.withLock { state in
            guard let found = state.posts[ID(message.id.uuid)] else { throw ServiceError.notFound("message") }
            let said = Message(
                id: message.id, room: .new(), number: 1, by: found.owner, text: "Words.", photo: nil, sentAt: Date())
            return ReportedMessages(reported: message.id, items: [said], people: [])
        }
    }

    func give(_ found: [Commitment], to person: PersonID) { state.withLock { $0.commitments[person] = found } }

    /// What happens while the next one is asked about, which then gets no answer.
    func meanwhile(_ act: @escaping @Sendable () async throws -> Void) { state.withLock { $0.meanwhile = act } }

    /// What keeps somebody from going.
    func commitments(of person: PersonID) async throws -> [Commitment] {
        if let meanwhile = state.withLock({ $0.meanwhile.take() }) {
            try await meanwhile()
            throw ServiceError(.unavailable, "Away.")
        }
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.commitments[person] ?? []
        }
    }

    func find(_ query: SubjectQuery) throws -> SubjectSnapshot {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard let post = state.posts[query.subject.id], state.kinds[query.subject.id] == query.subject.kind,
                query.viewer.map({ !state.invisible.contains($0) }) ?? true
            else { throw ServiceError.notFound("post") }
            return post
        }
    }
}
