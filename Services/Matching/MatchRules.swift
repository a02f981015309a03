import FoundationEssentials
import WireProtocol

// The third table of README.md: who may do what to a match, when, and what becomes of it. No I/O and no clock.

/// Who does something to a match.
enum MatchParty: String, CaseIterable, Hashable, Sendable {
    case orderer, deliverer, moderator
    /// Nobody: its time has come.
    case time
    /// The orderer has changed the order, or cancelled it.
    case order
    /// The deliverer is there no more, or what they offer is something else.
    case availability
    /// One has blocked the other.
    case apart
    /// One of the two may not take part any more, or has gone.
    case community
}

/// One line of the table.
struct MatchRule: Hashable, Sendable {
    var state: MatchState
    var who: MatchParty
    /// Nil where nobody asks for it.
    var act: MatchAct?
    var condition: MatchCondition
    var next: MatchState
    var told: MatchUpdate.Change
}

enum MatchCondition: Hashable, Sendable {
    case always
    case beforeItExpires, afterItExpires
    /// The goods are not paid for.
    case isBought
    /// The orderer's digits come with it, or do not.
    case withCode, withoutCode
    /// Two minutes since the state began.
    case justNow
    /// Ten minutes after the deliverer has said that it is there; else after it was expected.
    case longAtTheDoor
    /// Half an hour after it was expected.
    case longLate
    /// Three hours since it was accepted.
    case notPickedUp
    /// Twelve hours since it was picked up.
    case notHeardOf
    /// Twelve hours since one of the two said that it is there.
    case notDenied
    /// Within three days since the state began.
    case lately
    /// The same, of what was picked up.
    case latelyOncePickedUp
    /// This person has said something about the dispute fewer than five times, besides what opened it.
    case notAllSaid
    /// Within a day, and there was no tip.
    case notTipped
}

extension MatchRule {
    static let table: [MatchRule] =
        offers + [
            .init(.accepted, .orderer, .cancel, .always, .cancelled, .cancelled),
            .init(.accepted, .orderer, .raiseLimit, .isBought, .accepted, .limitRaised),
            .init(.accepted, .deliverer, .cancel, .always, .cancelled, .cancelled),
            .init(.accepted, .deliverer, .pickUp, .always, .pickedUp, .pickedUp),
            .init(.accepted, .deliverer, .giveUp, .always, .givenUp, .givenUp),
            .init(.accepted, .deliverer, .postpone, .always, .accepted, .postponed),
            .init(.accepted, .time, nil, .notPickedUp, .lapsed, .lapsed),
            .init(.accepted, .community, nil, .always, .cancelled, .ended),
        ] + deliveries + disputes

    private static let offers: [MatchRule] = [
        .init(.offered, .deliverer, .accept, .beforeItExpires, .accepted, .accepted),
        .init(.offered, .deliverer, .decline, .beforeItExpires, .declined, .declined),
        .init(.offered, .time, nil, .afterItExpires, .expired, .expired),
        .init(.offered, .order, nil, .always, .withdrawn, .withdrawn),
        .init(.offered, .availability, nil, .always, .withdrawn, .withdrawn),
        .init(.offered, .apart, nil, .always, .withdrawn, .withdrawn),
        .init(.offered, .community, nil, .always, .withdrawn, .withdrawn),
    ]

    private static let deliveries: [MatchRule] = [
        .init(.pickedUp, .orderer, .complete, .always, .received, .received),
        .init(.pickedUp, .orderer, .reportNoShow, .longLate, .noShow, .noShow),
        .init(.pickedUp, .orderer, .dispute, .always, .disputed, .disputed),
        .init(.pickedUp, .deliverer, .giveUp, .always, .givenUp, .givenUp),
        .init(.pickedUp, .deliverer, .postpone, .always, .pickedUp, .postponed),
        .init(.pickedUp, .deliverer, .complete, .withoutCode, .delivered, .delivered),
        .init(.pickedUp, .deliverer, .complete, .withCode, .completed, .completed),
        .init(.pickedUp, .deliverer, .reportNoShow, .longAtTheDoor, .noShow, .noShow),
        .init(.pickedUp, .deliverer, .dispute, .always, .disputed, .disputed),
        .init(.pickedUp, .time, nil, .notHeardOf, .lapsed, .lapsed),
        .init(.delivered, .orderer, .complete, .always, .completed, .completed),
        .init(.delivered, .orderer, .dispute, .always, .disputed, .disputed),
        .init(.delivered, .deliverer, .complete, .withCode, .completed, .completed),
        .init(.delivered, .deliverer, .undo, .justNow, .pickedUp, .undone),
        .init(.delivered, .deliverer, .reportNoShow, .longAtTheDoor, .noShow, .noShow),
        .init(.delivered, .deliverer, .dispute, .always, .disputed, .disputed),
        .init(.delivered, .time, nil, .notDenied, .completed, .completed),
        .init(.received, .orderer, .undo, .justNow, .pickedUp, .undone),
        .init(.received, .orderer, .dispute, .always, .disputed, .disputed),
        .init(.received, .deliverer, .complete, .always, .completed, .completed),
        .init(.received, .deliverer, .dispute, .always, .disputed, .disputed),
        .init(.received, .time, nil, .notDenied, .completed, .completed),
        .init(.completed, .orderer, .tip, .notTipped, .completed, .tipped),
    ]

    private static let disputes: [MatchRule] = [
        .init(.completed, .orderer, .dispute, .lately, .disputed, .disputed),
        .init(.completed, .deliverer, .dispute, .lately, .disputed, .disputed),
        .init(.givenUp, .orderer, .dispute, .latelyOncePickedUp, .disputed, .disputed),
        .init(.givenUp, .deliverer, .dispute, .latelyOncePickedUp, .disputed, .disputed),
        .init(.lapsed, .orderer, .dispute, .latelyOncePickedUp, .disputed, .disputed),
        .init(.lapsed, .deliverer, .dispute, .latelyOncePickedUp, .disputed, .disputed),
        .init(.noShow, .orderer, .dispute, .lately, .disputed, .disputed),
        .init(.noShow, .deliverer, .dispute, .lately, .disputed, .disputed),
        .init(.disputed, .orderer, .explain, .notAllSaid, .disputed, .explained),
        .init(.disputed, .deliverer, .explain, .notAllSaid, .disputed, .explained),
        .init(.disputed, .moderator, .settle, .always, .settled, .settled),
    ]

    private init(
        _ state: MatchState, _ who: MatchParty, _ act: MatchAct?, _ condition: MatchCondition, _ next: MatchState,
        _ told: MatchUpdate.Change
    ) {
        self.init(state: state, who: who, act: act, condition: condition, next: next, told: told)
    }
}
