import FoundationEssentials
import WireProtocol

// The second table of README.md: what becomes of an order, by whom, and when. No I/O and no clock.

/// Who brings an order into another state.
enum OrderParty: String, CaseIterable, Hashable, Sendable {
    case orderer
    /// It finds somebody; or the one is there who was asked for by name.
    case engine
    /// What became of the offer, or of the delivery.
    case match
    /// Nobody: its time has come.
    case time
    /// Its orderer may not take part any more, or has gone.
    case community
}

/// One line of the table.
struct OrderRule: Hashable, Sendable {
    var state: OrderState
    var who: OrderParty
    /// Nil where nobody asks for it.
    var act: OrderAct?
    var condition: OrderCondition
    var next: OrderState
    /// Whether it is told that nobody could bring it.
    var hasLapsed: Bool
}

enum OrderCondition: Hashable, Sendable {
    case always
    case beforeItLapses, afterItLapses
    case isAccepted
    /// Who was asked, or had accepted, does not bring it, and nothing was picked up. There is time left, and anybody may be asked.
    case rollsOn
    /// The same, of the only one who was to be asked.
    case asksFirst
    /// The same, where there is no time left.
    case isTooLate
    /// The orderer has cancelled it, or it was given up once it was picked up.
    case isOff
    /// It was completed, one of the two did not come, or a dispute about it is settled.
    case isSettled
    /// Nothing was heard of it for hours.
    case isForgotten
}

extension OrderRule {
    static let table: [OrderRule] = [
        .init(.waiting, .orderer, .change, .beforeItLapses, .waiting),
        .init(.waiting, .orderer, .cancel, .beforeItLapses, .cancelled),
        .init(.waiting, .engine, nil, .beforeItLapses, .offered),
        .init(.waiting, .time, nil, .afterItLapses, .lapsed, hasLapsed: true),
        .init(.waiting, .community, nil, .always, .cancelled),
        .init(.asking, .orderer, .change, .beforeItLapses, .waiting),
        .init(.asking, .orderer, .cancel, .beforeItLapses, .cancelled),
        .init(.asking, .orderer, .ask, .beforeItLapses, .waiting),
        .init(.asking, .time, nil, .afterItLapses, .lapsed, hasLapsed: true),
        .init(.asking, .community, nil, .always, .cancelled),
        .init(.offered, .orderer, .change, .beforeItLapses, .waiting),
        .init(.offered, .orderer, .cancel, .always, .cancelled),
        .init(.offered, .match, nil, .isAccepted, .matched),
        .init(.offered, .match, nil, .rollsOn, .waiting),
        .init(.offered, .match, nil, .asksFirst, .asking),
        .init(.offered, .match, nil, .isTooLate, .lapsed, hasLapsed: true),
        .init(.offered, .community, nil, .always, .cancelled),
        .init(.matched, .match, nil, .rollsOn, .waiting),
        .init(.matched, .match, nil, .asksFirst, .asking),
        .init(.matched, .match, nil, .isTooLate, .lapsed, hasLapsed: true),
        .init(.matched, .match, nil, .isOff, .cancelled),
        .init(.matched, .match, nil, .isSettled, .completed),
        .init(.matched, .match, nil, .isForgotten, .lapsed),
    ]

    private init(
        _ state: OrderState, _ who: OrderParty, _ act: OrderAct?, _ condition: OrderCondition, _ next: OrderState,
        hasLapsed: Bool = false
    ) {
        self.init(state: state, who: who, act: act, condition: condition, next: next, hasLapsed: hasLapsed)
    }

    static func of(
        _ party: OrderParty, for order: PlacedOrder, with match: MatchAgreement? = nil, at now: Date
    ) -> [OrderRule] {
        table.filter { $0.state == order.state && $0.who == party && $0.condition.holds(for: order, match, at: now) }
    }
}

extension OrderCondition {
    /// - Parameter match: of which something became.
    func holds(for order: PlacedOrder, _ match: MatchAgreement?, at now: Date) -> Bool {
        let comesBack = match?.comesBack ?? false
        return switch self {
        case .always: true
        case .beforeItLapses: now < order.waitsUntil
        case .afterItLapses: now >= order.waitsUntil
        case .isAccepted: match?.state == .accepted
        case .rollsOn: comesBack && now < order.waitsUntil && order.asksAnybodyNext
        case .asksFirst: comesBack && now < order.waitsUntil && !order.asksAnybodyNext
        case .isTooLate: comesBack && now >= order.waitsUntil
        case .isOff: match.map { ($0.state == .cancelled || $0.state == .givenUp) && !comesBack } ?? false
        case .isSettled: match.map { [.completed, .noShow, .settled].contains($0.state) } ?? false
        case .isForgotten: match?.state == .lapsed
        }
    }
}

extension PlacedOrder {
    /// Whether others may be asked once the one who is asked can't.
    var asksAnybodyNext: Bool { asked == nil || rollsOn }
}
