import FoundationEssentials
import WireProtocol

// The table of README.md: who may do what to an agreement, when, and what becomes of it. No I/O and no clock.

/// Who does something to an agreement.
enum RentalParty: String, CaseIterable, Hashable, Sendable {
    case owner, renter, moderator
    /// Nobody: its time has come.
    case time
}

/// One line of the table.
struct RentalRule: Hashable, Sendable {
    var state: RentalState
    var who: RentalParty
    /// Nil where time does it.
    var act: RentalAct?
    var condition: RentalCondition
    var next: RentalState
    var told: RentalTold
}

enum RentalCondition: Hashable, Sendable {
    case always
    case beforeAnswerIsDue, afterAnswerIsDue
    case beforeItEnds
    /// From a day (an hour, where hours are rented) before the beginning until the end.
    case aroundTheBeginning
    /// From half a day (half an hour) after the beginning until a day after the end; after the acceptance, where that was later: nobody can have
    /// come before.
    case longAfterTheBeginning
    /// Within three days since the state began.
    case lately
    /// The same, of what was agreed and had begun when it ended: who had the key by then may have the thing, whatever was pressed.
    case latelyOnceBegun
    /// Lately, and this person has shown nothing yet.
    case notShownYet
    /// One has what is the other's: it was handed over, and is not back.
    case inHand
    /// This person has said something about the dispute fewer than five times, besides what opened it.
    case notAllSaid
    /// A day after the end.
    case longOver
    /// A week after the end.
    case forgotten
}

/// What is told of a transition.
enum RentalTold: Hashable, Sendable {
    case answered, changed
    /// Changed; and the two have completed something together.
    case completed
    case nothing
}

extension RentalRule {
    static let table: [RentalRule] = [
        .init(.requested, .owner, .accept, .beforeAnswerIsDue, .accepted, .answered),
        .init(.requested, .owner, .decline, .always, .declined, .answered),
        .init(.requested, .renter, .cancel, .always, .cancelled, .changed),
        .init(.requested, .time, nil, .afterAnswerIsDue, .lapsed, .answered),
        .init(.accepted, .owner, .cancel, .beforeItEnds, .cancelled, .changed),
        .init(.accepted, .renter, .cancel, .beforeItEnds, .cancelled, .changed),
        .init(.accepted, .owner, .handOver, .aroundTheBeginning, .handedOver, .changed),
        .init(.accepted, .renter, .handOver, .aroundTheBeginning, .handedOver, .changed),
        .init(.accepted, .owner, .reportNoShow, .longAfterTheBeginning, .noShow, .changed),
        .init(.accepted, .renter, .reportNoShow, .longAfterTheBeginning, .noShow, .changed),
        .init(.accepted, .time, nil, .longOver, .lapsed, .changed),
        .init(.handedOver, .owner, .handOver, .notShownYet, .handedOver, .nothing),
        .init(.handedOver, .renter, .handOver, .notShownYet, .handedOver, .nothing),
        .init(.handedOver, .owner, .giveBack, .always, .returned, .completed),
        .init(.handedOver, .renter, .giveBack, .always, .returned, .completed),
        .init(.handedOver, .owner, .dispute, .always, .disputed, .changed),
        .init(.handedOver, .renter, .dispute, .always, .disputed, .changed),
        .init(.handedOver, .time, nil, .forgotten, .returned, .completed),
        .init(.returned, .owner, .giveBack, .notShownYet, .returned, .nothing),
        .init(.returned, .renter, .giveBack, .notShownYet, .returned, .nothing),
        .init(.returned, .owner, .dispute, .lately, .disputed, .changed),
        .init(.returned, .renter, .dispute, .lately, .disputed, .changed),
        .init(.noShow, .owner, .dispute, .lately, .disputed, .changed),
        .init(.noShow, .renter, .dispute, .lately, .disputed, .changed),
        .init(.cancelled, .owner, .dispute, .latelyOnceBegun, .disputed, .changed),
        .init(.cancelled, .renter, .dispute, .latelyOnceBegun, .disputed, .changed),
        .init(.lapsed, .owner, .dispute, .latelyOnceBegun, .disputed, .changed),
        .init(.lapsed, .renter, .dispute, .latelyOnceBegun, .disputed, .changed),
        .init(.disputed, .owner, .giveBack, .inHand, .disputed, .completed),
        .init(.disputed, .renter, .giveBack, .inHand, .disputed, .completed),
        .init(.disputed, .owner, .explain, .notAllSaid, .disputed, .changed),
        .init(.disputed, .renter, .explain, .notAllSaid, .disputed, .changed),
        .init(.disputed, .moderator, .settle, .always, .settled, .changed),
    ]

    private init(
        _ state: RentalState, _ who: RentalParty, _ act: RentalAct?, _ condition: RentalCondition, _ next: RentalState,
        _ told: RentalTold
    ) {
        self.init(state: state, who: who, act: act, condition: condition, next: next, told: told)
    }
}

extension RentalCondition {
    static let recent = RentalTalk.recent
    /// How often one person may add to a dispute: for what matters, and not for going on with it. The database knows it as well.
    static let mostSaid = 5

    func holds(for agreement: Agreement, by party: RentalParty, at now: Date) -> Bool {
        let (start, end) = (agreement.period.startsAt, agreement.period.endsAt)
        let byHour = agreement.terms.unit == .hour
        switch self {
        case .always: return true
        case .beforeAnswerIsDue: return now < agreement.answerBy
        case .afterAnswerIsDue: return now >= agreement.answerBy
        case .beforeItEnds: return now < end
        case .aroundTheBeginning: return now >= start - (byHour ? 3600 : 86400) && now < end
        case .longAfterTheBeginning:
            return now >= max(start, agreement.acceptedAt ?? start) + (byHour ? 1800 : 43200) && now < end + 86400
        case .lately: return now < agreement.changedAt + Self.recent
        case .latelyOnceBegun: return agreement.endedOnceBegun && now < agreement.changedAt + Self.recent
        case .notShownYet:
            let act: RentalAct = agreement.state == .handedOver ? .handOver : .giveBack
            return now < agreement.changedAt + Self.recent
                && !agreement.evidence.contains { $0.at == act && $0.by.rawValue == party.rawValue }
        // A dispute holds its period as long as the thing was not given back.
        case .inHand: return agreement.holds
        case .notAllSaid:
            return agreement.evidence.count { $0.at == .explain && $0.by.rawValue == party.rawValue } < Self.mostSaid
        case .longOver: return now >= end + 86400
        case .forgotten: return now >= end + 7 * 86400
        }
    }
}
