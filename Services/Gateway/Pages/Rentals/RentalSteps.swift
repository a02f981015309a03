import FoundationEssentials
import WireProtocol

/// The way of an agreement so far, and what is still ahead, step by step.
struct RentalStep {
    var text: String
    var when: Moment?
    /// Where it is ahead: the day, in the thing's own time.
    var day: String?
    var by: String?
    var done: Bool
    var current: Bool
    var note: String?

    private init(
        _ text: String, when: Moment? = nil, day: String? = nil, by: String? = nil, done: Bool, note: String? = nil
    ) {
        self.text = text
        self.note = note
        self.when = when
        self.day = day
        self.by = by
        self.done = done
        current = false
    }

    static func steps(of rental: Rental, in visit: Visit) -> [RentalStep] {
        let words = visit.words
        func step(_ key: String, at date: Date?, by name: String? = nil, saying note: String? = nil) -> RentalStep {
            RentalStep(
                words["rentals.step.\(key)"], when: date.map { visit.moment($0, .due) }, by: name, done: true,
                note: note)
        }
        func ahead(_ key: String, _ day: String?) -> RentalStep {
            RentalStep(
                words["rentals.step.\(key)"], day: day.map { CivilText.period($0, $0, in: words) }, done: false)
        }
        func said(_ act: RentalAct) -> String? { rental.evidence.first { $0.at == act }?.note }
        /// The state that it is in now. What was noted with photos stands beside them.
        func now(_ reason: String? = nil) -> RentalStep {
            step(rental.state.rawValue, at: rental.changedAt, by: rental.changedBy?.name, saying: reason)
        }
        let accepted = step("accepted", at: rental.acceptedAt, saying: said(.accept))

        var steps = [
            step("requested", at: rental.requestedAt, by: rental.renter.name, saying: rental.message)
        ]
        switch rental.state {
        case .requested:
            steps += [ahead("accept", nil), ahead("handOver", rental.firstDay), ahead("giveBack", rental.lastDay)]
        case .accepted:
            steps += [now(rental.reason), ahead("handOver", rental.firstDay), ahead("giveBack", rental.lastDay)]
        case .handedOver: steps += [accepted, now(), ahead("giveBack", rental.lastDay)]
        case .returned:
            let handedOver = rental.evidence.first { $0.at == .handOver }?.madeAt
            steps += [accepted, step("handedOver", at: handedOver), now()]
        case .disputed, .settled, .noShow:
            let turns = rental.turns.filter { $0.state != rental.state }.map { turn in
                // What was noted with photos stands beside them.
                let isShown = turn.evidence.at == .handOver || turn.evidence.at == .giveBack
                let name = turn.evidence.by == .owner ? rental.owner.name : rental.renter.name
                return (
                    turn.evidence.madeAt,
                    step(
                        turn.state.rawValue, at: turn.evidence.madeAt, by: name,
                        saying: isShown ? nil : turn.evidence.note)
                )
            }
            // What is in hand may come back while the two are at odds about it.
            let known = turns + [(rental.changedAt, now(rental.reason))]
            steps += [accepted] + known.sorted { $0.0 < $1.0 }.map(\.1)
            if rental.state == .disputed { steps.append(ahead("settle", nil)) }
        case .declined, .lapsed, .cancelled:
            if rental.acceptedAt != nil { steps.append(accepted) }
            steps.append(now(rental.reason))
        }
        if let last = steps.lastIndex(where: \.done) { steps[last].current = true }
        return steps
    }
}

extension Rental {
    /// What brought it into earlier states, as far as the two said or showed something with it: each by the first who did.
    fileprivate var turns: [(state: RentalState, evidence: RentalEvidence)] {
        let turns: [(RentalAct, RentalState)] = [
            (.handOver, .handedOver), (.giveBack, .returned), (.cancel, .cancelled), (.reportNoShow, .noShow),
            (.dispute, .disputed),
        ]
        return turns.compactMap { act, state in evidence.first { $0.at == act }.map { (state, $0) } }
    }

    /// The day on which it begins, and the one on which it ends.
    var firstDay: String { String(from.prefix(10)) }
    var lastDay: String { String(until.prefix(10)) }
}
