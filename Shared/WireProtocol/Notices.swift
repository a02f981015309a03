import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What events mean for people's inboxes. Pure.

/// Something that people are to be told.
struct NewNotice: Hashable, Sendable {
    var kind: InboxNoticeKind
    /// What collapses into one row of a person.
    var key: NoticeKey
    var actor: PersonID?
    var subject: InboxSubject
    var title: String?
    var about: NoticeKind?
    /// Of a rental: what it has come to, and what is due.
    var rental: RentalState?
    var due: RentalReminder.Occasion?
    /// What comes later under the same key has a greater one; what has the same is the same event again.
    var latest: Int64
    var at: Date

    init(
        _ kind: InboxNoticeKind, _ key: NoticeKey, by actor: PersonID?, _ subject: InboxSubject, title: String? = nil,
        about: NoticeKind? = nil, latest: Int64? = nil, at: Date
    ) {
        self.kind = kind
        self.key = key
        self.actor = actor
        self.subject = subject
        self.title = title
        self.about = about
        self.latest = latest ?? Int64((at.timeIntervalSince1970 * 1000).rounded())
        self.at = at
    }

    /// Whether those that were not read are counted together.
    var counts: Bool { kind == .message }
}

/// By what notices collapse.
struct NoticeKey: Hashable, Sendable {
    let text: String

    static func messages(in room: RoomID) -> NoticeKey { NoticeKey(text: "room/\(room)") }
    static func asked(by person: PersonID) -> NoticeKey { NoticeKey(text: "friendAsked/\(person)") }
    static func accepted(by person: PersonID) -> NoticeKey { NoticeKey(text: "friendAccepted/\(person)") }
    static func claim(of spot: SpotID) -> NoticeKey { NoticeKey(text: "spotClaimed/\(spot)") }
    static func release(of spot: SpotID) -> NoticeKey { NoticeKey(text: "spotReleased/\(spot)") }
    static func reviewing(_ person: PersonID, for subject: EncounterSubject) -> NoticeKey {
        NoticeKey(text: "reviewPossible/\(subject.kind.rawValue)/\(subject.id)/\(person)")
    }
    static func written(by person: PersonID, for subject: EncounterSubject) -> NoticeKey {
        NoticeKey(text: "reviewWritten/\(subject.kind.rawValue)/\(subject.id)/\(person)")
    }
    static func published(_ review: ReviewID) -> NoticeKey { NoticeKey(text: "reviewPublished/\(review)") }
    static func replied(_ review: ReviewID) -> NoticeKey { NoticeKey(text: "reviewReplied/\(review)") }
    static func account(_ notice: NoticeID) -> NoticeKey { NoticeKey(text: "account/\(notice)") }
}

extension InboxSubject {
    static func room(_ id: RoomID) -> InboxSubject { InboxSubject(kind: .room, id: ID(id.uuid)) }
    static func person(_ id: PersonID) -> InboxSubject { InboxSubject(kind: .person, id: ID(id.uuid)) }
    static func spot(_ id: SpotID) -> InboxSubject { InboxSubject(kind: .spot, id: ID(id.uuid)) }
    static func review(_ id: ReviewID) -> InboxSubject { InboxSubject(kind: .review, id: ID(id.uuid)) }
    static func notice(_ id: NoticeID) -> InboxSubject { InboxSubject(kind: .notice, id: ID(id.uuid)) }

    init(_ subject: EncounterSubject) {
        let kind: InboxSubjectKind =
            switch subject.kind {
            case .spot: .spot
            case .rental: .rental
            }
        self.init(kind: kind, id: ID(subject.id.uuid))
    }
}

extension InboxNoticeKind {
    /// The page on which what it tells of can be seen, or answered.
    func link(to subject: InboxSubject, of person: PersonID, by actor: PersonID?) -> String {
        switch self {
        case .message: "/messages/\(subject.id)"
        case .friendAsked: "/me/friends?of=waiting"
        case .friendAccepted: "/people/\(subject.id)"
        case .spotClaimed, .spotReleased: "/spots/\(subject.id)"
        case .reviewPossible, .reviewWritten: "/me/encounters"
        case .reviewPublished: "/people/\(person)/reviews"
        case .reviewReplied: actor.map { "/people/\($0)/reviews" } ?? "/me/encounters"
        case .rentalRequested, .rentalAnswered, .rentalChanged, .rentalDue, .rentalDisputed:
            "/rentals/\(subject.id)"
        case .account: "/me"
        }
    }
}

// MARK: Events

/// What an event means: what is told to whom, and what needs no telling any more.
struct Telling: Sendable {
    var notices: [(notice: NewNotice, people: [PersonID])] = []
    /// What these people have seen to, so that it counts as read.
    var settled: [(person: PersonID, key: NoticeKey)] = []
    /// An agreement that is disputed, or was settled: it concerns moderators, and who they are the database knows.
    var dispute: (news: RentalNews, at: Date)?

    init() {}

    mutating func tell(_ person: PersonID, _ notice: NewNotice) { notices.append((notice, [person])) }
    mutating func settle(_ key: NoticeKey, for person: PersonID) { settled.append((person, key)) }
}

extension Telling {
    init(_ event: MessageSent) {
        self.init()
        let message = event.message
        tell(
            event.to,
            NewNotice(
                .message, .messages(in: message.room), by: message.by, .room(message.room), title: event.title,
                latest: Int64(message.number), at: message.sentAt))
    }

    init(_ event: FriendAsked, at: Date) {
        self.init()
        let asker = event.asker.id
        tell(event.asked, NewNotice(.friendAsked, .asked(by: asker), by: asker, .person(asker), at: at))
    }

    /// Who had asked comes first.
    init(_ event: FriendshipBegan, at: Date) {
        self.init()
        guard event.people.count == 2 else { return }
        let (asker, asked) = (event.people[0].id, event.people[1].id)
        tell(asker, NewNotice(.friendAccepted, .accepted(by: asked), by: asked, .person(asked), at: at))
        settle(.asked(by: asker), for: asked)
    }

    /// It was answered with no, or taken back.
    init(_ event: FriendQuestionEnded) {
        self.init()
        settle(.asked(by: event.asker), for: event.asked)
    }

    /// Of a spot only the latest is told: that it is taken, or that it was given back.
    init(_ event: ClaimChanged, at: Date) {
        self.init()
        switch event.change {
        case .made:
            tell(
                event.owner,
                NewNotice(
                    .spotClaimed, .claim(of: event.spot), by: event.claimer, .spot(event.spot), title: event.name,
                    at: at))
            settle(.release(of: event.spot), for: event.owner)
        case .released:
            tell(
                event.owner,
                NewNotice(
                    .spotReleased, .release(of: event.spot), by: event.claimer, .spot(event.spot), title: event.name,
                    at: at))
            settle(.claim(of: event.spot), for: event.owner)
        }
    }

    /// Each of the two may review the other.
    init(_ event: EncounterCompleted) {
        self.init()
        guard event.people.count == 2 else { return }
        let subject = InboxSubject(event.subject)
        for (person, other) in [(event.people[0], event.people[1]), (event.people[1], event.people[0])] {
            tell(
                person,
                NewNotice(
                    .reviewPossible, .reviewing(other, for: event.subject), by: other, subject, title: event.title,
                    at: event.completedAt))
        }
    }

    init(_ event: ReviewWritten, at: Date) {
        self.init()
        let author = event.author.id
        tell(
            event.about,
            NewNotice(
                .reviewWritten, .written(by: author, for: event.subject), by: author, .person(author), at: at))
        settle(.reviewing(event.about, for: event.subject), for: author)
    }

    init(_ event: ReviewPublished, at: Date) {
        self.init()
        let review = event.review
        tell(
            review.about,
            NewNotice(
                .reviewPublished, .published(review.id), by: review.author.id, .review(review.id), at: at))
        settle(.written(by: review.author.id, for: review.subject), for: review.about)
    }

    init(_ event: ReviewReplied) {
        self.init()
        tell(
            event.author,
            NewNotice(.reviewReplied, .replied(event.review), by: event.about, .review(event.review), at: event.at))
    }

    init(_ event: NoticeGiven, at: Date) {
        self.init()
        tell(
            event.person,
            NewNotice(
                .account, .account(event.notice), by: nil, .notice(event.notice), title: event.title,
                about: event.kind, at: at))
    }

    init(_ event: NoticeRead) {
        self.init()
        settle(.account(event.notice), for: event.person)
    }
}
