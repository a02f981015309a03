import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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

    private init(_ text: String, when: Moment? = nil, day: String? = nil, by: String? = nil, done: Bool) {
        self.text = text
        self.when = when
        self.day = day
        self.by = by
        self.done = done
        current = false
    }

    static func steps(of rental: Rental, in visit: Visit) -> [RentalStep] {
        let words = visit.words
        func step(_ key: String, at date: Date?, by name: String? = nil) -> RentalStep {
            RentalStep(
                words["rentals.step.\(key)"], when: date.map { visit.moment($0, .due) }, by: name, done: true)
        }
        func ahead(_ key: String, _ day: String?) -> RentalStep {
            RentalStep(
                words["rentals.step.\(key)"], day: day.map { CivilText.period($0, $0, in: words) }, done: false)
        }
        /// When the state that it is in now began, where that is the one.
        func since(_ state: RentalState) -> Date? { rental.state == state ? rental.changedAt : nil }
        func shown(_ act: RentalAct) -> Date? { rental.evidence.filter { $0.at == act }.map(\.madeAt).min() }
        func by(_ state: RentalState) -> String? { rental.state == state ? rental.changedBy?.name : nil }

        var steps = [step("requested", at: rental.requestedAt, by: rental.renter.name)]
        let (handedOver, returned) = (shown(.handOver), shown(.giveBack))
        switch rental.state {
        case .requested:
            steps += [ahead("accept", nil), ahead("handOver", rental.firstDay), ahead("giveBack", rental.lastDay)]
        case .accepted:
            steps += [
                step("accepted", at: rental.changedAt, by: rental.changedBy?.name), ahead("handOver", rental.firstDay),
                ahead("giveBack", rental.lastDay),
            ]
        case .handedOver:
            steps += [
                step("accepted", at: rental.acceptedAt),
                step("handedOver", at: since(.handedOver), by: by(.handedOver)), ahead("giveBack", rental.lastDay),
            ]
        case .returned:
            steps += [
                step("accepted", at: rental.acceptedAt), step("handedOver", at: handedOver),
                step("returned", at: since(.returned), by: by(.returned)),
            ]
        case .disputed, .settled, .noShow:
            steps.append(step("accepted", at: rental.acceptedAt))
            if let handedOver { steps.append(step("handedOver", at: handedOver)) }
            if let returned { steps.append(step("returned", at: returned)) }
            steps.append(step(rental.state.rawValue, at: rental.changedAt, by: rental.changedBy?.name))
            if rental.state == .disputed { steps.append(ahead("settle", nil)) }
        case .declined, .lapsed, .cancelled:
            if let acceptedAt = rental.acceptedAt { steps.append(step("accepted", at: acceptedAt)) }
            steps.append(step(rental.state.rawValue, at: rental.changedAt, by: rental.changedBy?.name))
        }
        steps[0].note = rental.message
        if let last = steps.lastIndex(where: \.done) {
            steps[last].current = true
            // What was noted with photos stands beside them.
            let isShown = rental.state == .handedOver || rental.state == .returned
            if last > 0, !isShown { steps[last].note = rental.reason }
        }
        return steps
    }
}

extension Rental {
    /// The day on which it begins, and the one on which it ends.
    var firstDay: String { String(from.prefix(10)) }
    var lastDay: String { String(until.prefix(10)) }
}
