import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// That an agreement begins, is to end, or should have ended, in plain words: days as the thing's own calendar has them, hours with their moment.
struct RentalDue {
    enum Turn: String {
        case begins, ends
        /// What the owner has not back, once it is past the end.
        case overdue
    }

    var text: String
    /// Of hours alone.
    var moment: Moment?

    init(_ turn: Turn, of rental: Rental, at now: Date, in words: Words) {
        let key = "things.waiting.\(turn.rawValue)"
        let names = ["name": rental.renter.name]
        let date = turn == .begins ? rental.startsAt : rental.endsAt
        if rental.terms.unit == .day, let day = CivilDay(turn == .begins ? rental.from : rental.until) {
            let left = day.number - WallTime(at: now, in: rental.zone).day.number
            text = left < 0 ? words["\(key).past", names, count: -left] : words["\(key).ahead", names, count: left]
        } else {
            let isLate = date <= now
            text = words["\(key).\(isLate ? "late" : "soon")", names]
            moment = Moment(date, isLate ? .ago : .due, in: words, now: now)
        }
    }
}
