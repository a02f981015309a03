import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// That an agreement begins, or is to end, in plain words: days as the thing's own calendar has them, hours with their moment.
struct RentalDue {
    enum Turn: String { case begins, ends }

    var text: String
    /// Of hours alone.
    var moment: Moment?

    init(_ turn: Turn, of rental: Rental, at now: Date, in words: Words) {
        let key = "things.waiting.\(turn.rawValue)"
        let date = turn == .begins ? rental.startsAt : rental.endsAt
        if rental.terms.unit == .day, let day = CivilDay(turn == .begins ? rental.from : rental.until) {
            let left = day.number - WallTime(at: now, in: rental.zone).day.number
            text = left < 0 ? words["\(key).past", count: -left] : words["\(key).ahead", count: left]
        } else {
            let isLate = date <= now
            text = words["\(key).\(isLate ? "late" : "soon")"]
            moment = Moment(date, isLate ? .ago : .due, in: words, now: now)
        }
    }
}
