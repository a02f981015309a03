package import FoundationEssentials
import WireProtocol

/// All that waits, at once.
extension MatchEngine {
    /// Asks for as many orders as can be, with the least way, by an `Auction`: the same for whatever order things were learned in.
    package mutating func decide(at now: Date) -> [Directive] {
        certificate = Certificate()
        var round = Round()
        let directives = orders.used.filter { orders[$0].stage == .waiting }.sorted { orders.key($0) < orders.key($1) }
            .compactMap { enter($0, in: &round, at: now) }
        guard !round.orders.isEmpty else { return asking(directives) }
        round.number(deliverers)
        let problem = problem(of: round)
        let assignment = Auction.solve(problem, epsilon: settings.epsilon(for: problem))
        certificate = assignment.certificate
        var answers = round.orders.indices.map { follow(assignment, for: $0, of: round, at: now) }
        for index in round.left(by: assignment) {
            unwant(round.orders[index])
            let found = place(round.orders[index], at: now)
            if case .offer = found { answers[index] = found }
        }
        return asking(directives + answers)
    }

    private mutating func follow(_ assignment: Assignment, for index: Int, of round: Round, at now: Date) -> Directive {
        let (slot, number) = (round.orders[index], assignment.deliverers[index])
        guard number >= 0,
            let found = round.candidates[index].first(where: { $0.deliverer == round.deliverers[Int(number)] })
        else { return .keepWaiting(orders.key(slot), .othersFirst) }
        unwant(slot)
        return offer(slot, to: found, of: round.candidates[index], at: now)
    }

    /// What a round looks at, and by which numbers.
    struct Round {
        var orders: [Int32] = []
        var candidates: [[Candidate]] = []
        var isCut: [Bool] = []
        /// By number. Which number somebody has makes no difference: equal ones stand in the order of their ids for each order.
        var deliverers: [Int32] = []
        /// By slot, the number.
        var numbers: [Int32] = []

        /// Numbers those who are looked at.
        mutating func number(_ known: Slots<FreeDeliverer.ID, DelivererEntry>) {
            numbers = Array(repeating: -1, count: known.upperBound)
            for best in candidates { for found in best { numbers[Int(found.deliverer)] = 0 } }
            deliverers = numbers.indices.filter { numbers[$0] == 0 }.map { Int32($0) }
            for (number, slot) in deliverers.enumerated() { numbers[Int(slot)] = Int32(number) }
        }

        /// Orders that got nobody of those that were looked at, and had more to choose from.
        func left(by assignment: Assignment) -> [Int] {
            orders.indices.filter { isCut[$0] && assignment.deliverers[$0] < 0 }
        }
    }

    /// - Returns: what becomes of an order that takes no part.
    private mutating func enter(_ slot: Int32, in round: inout Round, at now: Date) -> Directive? {
        guard orders[slot].waitsUntil > now else { return lapse(slot, .timeIsUp) }
        if isClosed(slot, at: now) { return lapse(slot, .allClosed) }
        if let asked = orders[slot].asks, deliverers.slot(of: asked) == nil {
            unwant(slot)
            guard rollOn(slot) else { return .keepWaiting(orders.key(slot), .asksWhetherToRollOn) }
            want(slot)
        }
        let found = candidates(for: slot, at: now)
        guard !found.best.isEmpty else { return .keepWaiting(orders.key(slot), nobody(for: slot, at: now)) }
        round.orders.append(slot)
        round.candidates.append(found.best)
        round.isCut.append(found.fitting > found.best.count)
        return nil
    }

    private func problem(of round: Round) -> AssignmentProblem {
        var problem = AssignmentProblem(orders: round.orders.count, edges: round.orders.count * settings.edges)
        for best in round.candidates {
            problem.addOrder(
                best.map {
                    AssignmentProblem.Edge(deliverer: Int(round.numbers[Int($0.deliverer)]), value: Int($0.worth))
                })
        }
        for slot in round.deliverers {
            problem.addDeliverer((deliverers[slot].taken..<deliverers[slot].capacity).map { handCost($0) })
        }
        return problem
    }
}
