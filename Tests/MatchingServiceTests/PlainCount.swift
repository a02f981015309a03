import WireProtocol

@testable import MatchingService

/// The same by counting hands and minutes.
struct PlainCount {
    struct Stint {
        var person: Int
        var hands: Int
        var until: Int
        var state = AvailabilityState.available
        var silent = 0
    }

    struct Order {
        var person: Int
        var only: Int?
        var rolls: Bool
        var until: Int
        var fee = 200
        var limit = 1200
        var state = OrderState.waiting
    }

    struct Match {
        var order: Int
        var stint: Int
        var expires: Int
        var since: Int
        var fee: Int
        var limit: Int
        var state = MatchState.offered
        var isOrderers = false
        var accepted = 0
        var picked: Int?
        var spent = 0
        var tip: Int?
        var share = 100
        var isUndone = false
    }

    /// Seconds after noon.
    var now = 0
    var stints: [Stint] = []
    var orders: [Order] = []
    var matches: [Match] = []

    func owed(_ match: Match) -> Int? {
        match.picked == nil ? nil : (match.spent + match.fee + (match.tip ?? 0)) * match.share / 100
    }

    private func full(_ stint: Int) -> Int {
        matches.count { $0.stint == stint && [.offered, .accepted, .pickedUp].contains($0.state) && !$0.isUndone }
    }

    private func wasAsked(_ person: Int, _ order: Int) -> Bool {
        matches.contains { $0.order == order && $0.state != .withdrawn && stints[$0.stint].person == person }
    }

    private func isThere(_ stint: Int) -> Bool { stints[stint].state == .available && now < stints[stint].until }

    private func mayBring(_ stint: Int, _ order: Int) -> Bool {
        isThere(stint) && full(stint) < stints[stint].hands && stints[stint].person != orders[order].person
            && !wasAsked(stints[stint].person, order) && now + 1000 <= orders[order].until
    }

    /// Orders that wait though somebody could bring them.
    var unserved: [Int] {
        orders.indices.filter { order in
            orders[order].state == .waiting && stints.indices.contains { mayBring($0, order) }
        }
    }

    /// What a round has decided.
    mutating func take(_ pairs: [(order: Int, availability: Int)]) {
        for (order, stint) in pairs where orders[order].state == .waiting && mayBring(stint, order) {
            offer(order, to: stint, seconds: 60)
        }
    }

    private mutating func offer(_ order: Int, to stint: Int, seconds: Int) {
        let one = orders[order]
        matches.append(
            Match(order: order, stint: stint, expires: now + seconds, since: now, fee: one.fee, limit: one.limit))
        orders[order].state = .offered
    }

    // MARK: Commands

    /// - Returns: whether it can be done.
    mutating func does(_ command: DeliveryCommand) -> Bool {
        guard follow(command) else { return false }
        pass()
        return true
    }

    private mutating func follow(_ command: DeliveryCommand) -> Bool {
        switch command {
        case .begin(let person, let hands):
            guard !stints.contains(where: { $0.person == person && $0.state != .ended }) else { return false }
            stints.append(Stint(person: person, hands: hands, until: now + 180 * 60))
        case .end(let person):
            guard let stint = last(person), stints[stint].state != .ended else { return false }
            stints[stint].state = .ended
            withdraw(from: stint)
        case .resume(let person):
            guard let stint = last(person), stints[stint].state != .ended else { return false }
            (stints[stint].state, stints[stint].silent) = (.available, 0)
        case .place(let person, let asked, let rolls):
            guard orders.count(where: { $0.person == person && !Self.isOver($0.state) }) < 3 else { return false }
            orders.append(Order(person: person, rolls: rolls, until: now + 3600))
            guard let asked, !ask(orders.count - 1, last(asked)) else { return true }
            orders.removeLast()
            return false
        case .change(let number): return change(number)
        case .cancel(let number):
            guard [.waiting, .asking, .offered].contains(orders[number].state) else { return false }
            takeBack(number)
            orders[number].state = .cancelled
        case .ask(let number, let asked):
            guard orders[number].state == .asking else { return false }
            if let asked { return ask(number, last(asked)) }
            orders[number].state = .waiting
        case .act(let act, let number, let asOrderer, let cents, let withCode):
            return does(act, matches[number], number, asOrderer, cents, withCode)
        case .wait(let minutes): now += minutes * 60
        }
        return true
    }

    private static func isOver(_ state: OrderState) -> Bool { [.completed, .cancelled, .lapsed].contains(state) }
    private func last(_ person: Int) -> Int? { stints.lastIndex { $0.person == person } }

    /// Asks one by name, or passes them over.
    private mutating func ask(_ order: Int, _ stint: Int?) -> Bool {
        guard let stint, isThere(stint) else { return passOver(order) }
        guard stints[stint].person != orders[order].person, !wasAsked(stints[stint].person, order) else {
            return false
        }
        guard full(stint) < stints[stint].hands else { return passOver(order) }
        guard mayBring(stint, order) else { return false }
        orders[order].only = stint
        offer(order, to: stint, seconds: 120)
        return true
    }

    private mutating func passOver(_ order: Int) -> Bool {
        guard orders[order].rolls else { return false }
        (orders[order].state, orders[order].only) = (.waiting, nil)
        return true
    }

    private mutating func change(_ number: Int) -> Bool {
        guard [.waiting, .asking, .offered].contains(orders[number].state), now < orders[number].until else {
            return false
        }
        orders[number].fee += 1
        takeBack(number)
        orders[number].state = .waiting
        guard let only = orders[number].only else { return true }
        orders[number].only = nil
        if !ask(number, only) { orders[number].state = orders[number].rolls ? .waiting : .asking }
        return true
    }

    private mutating func takeBack(_ order: Int) {
        for number in matches.indices where matches[number].order == order && matches[number].state == .offered {
            end(number, .withdrawn, byOrderer: true)
        }
    }

    mutating func withdraw(from stint: Int) {
        for number in matches.indices where matches[number].stint == stint && matches[number].state == .offered {
            end(number, .withdrawn)
            comeBack(matches[number].order)
        }
    }

    mutating func end(_ number: Int, _ state: MatchState, byOrderer: Bool = false) {
        (matches[number].state, matches[number].since, matches[number].isOrderers) = (state, now, byOrderer)
    }

    mutating func comeBack(_ number: Int) {
        let order = orders[number]
        let mayRoll = order.only == nil || order.rolls
        orders[number].state = now >= order.until ? .lapsed : mayRoll ? .waiting : .asking
        if orders[number].state != .lapsed { orders[number].only = nil }
    }
}
