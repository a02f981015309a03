import FoundationEssentials
import WireProtocol

// What becomes of a ride: the first table of README.md. No I/O and no clock.

/// Who brings a ride into another state.
enum RideParty: String, CaseIterable, Hashable, Sendable {
    case driver
    /// Nobody: its time has come.
    case time
    /// Its driver may not take part any more, or has gone.
    case community
}

/// One line of the table.
struct RideRule: Hashable, Sendable {
    var state: RideState
    var who: RideParty
    /// Nil where nobody asks for it.
    var act: RideAct?
    var condition: RideCondition
    var next: RideState
}

enum RideCondition: Hashable, Sendable {
    case always
    case beforeItLeaves
    /// From half an hour before it leaves.
    case aboutToLeave
    case afterItLeaves
    case beforeItArrives
    /// Two hours after it arrives.
    case longArrived
}

extension RideRule {
    static let table: [RideRule] = [
        .init(state: .open, who: .driver, act: .change, condition: .beforeItLeaves, next: .open),
        .init(state: .open, who: .driver, act: .remove, condition: .beforeItLeaves, next: .removed),
        .init(state: .open, who: .driver, act: .depart, condition: .aboutToLeave, next: .departed),
        .init(state: .open, who: .time, act: nil, condition: .afterItLeaves, next: .departed),
        .init(state: .open, who: .community, act: nil, condition: .always, next: .removed),
        .init(state: .departed, who: .driver, act: .remove, condition: .beforeItArrives, next: .removed),
        .init(state: .departed, who: .driver, act: .arrive, condition: .always, next: .completed),
        .init(state: .departed, who: .time, act: nil, condition: .longArrived, next: .completed),
    ]

    static func of(_ party: RideParty, for ride: OfferedRide, at now: Date) -> [RideRule] {
        table.filter { $0.state == ride.state && $0.who == party && $0.condition.holds(for: ride, at: now) }
    }

    static func allows(_ act: RideAct, _ ride: OfferedRide, at now: Date) -> Bool {
        of(.driver, for: ride, at: now).contains { $0.act == act }
    }
}

extension RideCondition {
    static let earlyDeparture: TimeInterval = 30 * 60
    static let lateArrival: TimeInterval = 2 * 3600

    func holds(for ride: OfferedRide, at now: Date) -> Bool {
        switch self {
        case .always: true
        case .beforeItLeaves: now < ride.leavesBy
        case .aboutToLeave: now >= ride.departsAt - Self.earlyDeparture && now < ride.leavesBy
        case .afterItLeaves: now >= ride.leavesBy
        case .beforeItArrives: now < ride.lastArrival
        case .longArrived: now >= ride.lastArrival + Self.lateArrival
        }
    }
}

extension OfferedRide {
    /// When the driver is at a point at the latest, as far as the way tells.
    func lastTime(at metres: Int) -> Date { leavesBy + RideWay.seconds(to: metres) }

    var lastArrival: Date { lastTime(at: way.length) }

    /// What somebody may do with it now.
    func possible(for viewer: PersonID?, at now: Date) -> [RideAct] {
        guard let viewer, viewer == driver else { return [] }
        return RideRule.of(.driver, for: self, at: now).compactMap(\.act)
    }

    func depart(at now: Date) throws(RideError) -> OfferedRide { try act(.depart, at: now) }

    func arrive(at now: Date) throws(RideError) -> OfferedRide { try act(.arrive, at: now) }

    func remove(_ removal: RideRemoval, at now: Date) throws(RideError) -> OfferedRide {
        var ride = try act(.remove, at: now)
        ride.reason = try RideRules.reason(removal.reason)
        return ride
    }

    /// What time has done to it; nil where nothing.
    func pass(at now: Date) -> OfferedRide? { become(by: .time, at: now) }

    /// Its driver may not take part any more, or has gone; nil where it is not open.
    func callOff(at now: Date) -> OfferedRide? { become(by: .community, at: now) }

    /// When `pass` may next do something; nil where never.
    var dueAt: Date? {
        switch state {
        case .open: leavesBy
        case .departed: lastArrival + RideCondition.lateArrival
        case .completed, .removed: nil
        }
    }

    /// The one button of it.
    /// - Parameter request: the state of the viewer's own request.
    func action(for viewer: PersonID?, request: SeatState?, at now: Date) -> RideAction {
        if viewer != nil, viewer == driver { return .own }
        guard state == .open, now < leavesBy else { return .unavailable }
        switch request {
        case .pending, .waiting: return .withdraw
        case .accepted: return .leave
        default:
            guard isListed else { return .unavailable }
            return freeByLeg.contains { $0 > 0 } ? .ask : .wait
        }
    }

    private func act(_ act: RideAct, at now: Date) throws(RideError) -> OfferedRide {
        guard let rule = RideRule.of(.driver, for: self, at: now).first(where: { $0.act == act }) else {
            throw .rideOver(possible(for: driver, at: now))
        }
        return become(rule.next, at: now)
    }

    private func become(by party: RideParty, at now: Date) -> OfferedRide? {
        RideRule.of(party, for: self, at: now).first.map { become($0.next, at: now) }
    }

    private func become(_ next: RideState, at now: Date) -> OfferedRide {
        var ride = self
        (ride.state, ride.changedAt, ride.reason) = (next, now, nil)
        return ride
    }
}

/// What becomes of a ride among those that can be found.
enum RideListing: Hashable, Sendable {
    case posted, changed, removed, nothing

    /// - Parameter before: nil of a new one.
    init(_ ride: OfferedRide, since before: OfferedRide?) {
        switch (before?.isListed ?? false, ride.isListed) {
        case (false, true): self = .posted
        case (true, false): self = .removed
        case (true, true): self = ride == before ? .nothing : .changed
        case (false, false): self = .nothing
        }
    }
}
