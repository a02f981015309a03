import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What events about agreements mean for the inboxes of the two, and of moderators. Pure.

extension NoticeKey {
    /// Of each kind and agreement there is one notice, which moves up.
    static func rental(_ id: RentalID, _ kind: InboxNoticeKind) -> NoticeKey {
        NoticeKey(text: "\(kind.rawValue)/\(id)")
    }
}

extension InboxSubject {
    static func rental(_ id: RentalID) -> InboxSubject { InboxSubject(kind: .rental, id: ID(id.uuid)) }
}

extension RentalNews {
    fileprivate var both: [PersonID] { [owner.id, renter.id] }

    /// Whoever has not done it: both, where time or a moderator did.
    fileprivate var told: [PersonID] { both.filter { $0 != by } }

    /// The one of the two who did it. Who ends an agreement, or does not want it, is not named: so the one who is left hears of it also
    /// where the other has gone, is suspended, or is apart from them, and it can have been nobody else.
    fileprivate var actor: PersonID? {
        switch state {
        case .cancelled, .declined, .lapsed: nil
        default: by.flatMap { both.contains($0) ? $0 : nil }
        }
    }
}

extension Telling {
    /// To whoever lets it. What is let to whoever asks is taken already.
    init(_ event: RentalRequested, at: Date) {
        self.init()
        tell([event.rental.owner.id], .rentalRequested, event.rental, by: event.rental.renter.id, at: at)
    }

    init(_ event: RentalAnswered, at: Date) {
        self.init()
        let news = event.rental
        // Of what is let to whoever asks: its renter saw that it is theirs, and the owner was told of it as a request.
        guard news.state != .accepted || news.by != nil else { return }
        // A request that somebody takes along when they leave is called off rather than answered.
        let isAnswer = news.state != .cancelled
        let people = isAnswer ? [news.renter.id].filter { $0 != news.by } : news.told
        settle(news)
        tell(people, isAnswer ? .rentalAnswered : .rentalChanged, news, by: news.actor, at: at)
    }

    init(_ event: RentalChanged, at: Date) {
        self.init()
        settle(event.rental)
        tell(event.rental.told, .rentalChanged, event.rental, by: event.rental.actor, at: at)
        if [.disputed, .settled].contains(event.rental.state) { dispute = (event.rental, at) }
    }

    /// The same with what it means for moderators: who is one of the two settles nothing, and a dispute that somebody has settled waits for nobody.
    ///
    /// Nobody is named, so they hear of it however apart they are from the two. An agreement is disputed once, and each hears of it once, whatever is
    /// said in it and whatever comes anew: `latest` is always the same.
    func reaching(_ moderators: [PersonID]) -> Telling {
        guard let (news, at) = dispute else { return self }
        var telling = self
        let key = NoticeKey.rental(news.id, .rentalDisputed)
        if news.state == .disputed {
            var notice = NewNotice(
                .rentalDisputed, key, by: nil, .rental(news.id), title: news.title, latest: 0, at: at)
            notice.rental = news.state
            telling.notices.append((notice, moderators.filter { !news.both.contains($0) }))
        } else {
            for person in moderators { telling.settle(key, for: person) }
        }
        return telling
    }

    /// Nobody did it, so nobody is named: it is due also where the two are apart by now.
    init(_ event: RentalReminder, at: Date) {
        self.init()
        let news = event.rental
        tell(event.about == .answer ? [news.owner.id] : news.both, .rentalDue, news, due: event.about, by: nil, at: at)
    }

    private mutating func tell(
        _ people: [PersonID], _ kind: InboxNoticeKind, _ news: RentalNews, due: RentalReminder.Occasion? = nil,
        by actor: PersonID?, at: Date
    ) {
        var notice = NewNotice(
            kind, .rental(news.id, kind), by: actor, .rental(news.id), title: news.title, at: at)
        (notice.rental, notice.due) = (news.state, due)
        notices.append((notice, people))
    }

    /// What was told of an earlier state is told no more, to either of them; and whoever does something has seen what it came to.
    private mutating func settle(_ news: RentalNews) {
        for person in news.both where person != .nobody {
            for kind in [InboxNoticeKind.rentalRequested, .rentalAnswered, .rentalDue] {
                settle(.rental(news.id, kind), for: person)
            }
        }
        if let person = news.by { settle(.rental(news.id, .rentalChanged), for: person) }
    }
}
