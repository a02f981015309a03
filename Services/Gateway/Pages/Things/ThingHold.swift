import FoundationEssentials
import WireProtocol

/// Who has a thing just now, as far as the one who looks may know it: an agreement of their own, or until when somebody else has it.
struct ThingHold {
    /// Their own request or agreement that has not ended; nil also where it can't be had just now.
    let rental: Rental?
    /// When the period that is running ends, in the thing's own time; nil where none is: of what is overdue nobody knows when it comes back.
    let until: String?
    /// Whether the last day on which it is let is over.
    let isOver: Bool
    private let now: Date

    /// - Parameter calendar: when it is taken, today at least.
    init(_ rental: Rental?, _ calendar: ThingCalendar?, of thing: Thing, at now: Date) {
        let clock = WallTime(at: now, in: thing.terms.zone)
        self.rental = rental
        self.now = now
        until = calendar?.taken.first { $0.contains(clock) }?.until
        isOver = thing.available?.until.flatMap { CivilDay($0) }.map { $0 < clock.day } ?? false
    }

    init(of thing: Thing, in visit: Visit) async throws {
        async let rental = Self.own(thing, visit)
        async let calendar = Self.today(thing, visit)
        self.init(await rental, try await calendar, of: thing, at: visit.now)
    }

    private static func own(_ thing: Thing, _ visit: Visit) async -> Rental? {
        guard let id = thing.rental else { return nil }
        return try? await visit.ask(ListingsMethods.rental, RentalReference(id: id), Nothing(), within: 2)
    }

    private static func today(_ thing: Thing, _ visit: Visit) async throws -> ThingCalendar? {
        guard thing.action == .unavailable, thing.state == .listed, thing.rental == nil else { return nil }
        let day = WallTime(at: visit.now, in: thing.terms.zone).day.text
        let query = CalendarQuery(id: thing.id, kind: thing.kind, from: day, until: day)
        return try await visit.askUnlessAway(ListingsMethods.calendar, query)
    }

    /// How one's own request or agreement stands.
    func said(in words: Words) -> String {
        guard let rental, let how = rental.stand(at: now) else { return words["things.act.asked"] }
        let values = ["period": rental.period(in: words), "until": CivilText.moment(rental.until, in: words)]
        return words["things.act.mine.\(how)", values]
    }
}

extension Rental {
    /// As the catalogue calls it; nil where it has ended.
    fileprivate func stand(at now: Date) -> String? {
        switch state {
        case .accepted: now < endsAt ? "accepted" : "missed"
        case .handedOver: now < endsAt ? "handedOver" : "overdue"
        case .requested, .disputed: state.rawValue
        case .returned, .declined, .lapsed, .cancelled, .noShow, .settled: nil
        }
    }
}

extension TakenPeriod {
    fileprivate func contains(_ time: WallTime) -> Bool {
        MonthsDays.span(from, until).map { $0.start <= time.seconds && time.seconds < $0.end } ?? false
    }
}
