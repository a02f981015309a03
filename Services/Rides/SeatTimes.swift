import FoundationEssentials
import WireProtocol

// When something about a request for seats is due. No I/O and no clock.

extension SeatAgreement {
    /// When they get in, as far as the way tells.
    func boardsAt(in ride: OfferedRide) -> Date { ride.time(at: part.boarding.at) }

    /// When they get in at the latest.
    func boardsAtLast(in ride: OfferedRide) -> Date { ride.lastTime(at: part.boarding.at) }

    /// The time for which they are in the car, as late as it may be: they are in no other one then.
    func inCar(of ride: OfferedRide) -> Range<Date> {
        boardsAt(in: ride)..<ride.lastTime(at: part.leaving.at)
    }

    /// When `pass` may next do something; nil where never.
    func dueAt(in ride: OfferedRide) -> Date? {
        switch state {
        case .pending: answerBy
        case .waiting: ride.leavesBy
        case .accepted: isConfirmed || ride.state != .open ? nil : confirmBy
        default: nil
        }
    }
}

extension SeatAgreement {
    /// When the driver has to have answered one that is pending.
    func answerDue(in ride: OfferedRide, at now: Date) -> Date {
        SeatDeadline.answer(since: changedAt, within: answerWithin, at: part.boarding.at, in: ride, at: now)
    }
}

/// Until when somebody has to have said something.
enum SeatDeadline {
    static let beforeBoarding: TimeInterval = 3600
    static let confirmation: TimeInterval = 2 * 3600
    static let confirmedBeforeBoarding: TimeInterval = 30 * 60
    static let leastConfirmation: TimeInterval = 15 * 60
    /// Hours of the day in which nobody is asked to say something.
    static let (morning, night) = (7 * 3600, 22 * 3600)

    /// When the driver has to have answered: in the time that was said, and an hour before one gets in; where that is less than two hours away, when
    /// one gets in.
    static func answer(
        since begin: Date, within time: TimeInterval, at metres: Int, in ride: OfferedRide, at now: Date
    ) -> Date {
        let boarding = boarding(at: metres, in: ride, after: now)
        let isFar = boarding.timeIntervalSince(now) > 2 * beforeBoarding
        return min(begin + time, isFar ? boarding - beforeBoarding : boarding, ride.leavesBy)
    }

    /// When who got a seat has to have said that they keep it: in two hours of the day, by the ride's clock, half an hour before they get in. A quarter
    /// of an hour they have in any case.
    static func confirmation(at metres: Int, in ride: OfferedRide, at now: Date) -> Date {
        let boarding = boarding(at: metres, in: ride, after: now)
        let latest = max(boarding - confirmedBeforeBoarding, now + leastConfirmation)
        return min(byDay(confirmation, after: now, in: Zone.named(ride.zone)), latest)
    }

    /// Where it leaves between two times, the later one counts once the earlier one is over.
    private static func boarding(at metres: Int, in ride: OfferedRide, after now: Date) -> Date {
        let first = ride.time(at: metres)
        return now < first ? first : ride.lastTime(at: metres)
    }

    /// When so much time has passed of which nights are no part.
    private static func byDay(_ time: TimeInterval, after now: Date, in zone: Zone?) -> Date {
        guard let zone else { return now + time }
        let wall = zone.wallTime(at: now)
        let second = wall.seconds - WallTime(wall.day).seconds
        func moment(_ day: CivilDay, _ second: Int) -> Date {
            zone.firstMoment(of: WallTime(seconds: WallTime(day).seconds + second))
        }
        if second < morning { return moment(wall.day, morning) + time }
        let rest = second < night ? moment(wall.day, night).timeIntervalSince(now) : 0
        return rest >= time ? now + time : moment(wall.day + 1, morning) + time - rest
    }
}

/// What one of the two, or both, are reminded of.
struct SeatDue: Hashable, Sendable {
    let at: Date
    let about: SeatReminder.Occasion
}

extension SeatAgreement {
    /// An hour before an answer is due; a day and two hours before somebody gets in.
    private func reminders(in ride: OfferedRide) -> [SeatDue] {
        let boarding = boardsAt(in: ride)
        switch state {
        case .pending:
            return answerBy.map { [SeatDue(at: $0 - 3600, about: .answer)] } ?? []
        case .accepted where ride.state == .open:
            let due = isConfirmed ? nil : confirmBy.map { SeatDue(at: $0 - 3600, about: .confirm) }
            return [
                SeatDue(at: boarding - 86_400, about: .tomorrow), SeatDue(at: boarding - 2 * 3600, about: .soon),
            ] + (due.map { [$0] } ?? [])
        default: return []
        }
    }

    /// When somebody is to be reminded next, of one moment or later; nil where nobody is. What is over by then is not said.
    func remindAt(in ride: OfferedRide, after now: Date) -> Date? {
        reminders(in: ride).map(\.at).filter { $0 > now }.min()
    }

    /// What somebody is to be reminded of now: of what was due since the last time, the latest.
    func occasion(in ride: OfferedRide, at now: Date) -> SeatReminder.Occasion? {
        let end = state == .pending ? answerBy ?? now : boardsAtLast(in: ride)
        guard now < end else { return nil }
        return reminders(in: ride).filter { $0.at <= now }.max { $0.at < $1.at }?.about
    }
}
