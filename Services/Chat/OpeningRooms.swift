import FoundationEssentials
import Messaging
import People
import WireProtocol

extension ChatUseCases {
    /// The one room of this subject and these two, made where there is none: by whoever of them asks first, also where both do at once.
    func open(_ draft: RoomDraft, _ request: RequestContext) async throws -> Room {
        let me = try request.caller.requirePerson()
        let opening = try Opening(draft, by: me)
        let now = clock()
        // Before the transaction, because it may ask auth and whoever has the subject, and nothing within a transaction waits for the network.
        try await people.meet(me)
        _ = try await people.summaries(of: [opening.other])
        // Only the transaction refuses: a request that comes again is answered from what is remembered.
        let facts = await facts(of: opening)
        return try await store.command(request) { rooms in
            try await rooms.lock([me, opening.other])
            let room = try await room(for: opening, facts, askedAt: now, rooms)
            let newest = room.last > 0 ? try await rooms.message(room.last, in: room.id) : nil
            return Room(
                FoundRoom(room: room, newest: newest), among: try await rooms.people([opening.other], for: me))
        }
    }

    private func room(
        for opening: Opening, _ facts: Result<RoomSubjectFacts, any Error>?, askedAt: Date, _ rooms: RoomTransaction
    ) async throws -> ChatRoom {
        let (me, other) = (opening.person, opening.other)
        var news: SubjectNews?
        if facts != nil {
            news = try await rooms.news(of: opening.subject, since: askedAt - ChatLimits.clockTolerance)
        }
        if var room = try await rooms.room(about: opening.subject, of: me, with: other) {
            if news == nil, let facts = try? facts?.get(), !room.says(facts) {
                try await rooms.follow(opening.subject, facts)
                room = try await rooms.room(about: opening.subject, of: me, with: other) ?? room
            }
            guard !room.me.isListed else { return room }
            let decision = room.list()
            try await rooms.keep(decision)
            return decision.room
        }
        let lately = try await rooms.activity(of: me, since: rooms.now - ChatLimits.day)
        guard !lately.isSuspended else { throw ServiceError.accountSuspended }
        guard try await people.mayBegin(me, with: other, in: rooms.transaction) else { throw ChatError.notFound }
        let about = try opening.about(try facts?.get(), news)
        guard lately.roomsOpened < limits.roomsPerDay else { throw ChatError.tooManyRooms(limit: limits.roomsPerDay) }
        return try await rooms.add(
            ChatRoom.open(.new(at: rooms.now), about: about, by: me, with: other, at: rooms.now))
    }

    /// Nil where there is nobody to ask.
    private func facts(of opening: Opening) async -> Result<RoomSubjectFacts, any Error>? {
        guard opening.subject.kind != .person else { return nil }
        do {
            return .success(try await askForSubject(RoomSubjectQuery(subject: opening.subject, viewer: opening.person)))
        } catch { return .failure(error) }
    }
}

/// A draft of a room that was checked.
struct Opening: Hashable, Sendable {
    let person: PersonID
    let other: PersonID
    /// As it is the same for both.
    let subject: Subject

    init(_ draft: RoomDraft, by person: PersonID) throws(ChatError) {
        guard draft.with != .nobody else { throw .notFound }
        guard draft.with != person else {
            throw .invalid([FieldError("with", "yourself", "This is you.")])
        }
        self.person = person
        other = draft.with
        let pair = MemberPair(person, other)
        switch draft.subject.kind {
        case .person:
            guard [pair.first.uuid, pair.second.uuid].contains(draft.subject.id.uuid) else {
                throw .invalid([FieldError("subject.id", "not_allowed", "This is neither of the two.")])
            }
            subject = Subject(pair.first)
        default: subject = draft.subject
        }
    }

    /// What a new room says of it, if the two may have one: everybody who sees a thing may write to whose it is, and they to whom they have
    /// to do with.
    /// - Parameters:
    ///   - facts: As its service answered; nil where nobody was asked.
    ///   - news: What was said of it since, which then may be older or newer, and which all that follows comes after.
    func about(_ facts: RoomSubjectFacts?, _ news: SubjectNews?) throws(ChatError) -> RoomAbout {
        guard let facts else { return RoomAbout(subject: subject) }
        guard facts.owner == other || (facts.owner == person && facts.partners.contains(other)) else {
            throw .notFound
        }
        let guest = facts.owner == other ? person : other
        guard facts.isOpen(to: guest), news?.isOpen(to: guest) != false else { throw .closed }
        let (title, photo) = news.map { ($0.title, $0.photo) } ?? (facts.title, facts.photo)
        return RoomAbout(subject: subject, title: title, photo: photo, owner: facts.owner)
    }
}

/// What somebody has done lately.
struct RecentActivity: Hashable, Sendable {
    var roomsOpened: Int
    var messages: Int
    var isSuspended: Bool
}

/// What the service that has a subject said of it.
struct SubjectNews: Hashable, Sendable {
    var title: String?
    var photo: String?
    var isOpen: Bool
    /// Else to its partners alone.
    var isOpenToAll = true
    var partners: [PersonID] = []

    func isOpen(to person: PersonID) -> Bool { isOpen && (isOpenToAll || partners.contains(person)) }
}

extension ChatRoom {
    /// Whether it knows this of its subject.
    func says(_ facts: RoomSubjectFacts) -> Bool {
        let guest = facts.owner == other.person ? me.person : other.person
        return about.title == facts.title && about.photo == facts.photo
            && (state == .open) == facts.isOpen(to: guest)
    }
}
