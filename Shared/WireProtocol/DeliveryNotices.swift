#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// What the two of a delivery, and moderators, are told of it.

extension NoticeKey {
    /// Of each kind and match there is one notice, which moves up.
    package static func match(_ id: MatchID, _ kind: InboxNoticeKind) -> NoticeKey {
        NoticeKey(rawValue: "\(kind.rawValue)/\(id)")
    }

    /// Of an order there is one answer, whoever was asked.
    package static func answer(to order: OrderID) -> NoticeKey {
        NoticeKey(rawValue: "\(InboxNoticeKind.matchAnswered.rawValue)/\(order)")
    }

    package static func availability(of person: PersonID) -> NoticeKey {
        NoticeKey(rawValue: "\(InboxNoticeKind.availabilityDue.rawValue)/\(person)")
    }
}

extension MatchNews {
    fileprivate var both: [PersonID] { [orderer.id, deliverer.id].filter { $0 != .nobody } }

    /// Whoever has not done it: both, where time or a moderator did.
    fileprivate var told: [PersonID] { both.filter { $0 != by } }

    /// The one of the two who did it. Who ends something is not named: so the one who is left hears of it also where the other has gone.
    fileprivate var actor: PersonID? {
        switch state {
        case .declined, .expired, .withdrawn, .cancelled, .givenUp, .lapsed: nil
        default: by.flatMap { both.contains($0) ? $0 : nil }
        }
    }

    /// `From → To`.
    fileprivate var title: String { "\(restaurant) → \(dropOff)" }

    fileprivate func raised(
        _ kind: InboxNoticeKind, _ key: NoticeKey, to audience: NoticeAudience, by actor: PersonID?, variant: String,
        latest: Int64? = nil, at moment: Date, until: Date? = nil
    ) -> NoticeNews {
        .raised(
            NoticeRaised(
                kind, key, to: audience, by: actor, Subject(id), variant: variant, title: title, latest: latest,
                at: moment, until: until))
    }

    /// An offer that was answered, or is over, asks nobody any more; what was due is due no more.
    fileprivate var settled: [NoticeNews] {
        let keys: [NoticeKey] = [.match(id, .matchOffered), .match(id, .matchDue)]
        return [.settled(NoticeSettled(keys, for: .people(both)))]
    }
}

extension NewMatch {
    /// To the deliverer, who can accept it for so long.
    package func notices(at moment: Date) -> [NoticeNews] {
        [
            match.raised(
                .matchOffered, .match(match.id, .matchOffered), to: .people([match.deliverer.id]),
                by: match.orderer.id, variant: "offered", at: moment, until: match.expiresAt)
        ]
    }
}

extension MatchUpdate {
    package func notices(at moment: Date) -> [NoticeNews] {
        match.settled + news(at: moment) + dispute(at: moment)
    }

    private func news(at moment: Date) -> [NoticeNews] {
        switch what {
        case .accepted: answer(at: moment)
        // Where the next one is asked there is nothing to do about it.
        case .declined, .expired, .withdrawn: match.orderState == .asking ? answer(at: moment) : []
        // The page says so to who looks at it.
        case .shared, .hidden: []
        default:
            [
                match.raised(
                    .matchChanged, .match(match.id, .matchChanged), to: .people(match.told), by: match.actor,
                    variant: what.rawValue, at: moment)
            ]
        }
    }

    private func answer(at moment: Date) -> [NoticeNews] {
        let orderer = match.orderer.id
        let people = orderer == match.by || orderer == .nobody ? [] : [orderer]
        return [
            match.raised(
                .matchAnswered, .answer(to: match.order), to: .people(people), by: match.actor,
                variant: what.rawValue, at: moment)
        ]
    }

    /// A dispute waits for whoever moderates and is none of the two, until it is settled. Each hears of it once: `latest` is always the same.
    private func dispute(at moment: Date) -> [NoticeNews] {
        switch match.state {
        case .disputed:
            [
                match.raised(
                    .matchDisputed, .match(match.id, .matchDisputed), to: .moderators(besides: match.both), by: nil,
                    variant: match.state.rawValue, latest: 0, at: moment)
            ]
        case .settled:
            [.settled(NoticeSettled([.match(match.id, .matchDisputed)], for: .moderators(besides: [])))]
        default: []
        }
    }
}

extension MatchReminder {
    /// Nobody did it, so nobody is named.
    package func notices(at moment: Date) -> [NoticeNews] {
        let people =
            switch about {
            case .pickUp: [match.deliverer.id]
            case .complete: [match.orderer.id, match.deliverer.id]
            }
        return [
            match.raised(
                .matchDue, .match(match.id, .matchDue), to: .people(people.filter { $0 != .nobody }), by: nil,
                variant: about.rawValue, at: moment)
        ]
    }
}

extension OrderLapsed {
    package func notices(at moment: Date) -> [NoticeNews] {
        [
            .raised(
                NoticeRaised(
                    .orderLapsed, .answer(to: order), to: .people([orderer].filter { $0 != .nobody }), by: nil,
                    Subject(order), title: dropOff, at: moment))
        ]
    }
}

extension AvailabilityChanged {
    package func notices(at moment: Date) -> [NoticeNews] {
        switch what {
        case .began, .changed: [.settling(.availability(of: person), for: person)]
        case .paused, .endsSoon, .ended:
            [
                .raised(
                    NoticeRaised(
                        .availabilityDue, .availability(of: person), to: .people([person].filter { $0 != .nobody }),
                        by: nil, Subject(person), variant: what.rawValue, title: restaurant, at: moment))
            ]
        }
    }
}
