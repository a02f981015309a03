import Foundation
import Synchronization
import WireProtocol

/// Whoever watches all commands about one thing: when each is given and what it is told. Whether there is an order in which all of it makes sense
/// (each command done at one moment between being given and being answered) is known at each answer.
///
/// Kept are all models that are possible, each with what it says of commands that are under way and done already in it. A command without an answer
/// stays under way for ever: it may have been done, or be done yet.
///
/// Most commands change nothing: somebody is refused, or looks. Such a one is not given a place of its own among the others, which would multiply the
/// orders; each way remembers what it could have been told so far. Only commands that change something are put in an order.
final class RentalWitness: Sendable {
    /// One way in which things may be.
    fileprivate struct Way: Hashable {
        var model = RentalModel()
        /// Commands that are done and not answered yet, with the answer that is due.
        var due: [Int: RentalModel.Outcome] = [:]
        /// What commands that are under way would have been told, and changed nothing, before something else changed.
        var told: [Int: Set<RentalModel.Outcome>] = [:]

        mutating func forget(_ number: Int) { (due[number], told[number]) = (nil, nil) }

        /// Whether whatever the other one can still become, this one can as well.
        func covers(_ other: Way) -> Bool {
            other.told.allSatisfy { told[$0.key]?.isSuperset(of: $0.value) ?? false }
        }
    }

    fileprivate struct State {
        var facts: RentalModel.Facts
        var ways: Set<Way> = [Way()]
        var underWay: [Int: (command: RentalModel.Command, since: Date)] = [:]
        var history: [String] = []
        var next = 0
        var broken: String?
        /// What may be in the end, while nothing has been done since it was asked for.
        var settled: Set<RentalModel>?
    }

    private let state: Mutex<State>

    init(_ facts: RentalModel.Facts) { state = Mutex(State(facts: facts)) }

    /// A command is given from now on.
    /// - Parameter terms: of an agreement that is asked for.
    /// - Returns: its number.
    func begin(_ command: RentalModel.Command, _ terms: RentalModel.Terms? = nil, at now: Date = Date()) -> Int {
        state.withLock { state in
            state.next += 1
            state.settled = nil
            state.underWay[state.next] = (command, now)
            state.facts.terms[state.next] = terms
            state.note("\(state.next) → \(command)", now)
            return state.next
        }
    }

    /// It was answered.
    /// - Parameter answerBy: as an agreement says it that was made.
    /// - Returns: what is wrong about that, once.
    func end(
        _ number: Int, _ outcome: RentalModel.Outcome, answerBy: Date? = nil, at now: Date = Date()
    ) -> String? {
        state.withLock { state in
            state.note("\(number) ← \(outcome)", now)
            guard state.broken == nil else { return nil }
            let possible = state.ways(with: number, telling: outcome, at: now)
            (state.underWay[number], state.settled) = (nil, nil)
            if let answerBy { state.facts.terms[number]?.answerBy = answerBy }
            if possible.isEmpty {
                let told = "command \(number) was told \"\(outcome)\", which no order of the commands explains"
                state.broken = ([told] + state.history.suffix(60)).joined(separator: "\n    ")
                return state.broken
            }
            state.ways = possible
            return nil
        }
    }

    /// It was turned away at the door, and reached nobody.
    func withdraw(_ number: Int, because reason: String, at now: Date = Date()) {
        state.withLock { state in
            state.note("\(number) ← \(reason), not done", now)
            (state.underWay[number], state.settled) = (nil, nil)
            let without = state.ways.filter { $0.due[number] == nil }.map { way in
                var way = way
                way.forget(number)
                return way
            }
            state.ways = Set(without)
        }
    }

    /// What is wrong about an agreement's being found like this when nobody does anything any more.
    func compare(_ number: Int, _ found: RentalState, holds: Bool, at now: Date = Date()) -> String? {
        state.withLock { state in
            if state.broken != nil { return nil }
            let possible = state.settle(at: now).flatMap { $0.lapsing(number, by: now, state.facts) }
                .compactMap { $0.agreements[number] }
            if possible.contains(where: { $0.state == found && $0.holds == holds }) { return nil }
            return "agreement \(number) is \(found.rawValue)\(holds ? ", held," : "") and ought to be one of "
                + Set(possible.map(\.state.rawValue)).sorted().joined(separator: ", ")
        }
    }

    /// How many agreements there are, at least and at most.
    func agreements() -> ClosedRange<Int> {
        state.withLock { state in
            let counts = state.settle(at: Date()).map(\.agreements.count)
            return (counts.min() ?? 0)...(counts.max() ?? 0)
        }
    }
}

extension RentalWitness.State {
    fileprivate mutating func note(_ line: String, _ now: Date) {
        history.append("\(Int((now.timeIntervalSince1970 * 1000).rounded()) % 10_000_000) ms: \(line)")
        if history.count > 400 { history.removeFirst(200) }
    }

    /// Those ways in which this command is done with this answer. Others are done before it only where that is needed: later is as good.
    fileprivate func ways(
        with number: Int, telling outcome: RentalModel.Outcome, at now: Date
    ) -> Set<RentalWitness.Way> {
        guard let mine = underWay[number] else { return ways }
        var found: Set<RentalWitness.Way> = []
        var seen = ways
        var open = Array(ways)
        while var way = open.popLast() {
            if let told = way.due[number] {
                if told == outcome {
                    way.forget(number)
                    found.insert(way)
                }
                continue
            }
            let here = outcomes(of: number, mine, in: way, at: now).filter { $0.1 == outcome && $0.0 == way.model }
            if !here.isEmpty || way.told[number]?.contains(outcome) == true {
                var after = way
                after.forget(number)
                found.insert(after)
                // Who is refused, or only looks, changes nothing whenever it is.
                if mine.command.isIdle(when: outcome) { continue }
            }
            for next in successors(of: way, at: now) where seen.insert(next).inserted { open.append(next) }
        }
        return Self.leading(found)
    }

    /// Without those that another one covers.
    private static func leading(_ ways: Set<RentalWitness.Way>) -> Set<RentalWitness.Way> {
        guard ways.count > 1 else { return ways }
        var kept: [RentalWitness.Way] = []
        for way in ways {
            let alike = { (other: RentalWitness.Way) in other.due == way.due && other.model == way.model }
            if kept.contains(where: { alike($0) && $0.covers(way) }) { continue }
            kept.removeAll { alike($0) && way.covers($0) }
            kept.append(way)
        }
        return Set(kept)
    }

    private typealias UnderWay = (command: RentalModel.Command, since: Date)

    private func outcomes(
        of number: Int, _ one: UnderWay, in way: RentalWitness.Way, at now: Date
    ) -> [(RentalModel, RentalModel.Outcome)] {
        way.model.outcomes(of: one.command, numbered: number, within: one.since...max(one.since, now), facts)
    }

    /// After each command that may change something now.
    private func successors(of way: RentalWitness.Way, at now: Date) -> [RentalWitness.Way] {
        var idle = way
        var changes: [(number: Int, model: RentalModel, told: RentalModel.Outcome)] = []
        for (number, one) in underWay where way.due[number] == nil {
            for (model, told) in outcomes(of: number, one, in: way, at: now) {
                if model == way.model {
                    idle.told[number, default: []].insert(told)
                } else {
                    changes.append((number, model, told))
                }
            }
        }
        return changes.map { change in
            var after = idle
            after.model = change.model
            after.told[change.number] = nil
            after.due[change.number] = change.told
            return after
        }
    }

    /// Every model that is possible, with the commands that were never answered done or not.
    fileprivate mutating func settle(at now: Date) -> Set<RentalModel> {
        if let settled { return settled }
        // What anybody could have been told is of no interest any more.
        let last = ways.map { RentalWitness.Way(model: $0.model, due: $0.due) }
        var seen = Set(last)
        var open = last
        while let way = open.popLast() {
            for var next in successors(of: way, at: now) {
                next.told = [:]
                if seen.insert(next).inserted { open.append(next) }
            }
        }
        let settled = Set(seen.map(\.model))
        self.settled = settled
        return settled
    }
}

extension RentalModel {
    /// Hashing all that was ever agreed takes longer than comparing it now and then.
    func hash(into hasher: inout Hasher) {
        var sum = blocks.count
        for (number, kept) in agreements {
            sum &+= number &* (1 + (kept.holds ? 2 : 0) + (kept.endedOnceBegun ? 4 : 0) + 8 * kept.shown.count)
        }
        hasher.combine(sum)
    }
}

extension RentalModel.Command {
    /// Whether nothing is changed by it where it is told this.
    fileprivate func isIdle(when outcome: RentalModel.Outcome) -> Bool {
        switch (wish, outcome) {
        case (.look, _), (.quote, _), (_, .refused): true
        default: false
        }
    }
}
