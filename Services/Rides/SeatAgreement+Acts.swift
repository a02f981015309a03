import FoundationEssentials
import WireProtocol

// What becomes of a request for seats. No I/O and no clock.

/// A request after a transition, and what is to be told.
struct SeatDecision: Hashable, Sendable {
    var agreement: SeatAgreement
    var told: SeatTold
    /// Who did it, which need not be who brought the state. Nil where time did it.
    var by: PersonID?
    /// The two have completed something together, on which they may review each other.
    var isCompleted = false
}

extension SeatAgreement {
    func role(of person: PersonID?) -> SeatRole? {
        person == driver ? .driver : person == rider ? .rider : nil
    }

    func person(of party: SeatParty) -> PersonID? {
        switch party {
        case .driver: driver
        case .rider: rider
        case .moderator, .time, .seat, .ride, .other: nil
        }
    }

    /// What somebody may do now.
    func possible(for party: SeatParty?, in ride: OfferedRide, at now: Date) -> [SeatAct] {
        guard let party else { return [] }
        return rules(for: party, in: ride, at: now).compactMap(\.act)
    }

    /// Does what somebody wants, where the table allows it.
    func act(
        _ act: SeatAct, _ draft: SeatActDraft, by person: PersonID, as party: SeatParty, in ride: OfferedRide,
        at now: Date
    ) throws(RideError) -> SeatDecision {
        guard let rule = rules(for: party, in: ride, at: now).first(where: { $0.act == act }) else {
            throw .wrongState(possible(for: party, in: ride, at: now))
        }
        let reason = try Self.reason(of: draft, doing: act)
        if let shown = draft.expected, shown != state {
            throw .termsChanged([FieldError("expected.state", state.rawValue, "This has changed.")])
        }
        if act == .accept { try checkRoom(in: ride) }
        var after = self
        if rule.next != state { after.become(rule.next, by: person, because: reason, at: now) }
        if act == .approve { after.isApproved = true }
        if act == .keep { (after.isConfirmed, after.confirmBy) = (true, nil) }
        // What one of the two disputes that they did was completed before.
        let isCompleted = act == .settle && draft.rode == true
        return SeatDecision(agreement: after, told: rule.told, by: person, isCompleted: isCompleted)
    }

    /// What time has done to it; nil where nothing.
    func pass(in ride: OfferedRide, at now: Date) -> SeatDecision? { follow(.time, in: ride, by: nil, at: now) }

    /// The ride has left, is over, or was removed.
    /// - Parameter person: who did that; nil where time did it.
    /// - Returns: Nil where nothing becomes of the request. Who rides along is told that the ride has left, and it stays as it is.
    func rideEnded(_ ride: OfferedRide, by person: PersonID?, at now: Date) -> SeatDecision? {
        if var decision = follow(.ride, in: ride, by: person, at: now) {
            // Its driver says why to everybody who has to do with it.
            if ride.state == .removed { decision.agreement.reason = ride.reason }
            return decision
        }
        guard state == .accepted, ride.state == .departed else { return nil }
        return SeatDecision(agreement: self, told: .changed(.departed), by: person)
    }

    /// Its driver has changed the ride.
    /// - Returns: Nil where it is the same for who asked.
    func rideChanged(_ told: RidersTold, _ ride: OfferedRide, by person: PersonID?, at now: Date) -> SeatDecision? {
        guard told != .nothing else { return nil }
        var after = self
        var what = SeatChanged.Change.rideChanged
        switch state {
        case .pending:
            after.answerBy = answerDue(in: ride, at: now)
        case .waiting: break
        case .accepted where told == .large:
            // They keep their seat also where they say nothing; the driver sees that.
            (after.isConfirmed, what) = (false, .rideMoved)
        case .accepted: break
        default: return nil
        }
        return SeatDecision(agreement: after, told: .changed(what), by: person)
    }

    /// A seat came free.
    /// - Returns: Nil of who does not wait.
    func promoted(in ride: OfferedRide, at now: Date) -> SeatDecision? {
        guard var decision = follow(.seat, in: ride, by: nil, at: now) else { return nil }
        if decision.agreement.state == .accepted {
            decision.agreement.isConfirmed = false
            decision.agreement.confirmBy = SeatDeadline.confirmation(at: part.boarding.at, in: ride, at: now)
        } else {
            decision.agreement.answerBy = SeatDeadline.answer(
                since: now, within: answerWithin, at: part.boarding.at, in: ride, at: now)
        }
        return decision
    }

    /// The request on the other way ended by itself: both or none.
    /// - Parameter person: who ended that; nil where time did it.
    /// - Returns: Nil of what is answered already, or was asked for by itself.
    func otherEnded(by person: PersonID?, in ride: OfferedRide, at now: Date) -> SeatDecision? {
        guard var decision = follow(.other, in: ride, by: nil, at: now) else { return nil }
        decision.by = person
        return decision
    }

    /// Somebody leaves the community, may not take part any more, or is apart from the other one. Who is on the way stays in the car.
    /// - Returns: Nil of what is under way, or over.
    func callOff(by person: PersonID, in ride: OfferedRide, at now: Date) -> SeatDecision? {
        guard [.pending, .waiting, .accepted].contains(state), state != .accepted || ride.state == .open else {
            return nil
        }
        var after = self
        let next: SeatState = person == rider && state != .accepted ? .withdrawn : .removed
        after.become(next, by: person, because: nil, at: now)
        return SeatDecision(agreement: after, told: .changed(.ended), by: person)
    }

    // MARK: What transitions are made of

    private func rules(for party: SeatParty, in ride: OfferedRide, at now: Date) -> [SeatRule] {
        SeatRule.table.filter {
            $0.state == state && $0.who == party && $0.condition.holds(for: self, in: ride, by: party, at: now)
        }
    }

    private func follow(_ party: SeatParty, in ride: OfferedRide, by person: PersonID?, at now: Date) -> SeatDecision? {
        guard let rule = rules(for: party, in: ride, at: now).first else { return nil }
        var after = self
        after.become(rule.next, by: person, because: nil, at: now)
        return SeatDecision(agreement: after, told: rule.told, by: person, isCompleted: rule.next == .rode)
    }

    private mutating func become(_ next: SeatState, by person: PersonID?, because reason: String?, at now: Date) {
        (state, changedAt, changedBy, self.reason) = (next, now, person, reason)
        if next != .pending { answerBy = nil }
        // What expires says whether it was the driver who did not answer, or the rider who did not say that they keep the seat.
        if next != .disputed, next != .settled { (isConfirmed, confirmBy) = (isConfirmed || next != .expired, nil) }
    }

    private func checkRoom(in ride: OfferedRide) throws(RideError) {
        guard part.detour <= ride.detourLeft else { throw .invalid([ride.tooFar(part)]) }
        let free = ride.free(on: part)
        guard free >= seats else { throw .soldOut(free: free) }
    }

    private static func reason(of draft: SeatActDraft, doing act: SeatAct) throws(RideError) -> String? {
        let reason = try RideRules.reason(
            draft.reason, required: act == .dispute || act == .settle ? "Say why." : nil)
        if act == .settle, draft.rode == nil {
            throw .invalid([FieldError("rode", "required", "Say whether they rode along.")])
        }
        if act != .settle, draft.rode != nil {
            throw .invalid([FieldError("rode", "not_allowed", "Only who settles a dispute says that.")])
        }
        return reason
    }
}

extension SeatParty {
    /// Who is one of the two acts as that, and not as a moderator: nobody settles what is their own.
    init?(_ role: SeatRole?, isModerator: Bool) {
        switch role {
        case .driver: self = .driver
        case .rider: self = .rider
        case nil where isModerator: self = .moderator
        case nil: return nil
        }
    }
}
