#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// What the two of an agreement, and moderators, are told of it.

extension NoticeKey {
    /// Of each kind and agreement there is one notice, which moves up.
    package static func rental(_ id: RentalID, _ kind: InboxNoticeKind) -> NoticeKey {
        NoticeKey(rawValue: "\(kind.rawValue)/\(id)")
    }
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

    fileprivate func raised(
        _ kind: InboxNoticeKind, to audience: NoticeAudience, by actor: PersonID?, variant: String? = nil,
        latest: Int64? = nil, at moment: Date
    ) -> NoticeNews {
        .raised(
            NoticeRaised(
                kind, .rental(id, kind), to: audience, by: actor, Subject(id), variant: variant ?? state.rawValue,
                title: title, latest: latest, at: moment))
    }

    /// What was told of an earlier state is told no more, to either of them; and whoever does something has seen what it came to.
    fileprivate var settled: [NoticeNews] {
        let kinds: [InboxNoticeKind] = [.rentalRequested, .rentalAnswered, .rentalDue]
        let people = both.filter { $0 != .nobody }
        var news = [NoticeNews.settled(NoticeSettled(kinds.map { .rental(id, $0) }, for: .people(people)))]
        if let by { news.append(.settling(.rental(id, .rentalChanged), for: by)) }
        return news
    }

    /// A dispute waits for whoever moderates and is none of the two, until it is settled.
    ///
    /// Nobody is named, so they hear of it however apart they are from the two. An agreement is disputed once, and each hears of it once, whatever is
    /// said in it and whatever comes anew: `latest` is always the same.
    fileprivate func dispute(at moment: Date) -> [NoticeNews] {
        switch state {
        case .disputed:
            [raised(.rentalDisputed, to: .moderators(besides: both), by: nil, latest: 0, at: moment)]
        case .settled:
            [.settled(NoticeSettled([.rental(id, .rentalDisputed)], for: .moderators(besides: [])))]
        default: []
        }
    }
}

extension RentalRequested {
    /// To whoever lets it. What is let to whoever asks is taken already.
    package func notices(at moment: Date) -> [NoticeNews] {
        [rental.raised(.rentalRequested, to: .people([rental.owner.id]), by: rental.renter.id, at: moment)]
    }
}

extension RentalAnswered {
    package func notices(at moment: Date) -> [NoticeNews] {
        // Of what is let to whoever asks: its renter saw that it is theirs, and the owner was told of it as a request.
        guard rental.state != .accepted || rental.by != nil else { return [] }
        // A request that somebody takes along when they leave is called off rather than answered.
        let isAnswer = rental.state != .cancelled
        let people = isAnswer ? [rental.renter.id].filter { $0 != rental.by } : rental.told
        let kind: InboxNoticeKind = isAnswer ? .rentalAnswered : .rentalChanged
        return rental.settled + [rental.raised(kind, to: .people(people), by: rental.actor, at: moment)]
    }
}

extension RentalChanged {
    package func notices(at moment: Date) -> [NoticeNews] {
        let told = rental.raised(.rentalChanged, to: .people(rental.told), by: rental.actor, at: moment)
        return rental.settled + [told] + rental.dispute(at: moment)
    }
}

extension RentalReminder {
    /// Nobody did it, so nobody is named: it is due also where the two are apart by now.
    package func notices(at moment: Date) -> [NoticeNews] {
        let people = about == .answer ? [rental.owner.id] : rental.both
        return [rental.raised(.rentalDue, to: .people(people), by: nil, variant: about.rawValue, at: moment)]
    }
}
