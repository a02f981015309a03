import Foundation
import TestKit
import WireProtocol

// What comes to people's minds: mostly what may be done, and by whom.

extension RideModel {
    /// - Parameter people: who has to do with these rides.
    func command(by people: [Int], using dice: inout SeededGenerator) -> Command {
        let ride = Int.random(in: rides.indices, using: &dice)
        let person = people[Int.random(in: people.indices, using: &dice)]
        switch Int.random(in: 0..<100, using: &dice) {
        case 0..<50: return Command(person: person, wish: asking(in: ride, using: &dice))
        case 50..<90:
            return acting(by: person, using: &dice) ?? Command(person: person, wish: asking(in: ride, using: &dice))
        case 90..<98:
            let seats = Int.random(in: 0..<10, using: &dice) == 0 ? 9 : Int.random(in: 1...4, using: &dice)
            return Command(
                person: mostly(rides[ride].driver, else: person, using: &dice), wish: .offer(ride: ride, seats: seats))
        default:
            return Command(
                person: mostly(rides[ride].driver, else: person, using: &dice),
                wish: .remove(ride: ride, withOther: .random(using: &dice)))
        }
    }

    private func mostly(_ one: Int, else other: Int, using dice: inout SeededGenerator) -> Int {
        Int.random(in: 0..<6, using: &dice) == 0 ? other : one
    }

    private func asking(in ride: Int, using dice: inout SeededGenerator) -> Command.Wish {
        let odd = Int.random(in: 0..<40, using: &dice)
        let seats = odd == 0 ? 0 : odd == 1 ? 9 : [1, 1, 1, 2, 2, 3][Int.random(in: 0..<6, using: &dice)]
        let own = part(of: ride, using: &dice)
        let isBoth = Int.random(in: 0..<3, using: &dice) == 0
        guard isBoth, rides[ride].other != nil || Int.random(in: 0..<8, using: &dice) == 0 else {
            return .ask(ride: ride, own, seats: seats, waits: Int.random(in: 0..<4, using: &dice) > 0)
        }
        let other = part(of: rides[ride].other ?? ride, using: &dice)
        return .askBoth(
            ride: ride, own, other: other, seats: seats, waits: Int.random(in: 0..<12, using: &dice) == 0)
    }

    private func part(of ride: Int, using dice: inout SeededGenerator) -> Part {
        let last = rides[ride].legs.upperBound
        if Int.random(in: 0..<25, using: &dice) == 0 {
            return Part(from: .random(in: 0...last, using: &dice), to: .random(in: 0...last + 1, using: &dice))
        }
        let from = Int.random(in: 0..<last, using: &dice)
        return Part(from: from, to: .random(in: from + 1...last, using: &dice))
    }

    /// Rides are to be full, so that people wait.
    private static let likings: [SeatAct: Int] = [.accept: 8, .approve: 4, .keep: 4, .leave: 2]

    /// Nil where nobody has asked for anything.
    private func acting(by person: Int, using dice: inout SeededGenerator) -> Command? {
        let open = requests.indices.filter { requests[$0].place.isOpen }
        let isAny = open.isEmpty || Int.random(in: 0..<6, using: &dice) == 0
        guard let number = (isAny ? Array(requests.indices) : open).randomElement(using: &dice) else { return nil }
        let (request, driver) = (requests[number], rides[requests[number].ride].driver)
        let byDriver = Int.random(in: 0..<3, using: &dice) > 0
        let sensible = request.place.possible(byDriver: byDriver).sorted { $0.rawValue < $1.rawValue }.flatMap { act in
            Array(repeating: act, count: Self.likings[act] ?? 1)
        }
        if Int.random(in: 0..<6, using: &dice) > 0, let act = sensible.randomElement(using: &dice) {
            return Command(person: byDriver ? driver : request.rider, wish: .act(act, on: number))
        }
        let anybody = [driver, request.rider, person][Int.random(in: 0..<3, using: &dice)]
        let acts = SeatAct.allCases
        return Command(person: anybody, wish: .act(acts[Int.random(in: acts.indices, using: &dice)], on: number))
    }
}

extension RideModel.Command.Wish {
    var name: String {
        switch self {
        case .ask: "ask"
        case .askBoth: "ask both"
        case .act(let act, _): act.rawValue
        case .offer: "offer"
        case .remove: "remove ride"
        }
    }
}

extension RideModel.Answer: CustomStringConvertible {
    var description: String {
        switch self {
        case .seat(let place, let ahead):
            [
                place.state.rawValue, place.isApproved ? "approved" : nil, place.isConfirmed ? nil : "to be kept",
                ahead.map { "after \($0)" },
            ].compactMap(\.self).joined(separator: ", ")
        case .ride(let seats, let free): "\(seats) seats, free \(free)"
        case .done: "done"
        case .refused(let code): code.rawValue
        }
    }
}
