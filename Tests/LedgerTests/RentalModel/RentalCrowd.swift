import Foundation
import KampongClient
import Synchronization
import TestKit
import WireProtocol

/// People who share things by the day and by the hour and rent them from each other, all at once and at random, each command before a witness.
final class RentalCrowd: Sendable {
    struct Report: Sendable {
        var commands = 0
        var told: [RentalUnit: [String: Int]] = [:]
        var problems: [String] = []
    }

    /// A thing, and what is known of it to those who use it.
    final class Stall: Sendable {
        struct Known: Sendable {
            var made: Int
            var id: RentalID
            var renter: Int
            var span: Range<Int>
            var state: RentalState
        }
        let id: ThingID
        let kind: ThingKind
        let zone: Zone
        let owner: Int
        let witness: RentalWitness
        let agreements = Mutex<[Known]>([])
        let blocks = Mutex<[(made: Int, id: DateBlockID)]>([])
        let commands = Atomic<Int>(0)

        init(_ id: ThingID, _ kind: ThingKind, in zone: Zone, owner: Int, witness: RentalWitness) {
            (self.id, self.kind, self.zone, self.owner, self.witness) = (id, kind, zone, owner, witness)
        }
    }

    /// Things change hands after so many commands, so that what has to be remembered of one stays small.
    private static let patience = 250
    /// How many of the next days, or hours, people ask for.
    private static let window = 12
    /// Two turns in five are to ask for something, which can always be done: so many never pass one after the other.
    private static let mostPasses = 1000

    private struct NobodyDoesAnything: Error {}

    let people: [KampongClient]
    /// The last of them keeps order, and shares nothing.
    var moderator: Int { people.count - 1 }
    private let table: RentalTable
    private let days = Zone.afternoon(at: Date())
    private let hours = Zone.quarters(at: Date())
    private let answer: TimeInterval
    private let open: Mutex<[Stall]>
    private let closed = Mutex<[Stall]>([])
    private let report = Mutex(Report())

    /// - Parameters:
    ///   - kinds: of the things that there are at a time: the fewer, the more of what people do meets.
    ///   - answer: how long owners have for their answers.
    init(_ people: [KampongClient], sharing kinds: [ThingKind], answer: TimeInterval, seed: UInt64) async throws {
        self.people = people
        self.answer = answer
        table = try RentalTable.printed()
        open = Mutex([])
        var dice = SeededGenerator(seed: seed)
        for kind in kinds {
            let stall = try await share(kind, using: &dice)
            open.withLock { $0.append(stall) }
        }
    }

    var stalls: [Stall] { closed.withLock { $0 } + open.withLock { $0 } }

    private func share(_ kind: ThingKind, using dice: inout SeededGenerator) async throws -> Stall {
        let owner = Int.random(in: 0..<moderator, using: &dice)
        let isInstant = Bool.random(using: &dice)
        let zone = kind.unit == .day ? days : hours
        let thing = try await people[owner].postThing(
            ThingDraft(
                title: "Room at the back", size: kind == .space ? 4 : nil, region: "North", place: "Lorong 1",
                address: "2 Lorong 1", isInstant: isInstant, zone: zone.name),
            as: kind)
        return Stall(
            thing.id, kind, in: zone, owner: owner,
            witness: RentalWitness(.init(owner: owner, moderator: moderator, isInstant: isInstant, table: table)))
    }

    /// So many commands are given, by each of the workers as many; ends early where something is wrong.
    func run(commands: Int, workers: Int, seed: UInt64) async throws -> Report {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<workers {
                group.addTask { [self] in
                    var dice = SeededGenerator(seed: seed &* 1000 &+ UInt64(worker))
                    for _ in stride(from: worker, to: commands, by: workers) where !isWrong {
                        try await give(using: &dice)
                    }
                }
            }
            try await group.waitForAll()
        }
        return report.withLock { $0 }
    }

    /// Somebody gives a command: whoever has nothing to act on passes, and it is somebody else's turn.
    private func give(using dice: inout SeededGenerator) async throws {
        for _ in 0..<Self.mostPasses {
            if try await attempt(using: &dice) { return }
        }
        throw NobodyDoesAnything()
    }

    private var isWrong: Bool { report.withLock { $0.problems.count >= 5 } }

    /// - Returns: whether a command was given.
    private func attempt(using dice: inout SeededGenerator) async throws -> Bool {
        guard
            let (place, stall) = open.withLock({ stalls in
                stalls.indices.randomElement(using: &dice).map { ($0, stalls[$0]) }
            })
        else { return false }
        guard await turn(at: stall, using: &dice) else { return false }
        if stall.commands.add(1, ordering: .relaxed).newValue == Self.patience {
            let fresh = try await share(stall.kind, using: &dice)
            open.withLock { $0[place] = fresh }
            closed.withLock { $0.append(stall) }
        }
        return true
    }

    /// - Returns: whether there was something to be done.
    private func turn(at stall: Stall, using dice: inout SeededGenerator) async -> Bool {
        let person = Int.random(in: people.indices, using: &dice)
        switch Int.random(in: 0..<100, using: &dice) {
        case 0..<40: await ask(stall, as: person, span(of: stall, using: &dice))
        case 40..<85: return await act(on: stall, as: person, using: &dice)
        case 85..<90:
            let blocker = Bool.random(using: &dice) ? stall.owner : person
            await block(stall, as: blocker, span(of: stall, using: &dice))
        case 90..<94:
            return await unblock(stall, as: Bool.random(using: &dice) ? stall.owner : person, using: &dice)
        case 94..<97: await quote(stall, as: person, span(of: stall, using: &dice))
        default: return await look(at: stall, as: person, using: &dice)
        }
        return true
    }

    /// Anything of the window; one time in three what somebody asked for decides: it only just overlaps that, or only just does not, at either end.
    private func span(of stall: Stall, using dice: inout SeededGenerator) -> Range<Int> {
        let first = stall.zone.first(at: Date())
        let window = first..<first + Self.window
        let length = Int.random(in: 1...3, using: &dice)
        var begin = Int.random(in: window, using: &dice)
        if let other = stall.agreements.withLock({ $0.suffix(30).randomElement(using: &dice)?.span }),
            Int.random(in: 0..<3, using: &dice) == 0
        {
            let touching = [other.upperBound, other.lowerBound - length]
            let overlapping = [other.upperBound - 1, other.lowerBound - length + 1]
            let beside = (touching + overlapping)[Int.random(in: 0..<4, using: &dice)]
            if window.contains(beside) { begin = beside }
        }
        return begin..<begin + length
    }

    // MARK: What people do

    private func ask(_ stall: Stall, as person: Int, _ span: Range<Int>) async {
        let zone = stall.zone
        let end = zone.start(of: span.upperBound)
        let terms = RentalModel.Terms(
            renter: person, span: span, unit: zone.unit, startsAt: zone.start(of: span.lowerBound), endsAt: end,
            answerBy: min(Date() + answer, end))
        await note(stall, .init(person: person, wish: .ask(span)), terms) { [people] number in
            let period = zone.period(span)
            let made = try await people[person].rent(
                stall.id, stall.kind, RentalDraft(from: period.from, until: period.until))
            stall.agreements.withLock {
                $0.append(.init(made: number, id: made.id, renter: person, span: span, state: made.state))
            }
            return (.state(made.state), made.answerBy)
        }
    }

    /// Mostly what the table allows as things stood last, by those who may; sometimes anything by anybody.
    private func act(on stall: Stall, as person: Int, using dice: inout SeededGenerator) async -> Bool {
        guard let known = stall.agreements.withLock({ $0.suffix(30).randomElement(using: &dice) }) else { return false }
        let sensible = table.rules.filter { $0.state == known.state }
        let (who, act): (Int, RentalAct)
        if let rule = sensible.randomElement(using: &dice), Int.random(in: 0..<4, using: &dice) > 0 {
            act = rule.act
            who = rule.who == .owner ? stall.owner : rule.who == .renter ? known.renter : moderator
        } else {
            act = RentalAct.allCases[Int.random(in: 0..<RentalAct.allCases.count, using: &dice)]
            who = person
        }
        let share = act == .settle ? 50 : nil
        await note(stall, .init(person: who, wish: .act(act, on: known.made))) { [people] _ in
            let after = try await people[who].act(act, on: known.id, RentalActDraft(reason: "So it was.", share: share))
            stall.agreements.withLock { all in
                if let index = all.firstIndex(where: { $0.made == known.made }) { all[index].state = after.state }
            }
            return (.state(after.state), nil)
        }
        return true
    }

    private func block(_ stall: Stall, as person: Int, _ span: Range<Int>) async {
        await note(stall, .init(person: person, wish: .block(span))) { [people] number in
            let made = try await people[person].blockDates(of: stall.id, stall.kind, stall.zone.period(span))
            stall.blocks.withLock { $0.append((number, made.id)) }
            return (.done, nil)
        }
    }

    private func unblock(_ stall: Stall, as person: Int, using dice: inout SeededGenerator) async -> Bool {
        guard let known = stall.blocks.withLock({ $0.randomElement(using: &dice) }) else { return false }
        await note(stall, .init(person: person, wish: .unblock(known.made))) { [people] _ in
            try await people[person].unblockDates(known.id)
            return (.done, nil)
        }
        return true
    }

    private func quote(_ stall: Stall, as person: Int, _ span: Range<Int>) async {
        await note(stall, .init(person: person, wish: .quote(span))) { [people] _ in
            let period = stall.zone.period(span)
            let quote = try await people[person].quote(
                for: stall.id, stall.kind, from: period.from, until: period.until)
            return (.free(quote.isFree), nil)
        }
    }

    private func look(at stall: Stall, as person: Int, using dice: inout SeededGenerator) async -> Bool {
        guard let known = stall.agreements.withLock({ $0.suffix(30).randomElement(using: &dice) }) else { return false }
        await note(stall, .init(person: person, wish: .look(at: known.made))) { [people] _ in
            (.state(try await people[person].rental(known.id).state), nil)
        }
        return true
    }

    /// Gives a command before the witness. Whoever hears nothing knows nothing: that command stays under way.
    private func note(
        _ stall: Stall, _ command: RentalModel.Command, _ terms: RentalModel.Terms? = nil,
        _ send: (Int) async throws -> (RentalModel.Outcome, answerBy: Date?)
    ) async {
        let number = stall.witness.begin(command, terms)
        let (told, problem): (String, String?)
        do {
            let (outcome, answerBy) = try await send(number)
            (told, problem) = (outcome.description, stall.witness.end(number, outcome, answerBy: answerBy))
        } catch let refusal as Problem where refusal.status == 429 {
            stall.witness.withdraw(number, because: refusal.code.rawValue)
            (told, problem) = (refusal.code.rawValue, nil)
        } catch let refusal as Problem where refusal.status < 500 && refusal.status != 401 {
            (told, problem) = (refusal.code.rawValue, stall.witness.end(number, .refused(refusal.code)))
        } catch let silence as Problem {
            // 401 is told who waited until their token was over, maybe when they asked for the second time.
            (told, problem) = ("nothing (\(silence.status))", nil)
        } catch {
            (told, problem) = ("nothing", nil)
        }
        report.withLock {
            $0.commands += 1
            $0.told[stall.kind.unit, default: [:]]["\(command.wish.name): \(told)", default: 0] += 1
            if let problem { $0.problems.append("thing \(stall.id): \(problem)") }
        }
    }
}

extension RentalCrowd.Report {
    /// How often somebody was let have something.
    func granted(by unit: RentalUnit) -> Int {
        told[unit, default: [:]].filter { $0.key.hasSuffix(": accepted") && !$0.key.hasPrefix("look") }.values
            .reduce(0, +)
    }

    /// How often somebody was told that another one has it.
    func taken(by unit: RentalUnit) -> Int {
        told[unit, default: [:]].filter { $0.key.hasSuffix(": overlaps") }.values.reduce(0, +)
    }
}

extension RentalModel.Command.Wish {
    var name: String {
        switch self {
        case .ask: "ask"
        case .act(let act, _): act.rawValue
        case .look: "look"
        case .block: "block"
        case .unblock: "unblock"
        case .quote: "quote"
        }
    }
}
