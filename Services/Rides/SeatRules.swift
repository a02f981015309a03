import FoundationEssentials
import WireProtocol

// The second table of README.md: who may do what to a request for seats, when, and what becomes of it. No I/O and no clock.

/// Who does something to a request.
enum SeatParty: String, CaseIterable, Hashable, Sendable {
    case driver, rider, moderator
    /// Nobody: its time has come.
    case time
    /// Nobody: a seat came free.
    case seat
    /// What became of the ride.
    case ride
    /// What became of the request that was made with it on the other one of outward and return.
    case other
}

/// One line of the table.
struct SeatRule: Hashable, Sendable {
    var state: SeatState
    var who: SeatParty
    /// Nil where nobody asks for it.
    var act: SeatAct?
    var condition: SeatCondition
    var next: SeatState
    var told: SeatTold
}

enum SeatCondition: Hashable, Sendable {
    case always
    /// And its ride can be found: nobody is let into one that moderators have hidden.
    case beforeAnswerIsDue
    case afterAnswerIsDue
    case beforeItLeaves, afterItLeaves
    case notYetApproved
    /// They get a seat without being looked at again; or not.
    case isApproved, isNotApproved
    /// They have not said yet that they keep the seat.
    case isUnconfirmed
    /// The time is over in which they had to say so.
    case keptTooLate
    /// From a quarter of an hour after one gets in until the ride is over.
    case onceUnderWay
    /// Within three days since the state began.
    case lately
    /// The same, of whom the other one says that they did not come.
    case latelyByTheAccused
    case rideHasLeft, rideIsOver, rideIsRemoved
    /// It was asked for with the other way, and that is not to be had any more.
    case isHalf
}

/// What is told of a transition.
enum SeatTold: Hashable, Sendable {
    case requested, answered
    case changed(SeatChanged.Change)

    /// As it stands in the table.
    var name: String {
        switch self {
        case .requested: "requested"
        case .answered: "answered"
        case .changed(let what): what.rawValue
        }
    }
}

extension SeatRule {
    static let table: [SeatRule] = [
        .init(.pending, .driver, .accept, .beforeAnswerIsDue, .accepted, .answered),
        .init(.pending, .driver, .reject, .always, .rejected, .answered),
        .init(.pending, .rider, .withdraw, .always, .withdrawn, .changed(.withdrawn)),
        .init(.pending, .time, nil, .afterAnswerIsDue, .expired, .answered),
        .init(.pending, .ride, nil, .rideHasLeft, .expired, .answered),
        .init(.pending, .ride, nil, .rideIsRemoved, .removed, .changed(.rideRemoved)),
        .init(.pending, .other, nil, .isHalf, .withdrawn, .changed(.ended)),
        .init(.waiting, .driver, .approve, .notYetApproved, .waiting, .changed(.approved)),
        .init(.waiting, .driver, .reject, .always, .rejected, .answered),
        .init(.waiting, .rider, .withdraw, .always, .withdrawn, .changed(.withdrawn)),
        .init(.waiting, .seat, nil, .isApproved, .accepted, .changed(.promoted)),
        .init(.waiting, .seat, nil, .isNotApproved, .pending, .changed(.promoted)),
        .init(.waiting, .time, nil, .afterItLeaves, .expired, .answered),
        .init(.waiting, .ride, nil, .rideHasLeft, .expired, .answered),
        .init(.waiting, .ride, nil, .rideIsRemoved, .removed, .changed(.rideRemoved)),
        .init(.accepted, .rider, .keep, .isUnconfirmed, .accepted, .changed(.kept)),
        .init(.accepted, .rider, .leave, .beforeItLeaves, .left, .changed(.left)),
        .init(.accepted, .driver, .remove, .beforeItLeaves, .removed, .changed(.removed)),
        .init(.accepted, .time, nil, .keptTooLate, .expired, .changed(.lapsed)),
        .init(.accepted, .driver, .reportNoShow, .onceUnderWay, .noShow, .changed(.noShow)),
        .init(.accepted, .rider, .reportNoShow, .onceUnderWay, .noShow, .changed(.noShow)),
        .init(.accepted, .ride, nil, .rideIsRemoved, .removed, .changed(.rideRemoved)),
        .init(.accepted, .ride, nil, .rideIsOver, .rode, .changed(.completed)),
        .init(.noShow, .driver, .dispute, .latelyByTheAccused, .disputed, .changed(.disputed)),
        .init(.noShow, .rider, .dispute, .latelyByTheAccused, .disputed, .changed(.disputed)),
        .init(.rode, .driver, .dispute, .lately, .disputed, .changed(.disputed)),
        .init(.rode, .rider, .dispute, .lately, .disputed, .changed(.disputed)),
        .init(.disputed, .moderator, .settle, .always, .settled, .changed(.settled)),
    ]

    private init(
        _ state: SeatState, _ who: SeatParty, _ act: SeatAct?, _ condition: SeatCondition, _ next: SeatState,
        _ told: SeatTold
    ) {
        self.init(state: state, who: who, act: act, condition: condition, next: next, told: told)
    }
}

extension SeatCondition {
    static let recent: TimeInterval = 3 * 86_400
    static let lateness: TimeInterval = 15 * 60
    /// How long after the arrival the two may call each other.
    static let aftermath: TimeInterval = 86_400

    func holds(for seat: SeatAgreement, in ride: OfferedRide, by party: SeatParty, at now: Date) -> Bool {
        switch self {
        case .always: true
        case .beforeAnswerIsDue: ride.isListed && now < min(seat.answerBy ?? now, ride.leavesBy)
        case .afterAnswerIsDue: now >= seat.answerBy ?? now
        case .beforeItLeaves: ride.state == .open && now < ride.leavesBy
        case .afterItLeaves: now >= ride.leavesBy
        case .notYetApproved: !seat.isApproved && ride.isListed && now < ride.leavesBy
        case .isApproved: seat.isApproved
        case .isNotApproved: !seat.isApproved
        case .isUnconfirmed:
            !seat.isConfirmed && ride.state == .open && now < min(seat.confirmBy ?? ride.leavesBy, ride.leavesBy)
        case .keptTooLate: !seat.isConfirmed && ride.state == .open && seat.confirmBy.map { now >= $0 } ?? false
        case .onceUnderWay:
            now >= seat.boardsAtLast(in: ride) + Self.lateness
                && now < ride.lastArrival + RideCondition.lateArrival
        case .lately: now < seat.changedAt + Self.recent
        case .latelyByTheAccused: seat.changedBy != seat.person(of: party) && now < seat.changedAt + Self.recent
        case .rideHasLeft: ride.state == .departed || ride.state == .completed
        case .rideIsOver: ride.state == .completed
        case .rideIsRemoved: ride.state == .removed
        case .isHalf: seat.together != nil
        }
    }
}
