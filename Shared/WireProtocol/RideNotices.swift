#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// What the two of a seat, and moderators, are told of it.

extension NoticeKey {
    /// Of each kind and request there is one notice, which moves up.
    package static func seat(_ id: SeatRequestID, _ kind: InboxNoticeKind) -> NoticeKey {
        NoticeKey(rawValue: "\(kind.rawValue)/\(id)")
    }
}

extension SeatNews {
    fileprivate var both: [PersonID] { [driver.id, rider.id].filter { $0 != .nobody } }

    /// Whoever has not done it: both, where time or a moderator did.
    fileprivate var told: [PersonID] { both.filter { $0 != by } }

    /// The one of the two who did it. Who ends something is not named: so the one who is left hears of it also where the other has gone, is
    /// suspended, or is apart from them.
    fileprivate var actor: PersonID? {
        switch state {
        case .rejected, .withdrawn, .expired, .left, .removed: nil
        default: by.flatMap { both.contains($0) ? $0 : nil }
        }
    }

    /// A request there and back is told once, of the way there, in words for both ways.
    /// - Returns: nil of the way back.
    fileprivate func variant(_ name: String) -> String? {
        guard together != nil else { return name }
        return isReturn ? nil : "\(name)Both"
    }

    /// `From → To`, as everybody may know it.
    fileprivate var title: String { "\(ride.from) → \(ride.to)" }

    fileprivate func raised(
        _ kind: InboxNoticeKind, to audience: NoticeAudience, by actor: PersonID?, variant: String,
        latest: Int64? = nil, at moment: Date
    ) -> NoticeNews {
        .raised(
            NoticeRaised(
                kind, .seat(id, kind), to: audience, by: actor, Subject(id), variant: variant, title: title,
                latest: latest, at: moment))
    }

    /// What was told of an earlier state is told no more, to either of them; and whoever does something has seen what it came to.
    fileprivate var settled: [NoticeNews] {
        let kinds: [InboxNoticeKind] = [.seatRequested, .seatAnswered, .seatDue]
        var news = [NoticeNews.settled(NoticeSettled(kinds.map { .seat(id, $0) }, for: .people(both)))]
        if let by { news.append(.settling(.seat(id, .seatChanged), for: by)) }
        return news
    }
}

extension SeatRequested {
    /// To the driver: somebody asks, waits, or has a seat at once.
    package func notices(at moment: Date) -> [NoticeNews] {
        guard let variant = request.variant(request.state.rawValue) else { return [] }
        return [
            request.raised(
                .seatRequested, to: .people([request.driver.id]), by: request.rider.id, variant: variant, at: moment)
        ]
    }
}

extension SeatAnswered {
    package func notices(at moment: Date) -> [NoticeNews] {
        // Who had a seat at once saw that it is theirs.
        guard request.state != .accepted || request.by != nil else { return [] }
        let rider = request.rider.id
        let people = rider == request.by || rider == .nobody ? [] : [rider]
        guard let variant = request.variant(request.state.rawValue) else { return request.settled }
        return request.settled + [
            request.raised(.seatAnswered, to: .people(people), by: request.actor, variant: variant, at: moment)
        ]
    }
}

extension SeatChanged {
    package func notices(at moment: Date) -> [NoticeNews] {
        if what == .promoted { return request.settled + promotion(at: moment) }
        if what == .withdrawn { return request.settled + withdrawal(at: moment) }
        let told = request.raised(
            .seatChanged, to: .people(whom), by: request.actor, variant: what.rawValue, at: moment)
        return request.settled + [told] + dispute(at: moment)
    }

    /// A seat that came free: who waited has it, which the driver is told; or the driver is asked, as by anybody else.
    ///
    /// Its `latest` is a millisecond later: what made room may have been told of this request at the same moment, and the inbox keeps the later one.
    private func promotion(at moment: Date) -> [NoticeNews] {
        let (driver, rider, latest) = (request.driver.id, request.rider.id, moment.writtenMilliseconds + 1)
        func raised(
            _ kind: InboxNoticeKind, to person: PersonID, by actor: PersonID?, _ variant: String
        ) -> NoticeNews {
            request.raised(kind, to: .people([person]), by: actor, variant: variant, latest: latest, at: moment)
        }
        if request.state == .pending {
            return [
                raised(.seatRequested, to: driver, by: rider, request.state.rawValue),
                raised(.seatChanged, to: rider, by: nil, "promotedToAsk"),
            ]
        }
        return [
            raised(.seatChanged, to: driver, by: rider, "promotedFromList"),
            raised(.seatChanged, to: rider, by: nil, what.rawValue),
        ]
    }

    /// The driver has nothing left to answer. Where nobody withdrew it, who asked has a seat in another ride at that time, and is told so.
    private func withdrawal(at moment: Date) -> [NoticeNews] {
        func raised(to person: PersonID, _ name: String) -> NoticeNews? {
            request.variant(name).map {
                request.raised(.seatChanged, to: .people([person]), by: nil, variant: $0, at: moment)
            }
        }
        let told = request.by == nil ? raised(to: request.rider.id, "seatElsewhere") : nil
        return [raised(to: request.driver.id, what.rawValue), told].compactMap { $0 }
    }

    /// The driver knows what they did with their ride, also where time did it.
    private var whom: [PersonID] {
        switch what {
        case .rideChanged, .rideMoved, .rideRemoved, .departed, .completed:
            request.told.filter { $0 != request.driver.id }
        default: request.told
        }
    }

    /// A dispute waits for whoever moderates and is none of the two, until it is settled. Each hears of it once: `latest` is always the same.
    private func dispute(at moment: Date) -> [NoticeNews] {
        switch request.state {
        case .disputed:
            [
                request.raised(
                    .seatDisputed, to: .moderators(besides: request.both), by: nil, variant: request.state.rawValue,
                    latest: 0, at: moment)
            ]
        case .settled:
            [.settled(NoticeSettled([.seat(request.id, .seatDisputed)], for: .moderators(besides: [])))]
        default: []
        }
    }
}

extension SeatReminder {
    /// Nobody did it, so nobody is named.
    package func notices(at moment: Date) -> [NoticeNews] {
        // Both ways are answered at once.
        if about == .answer, request.variant(about.rawValue) == nil { return [] }
        let people: [PersonID] =
            switch about {
            case .answer: [request.driver.id]
            case .confirm: [request.rider.id]
            case .tomorrow, .soon: request.both
            }
        return [
            request.raised(
                .seatDue, to: .people(people.filter { $0 != .nobody }), by: nil, variant: about.rawValue, at: moment)
        ]
    }
}
