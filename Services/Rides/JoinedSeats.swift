import FoundationEssentials
import WireProtocol

// Both ways or none: what becomes of two requests that are accepted together or not at all. No I/O and no clock.

/// A request and its ride, both locked.
struct LockedSeat: Hashable, Sendable {
    var seat: SeatAgreement
    var ride: OfferedRide
}

/// A request as it was, and what becomes of it. Where nothing was decided, only its times may change.
struct SeatChange: Sendable {
    let before: SeatAgreement
    let after: SeatAgreement
    let ride: OfferedRide
    let decision: SeatDecision?
    /// Nobody is told of it.
    let isSilent: Bool

    init(_ before: SeatAgreement, in ride: OfferedRide, _ decision: SeatDecision?, isSilent: Bool = false) {
        (self.before, self.ride, self.decision, self.isSilent) = (before, ride, decision, isSilent)
        after = decision?.agreement ?? before
    }

    /// A new one.
    init(asked seat: SeatAgreement, in ride: OfferedRide) {
        self.init(seat, in: ride, SeatDecision(agreement: seat, told: .requested, by: seat.rider))
    }

    /// Nothing was decided: it has another time to answer, no more.
    fileprivate init(_ seat: SeatAgreement, in ride: OfferedRide, answeredBy moment: Date) {
        var after = seat
        after.answerBy = moment
        (before, self.after, self.ride, decision, isSilent) = (seat, after, ride, nil, false)
    }

    /// Who waits may get a seat: one came free, or whoever was promised a look does not get one.
    var makesRoom: Bool {
        before.state == .accepted && after.state != .accepted || before.state == .pending && after.state.isOver
    }

    /// They have a seat now, and need not say that they keep it.
    var isSettled: Bool {
        after.state == .accepted && after.isConfirmed && !(before.state == .accepted && before.isConfirmed)
    }

    /// It was pending, and is not any more: so cannot be the one on the other way.
    var isAnswered: Bool { before.state == .pending && after.state != .pending }

    /// Whether somebody begins or ceases to have to do with the ride.
    func changesPartners(at now: Date) -> Bool { after.keepsRoom(at: now) != before.keepsRoom(at: now) }

    /// Both of two that are pending have one time to answer, the earlier.
    func answeredWith(_ other: LockedSeat?, at now: Date) -> [SeatChange] {
        guard let other, var decision, let own = after.answerBy else { return [self] }
        let moment = min(own, other.seat.answerDue(in: other.ride, at: now))
        decision.agreement.answerBy = moment
        return [
            SeatChange(before, in: ride, decision, isSilent: isSilent),
            SeatChange(other.seat, in: other.ride, answeredBy: moment),
        ]
    }
}

/// A request, and the one that was made with it, while both are pending.
struct JoinedSeats: Hashable, Sendable {
    let own: LockedSeat
    let other: LockedSeat?

    var all: [LockedSeat] { [own] + (other.map { [$0] } ?? []) }

    /// Does to both what somebody wants of the one: what cannot be done to the other is done to neither.
    func act(
        _ act: SeatAct, _ draft: SeatActDraft, by person: PersonID, as party: SeatParty, at now: Date
    ) throws(RideError) -> [SeatChange] {
        let decision = try own.seat.act(act, draft, by: person, as: party, in: own.ride, at: now)
        let change = SeatChange(own.seat, in: own.ride, decision)
        guard let other else { return [change] }
        do {
            let same = try other.seat.act(
                act, SeatActDraft(reason: draft.reason), by: person, as: party, in: other.ride, at: now)
            return [change, SeatChange(other.seat, in: other.ride, same)]
        } catch .wrongState(let possible) {
            throw .wrongState(self.possible(for: party, at: now).filter(possible.contains))
        } catch {
            throw error.ofOtherWay
        }
    }

    /// What somebody may do, as far as the one tells: what the other one does not allow is refused when it comes to that.
    func possible(for party: SeatParty, at now: Date) -> [SeatAct] {
        own.seat.possible(for: party, in: own.ride, at: now)
    }
}
