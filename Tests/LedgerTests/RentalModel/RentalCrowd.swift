import Foundation
import KampongClient
import Synchronization
import TestKit
import WireProtocol

/// People who share things for some days and rent them from each other, all at once and at random, each command before a witness.
final class RentalCrowd: Sendable {
    struct Report: Sendable {
        var attempts = 0
        var told: [String: Int] = [:]
        var problems: [String] = []
    }

    /// A thing, and what is known of it to those who use it.
    final class Stall: Sendable {
        struct Known: Sendable {
            var made: Int
            var id: RentalID
            var renter: Int
            var state: RentalState
        }
        let id: ThingID
        let owner: Int
        let witness: RentalWitness
        let agreements = Mutex<[Known]>([])
        let blocks = Mutex<[(made: Int, id: DateBlockID)]>([])
        let commands = Atomic<Int>(0)

        init(id: ThingID, owner: Int, witness: RentalWitness) {
            (self.id, self.owner, self.witness) = (id, owner, witness)
        }
    }

    /// Things change hands after so many commands, so that what has to be remembered of one stays small.
    private static let patience = 250
    private static let days = 12

    let people: [KampongClient]
    /// The last of them keeps order, and shares nothing.
    var moderator: Int { people.count - 1 }
    private let table: RentalTable
    private let zone: Zone
    private let answer: TimeInterval
    private let open: Mutex<[Stall]>
    private let closed = Mutex<[Stall]>([])
    private let report = Mutex(Report())

    /// - Parameters:
    ///   - things: how many there are at a time: the fewer, the more of what people do meets.
    ///   - answer: how long owners have for their answers.
    init(_ people: [KampongClient], things: Int, answer: TimeInterval, seed: UInt64) async throws {
        self.people = people
        self.answer = answer
        table = try RentalTable.printed()
        zone = Zone.afternoon(at: Date())
        open = Mutex([])
        var dice = SeededGenerator(seed: seed)
        for _ in 0..<things {
            let stall = try await share(using: &dice)
            open.withLock { $0.append(stall) }
        }
    }

    var stalls: [Stall] { closed.withLock { $0 } + open.withLock { $0 } }

    private func share(using dice: inout SeededGenerator) async throws -> Stall {
        let owner = Int.random(in: 0..<moderator, using: &dice)
        let isInstant = Bool.random(using: &dice)
        let thing = try await people[owner].postThing(
            ThingDraft(
                title: "Store room", size: 4, region: "North", place: "Lorong 1", address: "2 Lorong 1",
                isInstant: isInstant,
                zone: zone.name),
            as: .space)
        return Stall(
            id: thing.id, owner: owner,
            witness: RentalWitness(.init(owner: owner, moderator: moderator, isInstant: isInstant, table: table)))
    }

    /// Everybody does something, each of the workers as often; ends early where something is wrong.
    func run(attempts: Int, workers: Int, seed: UInt64) async throws -> Report {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<workers {
                group.addTask { [self] in
                    var dice = SeededGenerator(seed: seed &* 1000 &+ UInt64(worker))
                    for _ in stride(from: worker, to: attempts, by: workers) where !isWrong {
                        try await attempt(using: &dice)
                    }
                }
            }
            try await group.waitForAll()
        }
        return report.withLock { $0 }
    }

    private var isWrong: Bool { report.withLock { $0.problems.count >= 5 } }

    private func attempt(using dice: inout SeededGenerator) async throws {
        guard
            let (place, stall) = open.withLock({ stalls in
                stalls.indices.randomElement(using: &dice).map { ($0, stalls[$0]) }
            })
        else { return }
        if stall.commands.add(1, ordering: .relaxed).newValue == Self.patience {
            let fresh = try await share(using: &dice)
            open.withLock { $0[place] = fresh }
            closed.withLock { $0.append(stall) }
        }
        let person = Int.random(in: people.indices, using: &dice)
        switch Int.random(in: 0..<100, using: &dice) {
        case 0..<40: await ask(stall, as: person, days(using: &dice))
        case 40..<85: await act(on: stall, as: person, using: &dice)
        case 85..<90:
            await block(stall, as: Bool.random(using: &dice) ? stall.owner : person, days(using: &dice))
        case 90..<94: await unblock(stall, as: Bool.random(using: &dice) ? stall.owner : person, using: &dice)
        case 94..<97: await quote(stall, as: person, days(using: &dice))
        default: await look(at: stall, as: person, using: &dice)
        }
    }

    private func days(using dice: inout SeededGenerator) -> ClosedRange<Int> {
        let first = Int.random(in: 0..<Self.days, using: &dice)
        return first...first + Int.random(in: 0...2, using: &dice)
    }

    // MARK: What people do

    private func ask(_ stall: Stall, as person: Int, _ days: ClosedRange<Int>) async {
        let end = zone.start(of: days.upperBound + 1)
        let terms = RentalModel.Terms(
            renter: person, days: days, startsAt: zone.start(of: days.lowerBound), endsAt: end,
            answerBy: min(Date() + answer, end))
        await note(stall, .init(person: person, wish: .ask(days)), terms) { [people, zone] number in
            let made = try await people[person].rent(
                stall.id, .space, RentalDraft(from: zone.day(days.lowerBound), until: zone.day(days.upperBound)))
            stall.agreements.withLock {
                $0.append(.init(made: number, id: made.id, renter: person, state: made.state))
            }
            return (.state(made.state), made.answerBy)
        }
    }

    /// Mostly what the table allows as things stood last, by those who may; sometimes anything by anybody.
    private func act(on stall: Stall, as person: Int, using dice: inout SeededGenerator) async {
        guard let known = stall.agreements.withLock({ $0.suffix(30).randomElement(using: &dice) }) else { return }
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
    }

    private func block(_ stall: Stall, as person: Int, _ days: ClosedRange<Int>) async {
        await note(stall, .init(person: person, wish: .block(days))) { [people, zone] number in
            let made = try await people[person].blockDates(
                of: stall.id, .space, PeriodDraft(from: zone.day(days.lowerBound), until: zone.day(days.upperBound)))
            stall.blocks.withLock { $0.append((number, made.id)) }
            return (.done, nil)
        }
    }

    private func unblock(_ stall: Stall, as person: Int, using dice: inout SeededGenerator) async {
        guard let known = stall.blocks.withLock({ $0.randomElement(using: &dice) }) else { return }
        await note(stall, .init(person: person, wish: .unblock(known.made))) { [people] _ in
            try await people[person].unblockDates(known.id)
            return (.done, nil)
        }
    }

    private func quote(_ stall: Stall, as person: Int, _ days: ClosedRange<Int>) async {
        await note(stall, .init(person: person, wish: .quote(days))) { [people, zone] _ in
            let quote = try await people[person].quote(
                for: stall.id, .space, from: zone.day(days.lowerBound), until: zone.day(days.upperBound))
            return (.free(quote.isFree), nil)
        }
    }

    private func look(at stall: Stall, as person: Int, using dice: inout SeededGenerator) async {
        guard let known = stall.agreements.withLock({ $0.suffix(30).randomElement(using: &dice) }) else { return }
        await note(stall, .init(person: person, wish: .look(at: known.made))) { [people] _ in
            (.state(try await people[person].rental(known.id).state), nil)
        }
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
            $0.attempts += 1
            $0.told["\(command.wish.name): \(told)", default: 0] += 1
            if let problem { $0.problems.append("thing \(stall.id): \(problem)") }
        }
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
