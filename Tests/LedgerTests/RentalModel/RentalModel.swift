import Foundation
import WireProtocol

/// One thing that is let by the day or by the hour, with all that was agreed about it: what each command does to it, and answers. Pure.
///
/// What concurrent commands bring is not known until they are answered; `RentalWitness` keeps every model that is possible.
struct RentalModel: Hashable, Sendable {
    enum Party: String, Hashable, Sendable { case owner, renter, moderator }

    /// What does not change of an agreement.
    struct Terms: Hashable, Sendable {
        var renter: Int
        /// Days, or hours, from some midnight on: what ends with one of them leaves the next one to others.
        var span: Range<Int>
        var unit = RentalUnit.day
        var startsAt: Date
        var endsAt: Date
        /// The earliest there may be, until its answer has said it.
        var answerBy: Date
    }

    struct Kept: Hashable, Sendable {
        var state: RentalState
        var holds: Bool
        /// It was agreed, and had begun when it was cancelled. (What is agreed lapses in no run.)
        var endedOnceBegun = false
        /// What was shown of the thing's state, as `giveBack owner`.
        var shown: Set<String> = []
        /// How often each has said something of the dispute.
        var said: [Party: Int] = [:]

        /// Whether its renter waits for it, or has it.
        var lasts: Bool { [.requested, .accepted, .handedOver].contains(state) || state == .disputed && holds }
    }

    /// A command of somebody, who is known by a number. Agreements and blocks are known by the number of the command that made them.
    struct Command: Hashable, Sendable {
        enum Wish: Hashable, Sendable {
            case ask(Range<Int>)
            case act(RentalAct, on: Int)
            case look(at: Int)
            case block(Range<Int>)
            case unblock(Int)
            /// Whether it is free then.
            case quote(Range<Int>)
        }
        var person: Int
        var wish: Wish
    }

    enum Outcome: Hashable, Sendable, CustomStringConvertible {
        case state(RentalState)
        case done
        case free(Bool)
        case refused(ErrorCode)

        var description: String {
            switch self {
            case .state(let state): state.rawValue
            case .done: "done"
            case .free(let isFree): isFree ? "free" : "taken"
            case .refused(let code): code.rawValue
            }
        }
    }

    /// What is the same in all models of a thing.
    struct Facts: Sendable {
        var owner: Int
        var moderator: Int
        var isInstant: Bool
        var table: RentalTable
        /// By the number of the command that asked.
        var terms: [Int: Terms] = [:]
    }

    var agreements: [Int: Kept] = [:]
    var blocks: [Int: Range<Int>] = [:]

    /// Whether nobody else has any of it.
    func isFree(_ span: Range<Int>, _ facts: Facts) -> Bool {
        !blocks.values.contains { $0.overlaps(span) }
            && !agreements.contains { number, kept in
                kept.holds && facts.terms[number].map { $0.span.overlaps(span) } ?? false
            }
    }

    /// Every way in which a command may be carried out now. Nearly always there is one; clocks that strike meanwhile make two.
    func outcomes(
        of command: Command, numbered number: Int, within moments: ClosedRange<Date>, _ facts: Facts
    ) -> [(RentalModel, Outcome)] {
        switch command.wish {
        case .ask(let span):
            if command.person == facts.owner { return [(self, .refused(.forbidden))] }
            return asking(for: span, by: command.person, numbered: number, within: moments, facts)
        case .quote(let span): return [(self, .free(isFree(span, facts)))]
        case .block(let span):
            if command.person != facts.owner { return [(self, .refused(.forbidden))] }
            if !isFree(span, facts) { return [(self, .refused(.overlaps))] }
            var after = self
            after.blocks[number] = span
            return [(after, .done)]
        case .unblock(let block):
            guard command.person == facts.owner, blocks[block] != nil else {
                return [(self, .refused(.notFound))]
            }
            var after = self
            after.blocks[block] = nil
            return [(after, .done)]
        case .look(let agreement):
            return lapsing(agreement, by: moments.upperBound, facts).map { model in
                guard let state = model.agreements[agreement]?.state,
                    model.party(of: command.person, in: agreement, facts) != nil
                else { return (model, .refused(.notFound)) }
                return (model, .state(state))
            }
        case .act(let act, let agreement):
            return lapsing(agreement, by: moments.upperBound, facts).flatMap {
                $0.acting(act, on: agreement, by: command.person, within: moments, facts)
            }
        }
    }

    /// Who has asked for some of it already, or has it, is told that; what they asked for and is overdue may have lapsed by then.
    private func asking(
        for span: Range<Int>, by person: Int, numbered number: Int, within moments: ClosedRange<Date>, _ facts: Facts
    ) -> [(RentalModel, Outcome)] {
        let own = agreements.keys.sorted().filter { made in
            facts.terms[made].map { $0.renter == person && $0.span.overlaps(span) } ?? false
        }
        let models = own.reduce([self]) { models, made in
            models.flatMap { $0.lapsing(made, by: moments.upperBound, facts) }
        }
        return models.flatMap { model -> [(RentalModel, Outcome)] in
            if own.contains(where: { model.agreements[$0]?.lasts ?? false }) {
                return [(model, .refused(.alreadyAsked))]
            }
            if !model.isFree(span, facts) { return [(model, .refused(.overlaps))] }
            var after = model
            let state = facts.isInstant ? RentalState.accepted : .requested
            after.agreements[number] = Kept(state: state, holds: facts.isInstant)
            return after.turningAway(for: number, of: span, within: moments, facts).map { ($0, .state(state)) }
        }
    }

    /// As it is, and as it may have become by nobody's having answered.
    func lapsing(_ agreement: Int, by moment: Date, _ facts: Facts) -> [RentalModel] {
        guard let kept = agreements[agreement], kept.state == .requested, let terms = facts.terms[agreement],
            moment >= terms.answerBy
        else { return [self] }
        var lapsed = self
        lapsed.agreements[agreement]?.state = .lapsed
        return [self, lapsed]
    }

    /// Nil for who has nothing to do with it.
    private func party(of person: Int, in agreement: Int, _ facts: Facts) -> Party? {
        if person == facts.owner { return .owner }
        if person == facts.terms[agreement]?.renter { return .renter }
        let isDisputed = [.disputed, .settled].contains(agreements[agreement]?.state)
        return person == facts.moderator && isDisputed ? .moderator : nil
    }

    private func acting(
        _ act: RentalAct, on agreement: Int, by person: Int, within moments: ClosedRange<Date>, _ facts: Facts
    ) -> [(RentalModel, Outcome)] {
        guard let kept = agreements[agreement], let terms = facts.terms[agreement],
            let party = party(of: person, in: agreement, facts)
        else { return [(self, .refused(.notFound))] }
        let wrong = (self, Outcome.refused(.wrongState))
        guard let rule = facts.table.rules.first(where: { $0.state == kept.state && $0.who == party && $0.act == act })
        else { return [wrong] }
        let mark = "\(act.rawValue) \(party.rawValue)"
        let holds = rule.condition.holds(
            for: terms, kept, shown: kept.shown.contains(mark), said: kept.said[party, default: 0], within: moments)
        return holds.flatMap { $0 ? carriedOut(rule, mark, on: agreement, terms, within: moments, facts) : [wrong] }
    }

    private func carriedOut(
        _ rule: RentalTable.Rule, _ mark: String, on agreement: Int, _ terms: Terms,
        within moments: ClosedRange<Date>, _ facts: Facts
    ) -> [(RentalModel, Outcome)] {
        guard var kept = agreements[agreement] else { return [(self, .refused(.notFound))] }
        if rule.next == .accepted, !kept.holds, !isFree(terms.span, facts) { return [(self, .refused(.overlaps))] }
        if rule.act == .handOver || rule.act == .giveBack { kept.shown.insert(mark) }
        if rule.act == .explain { kept.said[rule.who, default: 0] += 1 }
        // What is back is free, disputed or not.
        if rule.act == .giveBack { kept.holds = false }
        if rule.next != kept.state {
            switch rule.next {
            case .accepted, .handedOver: kept.holds = true
            case .disputed: break
            default: kept.holds = false
            }
        }
        let isCalledOff = kept.state == .accepted && rule.next == .cancelled
        kept.state = rule.next
        // Who calls it off while it begins may have done so before or after.
        let endings = isCalledOff ? moments.mayLie(from: terms.startsAt, until: .distantFuture) : [false]
        return endings.flatMap { endedOnceBegun -> [(RentalModel, Outcome)] in
            var after = self
            kept.endedOnceBegun = endedOnceBegun
            after.agreements[agreement] = kept
            return after.turningAway(for: agreement, of: terms.span, within: moments, facts)
                .map { ($0, .state(rule.next)) }
        }
    }

    /// Where this one was accepted now, whoever waits for some of its time is told that somebody else has it; what is overdue lapses.
    private func turningAway(
        for agreement: Int, of span: Range<Int>, within moments: ClosedRange<Date>, _ facts: Facts
    ) -> [RentalModel] {
        guard agreements[agreement]?.state == .accepted else { return [self] }
        return agreements.keys.sorted().reduce([self]) { models, number in
            guard agreements[number]?.state == .requested, let terms = facts.terms[number],
                terms.span.overlaps(span)
            else { return models }
            let isDue = Set([moments.lowerBound, moments.upperBound].map { $0 >= terms.answerBy })
            return models.flatMap { model in
                isDue.map { isDue -> RentalModel in
                    var after = model
                    if !isDue { after.agreements[number]?.state = .declined }
                    return after
                }
            }
        }
    }
}
