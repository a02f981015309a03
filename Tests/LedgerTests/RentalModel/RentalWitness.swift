import Foundation
import Synchronization
import WireProtocol

/// Whoever watches all commands about one thing: when each is given and what it is told. Whether there is an order in which all of it makes sense
/// (each command done at one moment between being given and being answered) is known at each answer.
///
/// Kept are all models that are possible, each with what it says of commands that are under way and done already in it. A command without an answer
/// stays under way for ever: it may have been done, or be done yet.
final class RentalWitness: Sendable {
    /// One way in which things may be.
    fileprivate struct Way: Hashable {
        var model = RentalModel()
        /// Commands that are done and not answered yet, with the answer that is due.
        var due: [Int: RentalModel.Outcome] = [:]
    }

    fileprivate struct State {
        var facts: RentalModel.Facts
        var ways: Set<Way> = [Way()]
        var underWay: [Int: (command: RentalModel.Command, since: Date)] = [:]
        var history: [String] = []
        var next = 0
        var broken: String?
    }

    private let state: Mutex<State>

    init(_ facts: RentalModel.Facts) { state = Mutex(State(facts: facts)) }

    /// A command is given from now on.
    /// - Parameter terms: of an agreement that is asked for.
    /// - Returns: its number.
    func begin(_ command: RentalModel.Command, _ terms: RentalModel.Terms? = nil, at now: Date = Date()) -> Int {
        state.withLock { state in
            state.next += 1
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
            state.underWay[number] = nil
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

    /// What is wrong about an agreement's being found like this when nobody does anything any more.
    func compare(_ number: Int, _ found: RentalState, holds: Bool, at now: Date = Date()) -> String? {
        state.withLock { state in
            if state.broken != nil { return nil }
            let possible = state.settled(at: now).flatMap { $0.lapsing(number, by: now, state.facts) }
                .compactMap { $0.agreements[number] }
            if possible.contains(where: { $0.state == found && $0.holds == holds }) { return nil }
            return "agreement \(number) is \(found.rawValue)\(holds ? ", held," : "") and ought to be one of "
                + Set(possible.map(\.state.rawValue)).sorted().joined(separator: ", ")
        }
    }

    /// How many agreements there are, at least and at most.
    func agreements() -> ClosedRange<Int> {
        state.withLock { state in
            let counts = state.settled(at: Date()).map(\.agreements.count)
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
        var found: Set<RentalWitness.Way> = []
        var seen = ways
        var open = Array(ways)
        while var way = open.popLast() {
            if let told = way.due[number] {
                if told == outcome {
                    way.due[number] = nil
                    found.insert(way)
                }
                continue
            }
            for next in successors(of: way, at: now) where seen.insert(next).inserted { open.append(next) }
        }
        return found
    }

    private func successors(of way: RentalWitness.Way, at now: Date) -> [RentalWitness.Way] {
        underWay.flatMap { number, one -> [RentalWitness.Way] in
            guard way.due[number] == nil else { return [] }
            return way.model.outcomes(of: one.command, numbered: number, within: one.since...max(one.since, now), facts)
                .map { model, told in
                    var after = way
                    after.model = model
                    after.due[number] = told
                    return after
                }
        }
    }

    /// Every model that is possible, with the commands that were never answered done or not.
    fileprivate func settled(at now: Date) -> Set<RentalModel> {
        var seen = ways
        var open = Array(ways)
        while let way = open.popLast() {
            for next in successors(of: way, at: now) where seen.insert(next).inserted { open.append(next) }
        }
        return Set(seen.map(\.model))
    }
}
