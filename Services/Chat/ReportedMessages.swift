import People
import WireProtocol

// What chat answers about messages that are reported.

extension ChatUseCases {
    /// How many messages on each side of a reported one moderators see.
    static let reach = 5

    func message(_ id: MessageID, for caller: Caller) async throws -> Message {
        guard let found = try await store.message(id, of: try caller.requirePerson()) else {
            throw ServiceError.notFound("message")
        }
        return Message(found)
    }

    /// What there is to report: not its words, which stay here. Nobody reports what is hidden already, or what somebody wrote who is gone.
    func subject(_ query: SubjectQuery) async throws -> SubjectSnapshot {
        guard let id = query.subject.id(of: Message.self),
            let found = try await store.message(id, of: query.viewer),
            found.by != .nobody, query.viewer == nil || found.hiddenAt == nil
        else { throw ServiceError.notFound("message") }
        let author = try await people.summaries(of: [found.by])[found.by]
        return SubjectSnapshot(owner: found.by, title: author.name)
    }

    /// For auth alone, which asks it for a moderator while there is an open report, and has noted that.
    func reported(_ id: MessageID) async throws -> ReportedMessages {
        guard let found = try await store.message(id, of: nil) else { throw ServiceError.notFound("message") }
        let messages = try await store.messages(around: found, within: Self.reach)
        let authors = Set(messages.map(\.by)).subtracting([.nobody])
        let names = try await people.summaries(of: authors)
        return ReportedMessages(
            reported: id, items: messages.map(Message.init), people: authors.sorted().map { names[$0] })
    }
}
