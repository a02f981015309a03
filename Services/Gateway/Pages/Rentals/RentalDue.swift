import FoundationEssentials
import WireProtocol

/// That an agreement begins, is to end, or should have ended, in plain words: days as the thing's own calendar has them, hours with their moment.
struct RentalDue {
    var text: String
    /// Of hours alone.
    var moment: Moment?

    init(_ item: WaitingItem, at now: Date, in words: Words) {
        let key = "things.waiting.\(item.kind.rawValue)"
        let names = ["name": item.with?.name ?? PersonSummary.nameOfUnknown]
        if let wall = item.day, let day = CivilDay(wall.date) {
            let left = day.number - WallTime(at: now, in: wall.zone).day.number
            text = left < 0 ? words["\(key).past", names, count: -left] : words["\(key).ahead", names, count: left]
        } else {
            let isLate = item.at <= now
            text = words["\(key).\(isLate ? "late" : "soon")", names]
            moment = Moment(item.at, isLate ? .ago : .due, in: words, now: now)
        }
    }
}
