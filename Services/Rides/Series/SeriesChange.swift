import FoundationEssentials
import WireProtocol

// What becomes of the rides of a series that changes. No I/O and no clock.

/// A ride of a series that has not left, and how many have asked for a seat, wait for one or have one.
struct AskedRide: Hashable, Sendable {
    let ride: OfferedRide
    let requests: Int
}

struct SeriesChange: Sendable {
    let before: OfferedSeries
    let after: OfferedSeries
    /// What its driver drives otherwise, and of it.
    let driving: Driving
    let now: Date
    let limits: RideLimits

    private enum Fate {
        case stays
        case becomes(OfferedRide)
        case goes
        /// Its driver drives such a ride already: then there is none of that day.
        case isDuplicate
    }

    /// What becomes of the rides of one day. Those that somebody has asked for stay as they are, and so do both where the way back would leave
    /// before the way there is over.
    func steps(on day: CivilDay, _ rides: [AskedRide]) -> [RideStep] {
        let (was, new) = (made(by: before, on: day), after.plan.has(day) ? made(by: after, on: day) : [])
        var fates = rides.map { fate(of: $0, since: was, in: new) }
        if fates.contains(where: { if case .isDuplicate = $0 { true } else { false } }) {
            fates = rides.map { $0.requests == 0 ? .goes : .stays }
        }
        let steps = zip(rides, fates).compactMap { asked, fate in step(asked.ride, fate) }
        let all = rides.map(\.ride)
        let mayFollow = areInOrder(all, after: steps) || !areInOrder(all, after: [])
        return mayFollow ? steps : steps.filter { $0.after.state == .removed }
    }

    /// Its way back, where the series has one since this change.
    func wayBack(of there: OfferedRide) -> OfferedRide? {
        guard before.draft.returnRide == nil, there.state == .open, there.returnOf == nil, let day = there.seriesDay,
            after.plan.has(day), let rides = try? after.rides(on: day, at: now, within: limits),
            var back = rides.first(where: { $0.returnOf != nil }),
            back.departsAt > there.lastArrival, driving.duplicate(of: back) == nil
        else { return nil }
        back.returnOf = there.id
        return back
    }

    /// What a series says of a day, over or not.
    /// - Returns: None where clocks pass over its times; nil where the community does not allow it.
    private func made(by series: OfferedSeries, on day: CivilDay) -> [OfferedRide]? {
        let departure = series.draft(on: day)?.departsAt.flatMap { WireJSON.date(from: $0) }
        do {
            return try series.rides(on: day, at: min(now, departure ?? now), within: limits) ?? []
        } catch { return nil }
    }

    private func fate(of asked: AskedRide, since before: [OfferedRide]?, in after: [OfferedRide]?) -> Fate {
        guard asked.requests == 0, let after else { return .stays }
        func said(_ rides: [OfferedRide]) -> RideDraft? {
            rides.first { ($0.returnOf == nil) == (asked.ride.returnOf == nil) }?.said
        }
        guard let draft = said(after) else { return .goes }
        let old = before.flatMap(said)
        guard let change = old.map({ draft.change(since: $0) }) ?? draft else { return .stays }
        do {
            let ride = try asked.ride.change(change, hasRequests: false, at: now, within: limits.ofSeries).ride
            let isElsewhere = ride.departsAt != asked.ride.departsAt || ride.way != asked.ride.way
            return isElsewhere && driving.duplicate(of: ride) != nil ? .isDuplicate : .becomes(ride)
        } catch {
            // Its time would be over.
            return .stays
        }
    }

    private func step(_ ride: OfferedRide, _ fate: Fate) -> RideStep? {
        switch fate {
        case .stays, .isDuplicate: return nil
        case .becomes(let changed): return RideStep(before: ride, after: changed)
        case .goes:
            guard var removed = try? ride.remove(RideRemoval(), at: now) else { return nil }
            // Its day is free again, and the way there may have another way back.
            (removed.series, removed.seriesDay, removed.returnOf) = (nil, nil, nil)
            return RideStep(before: ride, after: removed)
        }
    }

    private func areInOrder(_ rides: [OfferedRide], after steps: [RideStep]) -> Bool {
        let then = rides.map { ride in steps.first { $0.before.id == ride.id }?.after ?? ride }
        return then.allSatisfy { back in
            let there = then.first { $0.id == back.returnOf && $0.state == .open }
            return there.map { $0.lastArrival < back.departsAt } ?? true
        }
    }
}

extension OfferedRide {
    /// All that its driver says of it.
    fileprivate var said: RideDraft {
        RideDraft(
            stops: way.drafts, departsAt: WireJSON.text(of: departsAt),
            leavesBy: leavesBy > departsAt ? WireJSON.text(of: leavesBy) : nil, zone: zone, seats: seats, cost: price,
            maxDetour: maxDetour, luggage: luggage, accepts: accepts, notes: notes)
    }
}
