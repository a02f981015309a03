import FoundationEssentials
import Messaging
import People
import WireProtocol

/// What can be asked of rooms: load, decide, save with its event. Opening one is in `OpeningRooms.swift`.
struct ChatUseCases: Sendable {
    /// Asks the service that has a subject; throws `not_found` where there is none for the viewer.
    typealias AskForSubject = @Sendable (RoomSubjectQuery) async throws -> RoomSubjectFacts

    let store: RoomStore
    let people: PeopleProjection
    let limits: ChatLimits
    let askForSubject: AskForSubject
    let clock: @Sendable () -> Date

    // MARK: Queries

    func rooms(_ query: RoomQuery, for caller: Caller) async throws -> Page<Room> {
        let me = try caller.requirePerson()
        let page = try RoomPage(query)
        let found = FoundPage(try await store.rooms(page, of: me, at: clock()), of: page.limit)
        let names = try await people.summaries(of: Set(found.shown.map(\.room.other.person)), for: me)
        return Page(
            items: found.shown.map { Room($0, among: names) }, next: found.last.map { MomentCursor($0.room).text })
    }

    func room(_ id: RoomID, for caller: Caller) async throws -> Room {
        let me = try caller.requirePerson()
        guard let found = try await store.room(id, of: me, at: clock()) else { throw ChatError.notFound }
        return Room(found, among: try await people.summaries(of: [found.room.other.person], for: me))
    }

    func unread(for caller: Caller) async throws -> UnreadCount {
        UnreadCount(rooms: try await store.unread(of: try caller.requirePerson()))
    }

    func messages(_ query: MessageQuery, for caller: Caller) async throws -> MessageList {
        let me = try caller.requirePerson()
        let page = try MessagePage(query)
        guard let found = try await store.messages(page, in: query.id, of: me) else { throw ChatError.notFound }
        return MessageList(items: found.messages.map(Message.init), before: found.before, after: found.after)
    }

    func photosInUse(_ asked: PhotoUse) async throws -> PhotoUse {
        PhotoUse(photos: try await store.photos(among: Array(asked.photos.prefix(PhotoUse.largest))))
    }

    func photosToErase() async throws -> Page<LeftPhotos> {
        Page(items: try await store.leftPhotos(atMost: PhotoUse.largest))
    }

    // MARK: Commands

    func photosErased(_ photos: LeftPhotos, _ request: RequestContext) async throws {
        _ = try await store.command(request) { rooms in
            try await rooms.settle(photos)
            return Nothing()
        }
    }

    /// The same message again is that message, however late: its id says so, and not only the request's.
    func send(_ draft: MessageDraft, in id: RoomID, _ request: RequestContext) async throws -> Message {
        let me = try request.caller.requirePerson()
        let words = try MessageWords(draft)
        return try await store.write(words.id, in: id, by: me, request) { desk in
            if let known = desk.known {
                guard words.isSame(as: known, by: me, in: id) else { throw ChatError.anotherMessage }
                return (Message(known), nil)
            }
            guard !desk.isSuspended else { throw ServiceError.accountSuspended }
            guard let room = desk.room else { throw ChatError.notFound }
            guard desk.lately < limits.messagesPerMinute else {
                throw ChatError.tooManyMessages(limit: limits.messagesPerMinute)
            }
            let (decision, message) = try room.write(words, at: desk.now)
            return (Message(message), decision)
        }
    }

    func read(to number: Int, in id: RoomID, _ request: RequestContext) async throws {
        try await change(id, request) { rooms, room in
            let message = number > room.me.marks.read ? try await rooms.message(number, in: id) : nil
            return try room.read(to: number, message)
        }
    }

    func receive(to number: Int, in id: RoomID, _ request: RequestContext) async throws {
        try await change(id, request) { _, room in try room.receive(to: number) }
    }

    func archive(_ isArchived: Bool, _ id: RoomID, _ request: RequestContext) async throws {
        try await change(id, request) { _, room in room.archive(isArchived) }
    }

    /// Not remembered as a request: once in a while is as good as ten times.
    func type(in id: RoomID, _ request: RequestContext) async throws {
        let me = try request.caller.requirePerson()
        try await store.transaction { rooms in
            guard let room = try await rooms.room(id, of: me) else { throw ChatError.notFound }
            try room.requireWritable()
            try await rooms.tellTyping(in: room, unlessSince: rooms.now - ChatLimits.typingPause)
        }
    }

    /// What somebody does with a room of theirs.
    private func change(
        _ id: RoomID, _ request: RequestContext,
        _ decide: @Sendable @escaping (RoomTransaction, ChatRoom) async throws -> RoomDecision
    ) async throws {
        let me = try request.caller.requirePerson()
        _ = try await store.command(request) { rooms in
            guard let room = try await rooms.room(id, of: me) else { throw ChatError.notFound }
            let decision = try await decide(rooms, room)
            if decision.room != room { try await rooms.keep(decision) }
            return Nothing()
        }
    }
}
