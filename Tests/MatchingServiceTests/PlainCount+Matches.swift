import WireProtocol

@testable import MatchingService

// What becomes of matches, by a plain count.

extension PlainCount {
    mutating func does(
        _ act: MatchAct, _ match: Match, _ number: Int, _ asOrderer: Bool, _ cents: Int, _ withCode: Bool
    ) -> Bool {
        switch (act, match.state) {
        case (.accept, .offered) where !asOrderer:
            end(number, .accepted)
            matches[number].accepted = now
            orders[match.order].state = .matched
            isBack(match.stint)
        case (.accept, .accepted) where !asOrderer: break
        case (.decline, .offered) where !asOrderer:
            end(number, .declined)
            comeBack(match.order)
            isBack(match.stint)
        case (.cancel, .accepted):
            end(number, .cancelled, byOrderer: asOrderer)
            if asOrderer { orders[match.order].state = .cancelled } else { comeBack(match.order) }
        case (.raiseLimit, .accepted) where asOrderer && cents > match.limit:
            matches[number].limit = cents
            orders[match.order].limit = cents
        case (.pickUp, .accepted) where !asOrderer && cents <= match.limit:
            end(number, .pickedUp)
            (matches[number].picked, matches[number].spent) = (now, cents)
        case (.giveUp, .accepted) where !asOrderer:
            end(number, .givenUp)
            matches[number].share = 0
            comeBack(match.order)
        case (.giveUp, .pickedUp) where !asOrderer:
            end(number, .givenUp)
            matches[number].share = 0
            orders[match.order].state = .cancelled
        case (.complete, .pickedUp) where asOrderer: end(number, .received)
        case (.complete, .pickedUp) where !withCode: end(number, .delivered)
        case (.complete, .pickedUp),
            (.complete, .delivered) where asOrderer || withCode,
            (.complete, .received) where !asOrderer:
            end(number, .completed)
            orders[match.order].state = .completed
        case (.undo, .delivered) where !asOrderer && now < match.since + 120,
            (.undo, .received) where asOrderer && now < match.since + 120:
            end(number, .pickedUp)
            matches[number].isUndone = true
        case (.dispute, .pickedUp), (.dispute, .delivered), (.dispute, .received): end(number, .disputed)
        case (.dispute, .completed), (.dispute, .givenUp), (.dispute, .lapsed):
            guard match.picked != nil, now < match.since + 3 * 86_400 else { return false }
            end(number, .disputed)
        case (.settle, .disputed):
            end(number, .settled)
            matches[number].share = cents % 101
            if orders[match.order].state == .matched { orders[match.order].state = .completed }
        case (.tip, .completed) where asOrderer && match.tip == nil && cents > 0 && now < match.since + 86_400:
            matches[number].tip = cents
        default: return false
        }
        return true
    }

    /// Who answers is there.
    private mutating func isBack(_ stint: Int) {
        guard stints[stint].state != .ended else { return }
        (stints[stint].state, stints[stint].silent) = (.available, 0)
    }

    // MARK: Time

    mutating func pass() {
        for number in matches.indices { pass(number) }
        for number in orders.indices where now >= orders[number].until {
            if [.waiting, .asking].contains(orders[number].state) { orders[number].state = .lapsed }
        }
        for stint in stints.indices {
            if now >= stints[stint].until { stints[stint].state = .ended }
            if stints[stint].state == .ended { withdraw(from: stint) }
        }
    }

    private mutating func pass(_ number: Int) {
        let match = matches[number]
        switch match.state {
        case .offered where now >= match.expires:
            end(number, .expired)
            comeBack(match.order)
            guard stints[match.stint].state == .available else { break }
            stints[match.stint].silent += 1
            if now >= stints[match.stint].until {
                stints[match.stint].state = .ended
            } else if stints[match.stint].silent >= 3 {
                stints[match.stint].state = .paused
            }
        case .accepted where now >= match.accepted + 3 * 3600, .pickedUp where now >= (match.picked ?? 0) + 12 * 3600:
            end(number, .lapsed)
            orders[match.order].state = .lapsed
        case .delivered where now >= match.since + 12 * 3600, .received where now >= match.since + 12 * 3600:
            end(number, .completed)
            orders[match.order].state = .completed
        default: break
        }
    }
}
