import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// Random commands of three people, beside somebody who counts on their fingers.
@Suite("Deliveries by a plain count")
struct DeliveryModelTests {
    /// 80 commands each. `KAMPONG_DELIVERIES_WORLDS=2500` makes it 200,000.
    private static let worlds =
        ProcessInfo.processInfo.environment["KAMPONG_DELIVERIES_WORLDS"].flatMap { Int($0) } ?? 60

    @Test func deliveries_go_as_a_plain_count_says() {
        var dice = SeededGenerator(seed: 1)
        var (done, refused, reached): (Int, Int, Set<MatchState>) = (0, 0, [])
        for _ in 0..<Self.worlds {
            var (world, count) = (World(), PlainCount())
            for _ in 0..<80 {
                let command = DeliveryCommand.random(
                    orders: world.orders.count, matches: world.matches.count, using: &dice)
                let isDone = world.does(command)
                #expect(isDone == count.does(command), "\(command)")
                count.take(world.round())
                #expect(world.orders.map(\.state) == count.orders.map(\.state), "\(command)")
                #expect(world.matches.map(\.state) == count.matches.map(\.state), "\(command)")
                #expect(world.availabilities.map(\.state) == count.stints.map(\.state), "\(command)")
                #expect(world.matches.map { $0.owed?.amount } == count.matches.map { count.owed($0) }, "\(command)")
                #expect(world.promises == [], "\(command)")
                #expect(count.unserved == [], "\(command)")
                if isDone { done += 1 } else { refused += 1 }
                reached.formUnion(world.matches.map(\.state))
            }
        }
        #expect(done > 1000 && refused > 500, "else it shows little")
        #expect(reached == Set(MatchState.allCases).subtracting([.noShow]))
    }
}

/// Something that one of three people does, by numbers.
enum DeliveryCommand {
    case begin(Int, hands: Int), end(Int), resume(Int)
    case place(Int, asking: Int?, rollsOn: Bool)
    case change(Int), cancel(Int), ask(Int, Int?)
    /// What one of the two does to a match.
    case act(MatchAct, Int, asOrderer: Bool, cents: Int, withCode: Bool)
    case wait(minutes: Int)

    static func random(orders: Int, matches: Int, using dice: inout SeededGenerator) -> DeliveryCommand {
        let person = Int.random(in: 0..<3, using: &dice)
        let asked = Bool.random(using: &dice) ? Int.random(in: 0..<3, using: &dice) : nil
        switch Int.random(in: 0..<40, using: &dice) {
        case 0..<3: return .begin(person, hands: .random(in: 1...2, using: &dice))
        case 3: return .end(person)
        case 4: return .resume(person)
        case 5..<9: return .place(person, asking: asked, rollsOn: .random(using: &dice))
        case 9 where orders > 0: return .change(.random(in: 0..<orders, using: &dice))
        case 10 where orders > 0: return .cancel(.random(in: 0..<orders, using: &dice))
        case 11 where orders > 0: return .ask(.random(in: 0..<orders, using: &dice), asked)
        case 12: return .wait(minutes: 1)
        case 13: return .wait(minutes: .random(in: 5...240, using: &dice))
        case _ where matches > 0:
            let act = acts.randomElement(using: &dice) ?? .accept
            // One of the latest: of the others most are over.
            let number = Int.random(in: max(0, matches - 4)..<matches, using: &dice)
            return .act(
                act, number, asOrderer: .random(using: &dice), cents: .random(in: 0...1500, using: &dice),
                withCode: .random(using: &dice))
        default: return .wait(minutes: 1)
        }
    }

    private static let acts: [MatchAct] = [
        .accept, .accept, .accept, .accept, .decline, .cancel, .pickUp, .pickUp, .pickUp, .giveUp, .complete, .complete,
        .complete, .undo, .dispute, .settle, .settle, .tip, .raiseLimit,
    ]
}
