import TestKit
import WireProtocol

/// Orders and matches by their events and by their rows: no order is with two at once, nobody has more than their hands hold, nobody is asked twice, and
/// each offer was answered or is over. Pure.
struct DeliveryHistory {
    struct AvailabilityRow: Decodable {
        var id: AvailabilityID
        var person: PersonID
        var state: AvailabilityState
        var capacity: Int
        var taken: Int
        /// Whether time should have done something to it for a while.
        var isLate: Bool
    }

    struct OrderRow: Decodable {
        var id: OrderID
        var state: OrderState
        var isLate: Bool
    }

    struct MatchRow: Decodable {
        var id: MatchID
        var order: OrderID
        var availability: AvailabilityID
        var deliverer: PersonID
        var state: MatchState
        var fillsHand: Bool
        var isLate: Bool
    }

    let availabilities: [AvailabilityRow]
    let orders: [OrderRow]
    let matches: [MatchRow]
    let events: [PublishedEvent]

    func findings() -> [Finding] {
        var lives = MatchLives()
        let told = events.sorted { $0.position ?? .max < $1.position ?? .max }.compactMap { lives.take($0) }
        let ofOrder = Dictionary(grouping: matches, by: \.order)
        let ofHand = Dictionary(grouping: matches, by: \.availability)
        return told + availabilities.flatMap { hands($0, ofHand[$0.id] ?? []) } + people()
            + orders.flatMap { states($0, ofOrder[$0.id] ?? []) } + matches.flatMap { ends($0, lives) }
            + strangers(lives) + late()
    }

    /// What was acknowledged is there, what was not asked for is not, and what was cancelled is so for good.
    /// - Parameter isDone: whether the service has a record of it.
    func compare(_ ledger: [LedgerEntry], isDone: (LedgerEntry) -> Bool) -> [Finding] {
        let placed = ledger.filter { ($0.command as? OrderCommand)?.isPlacing == true && isDone($0) }
        var findings: [Finding] = []
        if placed.count != orders.count {
            let rule: Finding.Rule = placed.count > orders.count ? .lost : .doubled
            findings.append(Finding(rule, "\(placed.count) orders were placed, and there are \(orders.count)"))
        }
        let orders = Dictionary(self.orders.map { ("order/\($0.id)", $0.state) }) { one, _ in one }
        let ways = Dictionary(availabilities.map { ("availability/\($0.id)", $0.state) }) { one, _ in one }
        let accepted = Set(events.filter { $0.matchUpdate?.what == .accepted }.map(\.aggregate))
        for entry in ledger {
            guard case .ok(let thing) = entry.outcome else { continue }
            if let command = entry.command as? OrderCommand {
                let isLost = orders[thing] == nil || command.cancelled != nil && orders[thing] != .cancelled
                if isLost { findings.append(Finding(.lost, "\(entry), and it is \(text(orders[thing]))")) }
            } else if (entry.command as? GoCommand)?.isEnd == true, ways[thing] != .ended {
                findings.append(Finding(.lost, "\(entry), and it is \(text(ways[thing]))"))
            } else if (entry.command as? MatchCommand)?.act == .accept, !accepted.contains(thing) {
                findings.append(Finding(.lost, "\(entry), and nobody was told that it was accepted"))
            }
        }
        return findings
    }

    private func text(_ state: (some RawRepresentable<String>)?) -> String { state?.rawValue ?? "not there" }

    // MARK: Hands

    private func hands(_ hand: AvailabilityRow, _ matches: [MatchRow]) -> [Finding] {
        let full = matches.filter(\.fillsHand)
        var findings: [Finding] = []
        if full.count > hand.capacity {
            findings.append(Finding(.doubled, "\(hand) has too much in hand: \(full.map(\.id))"))
        }
        if full.count != hand.taken {
            findings.append(Finding(.rowsDiffer, "\(hand), and by its matches \(full.count) hands are full"))
        }
        if hand.state == .ended, let offer = matches.first(where: { $0.state == .offered }) {
            findings.append(Finding(.halfDone, "match/\(offer.id) is offered by who goes no more"))
        }
        return findings
    }

    private func people() -> [Finding] {
        Dictionary(grouping: availabilities.filter { $0.state != .ended }, by: \.person).filter { $1.count > 1 }.map {
            Finding(.doubled, "\($0.key) is at \($0.value.count) restaurants at once")
        }
    }

    // MARK: Orders

    /// Each order is in one of its states, and what is of it says the same.
    private func states(_ order: OrderRow, _ matches: [MatchRow]) -> [Finding] {
        let live = matches.filter { MatchLives.live.contains($0.state) }
        var findings: [Finding] = []
        if live.count > 1 { findings.append(Finding(.doubled, "order/\(order.id) is with \(live.map(\.id))")) }
        let asked = Dictionary(grouping: matches.filter { $0.state != .withdrawn }, by: \.deliverer)
        for (person, all) in asked where all.count > 1 {
            findings.append(Finding(.doubled, "\(person) was asked \(all.count) times for order/\(order.id)"))
        }
        let due: Set<MatchState> =
            switch order.state {
            case .waiting, .asking, .cancelled, .lapsed: []
            case .offered: [.offered]
            case .matched: [.accepted, .pickedUp, .delivered, .received]
            case .completed: [.completed]
            }
        let fits = live.isEmpty ? due.isEmpty : live.allSatisfy { due.contains($0.state) }
        if !fits {
            findings.append(Finding(.halfDone, "order/\(order.id) is \(order.state), and has \(live.map(\.state))"))
        }
        return findings
    }

    // MARK: Matches

    private func ends(_ match: MatchRow, _ lives: MatchLives) -> [Finding] {
        let told = lives.states[match.id]
        var findings: [Finding] = []
        if told != match.state {
            findings.append(
                Finding(.rowsDiffer, "match/\(match.id) is \(match.state), and by its events \(text(told))"))
        }
        if match.fillsHand != lives.fillsHand(match.id) {
            findings.append(Finding(.rowsDiffer, "\(match) fills a hand, or none, and by its events it is otherwise"))
        }
        if (match.state == .completed) != lives.met.contains("match/\(match.id)") {
            findings.append(
                Finding(.halfDone, "match/\(match.id) is \(match.state), and its encounter says something else"))
        }
        return findings
    }

    private func strangers(_ lives: MatchLives) -> [Finding] {
        let rows = Set(matches.map(\.id))
        return lives.states.keys.filter { !rows.contains($0) }.map {
            Finding(.halfDone, "match/\($0) has events and no row")
        }
    }

    /// Each offer was answered or is over, and so is all else whose time has come.
    private func late() -> [Finding] {
        let things =
            availabilities.filter(\.isLate).map { "availability/\($0.id), \($0.state)" }
            + orders.filter(\.isLate).map { "order/\($0.id), \($0.state)" }
            + matches.filter(\.isLate).map { "match/\($0.id), \($0.state)" }
        return things.map { Finding(.stuck, "nobody has come by for \($0)") }
    }
}
