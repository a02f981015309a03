import FoundationEssentials
import WireProtocol

extension RidesVertical {
    /// A request to answer, a seat to be kept, and a ride that leaves soon.
    func row(of item: WaitingItem, at page: String, in visit: Visit) -> HomePage.Waiting? {
        let words = visit.words
        let names = ["name": item.with?.name ?? PersonSummary.nameOfUnknown]
        switch item.kind {
        case .seatAsked, .seatToKeep:
            return HomePage.Waiting(
                href: page, icon: item.kind == .seatAsked ? "hand" : "hourglass", name: item.title,
                status: words["rides.waiting.\(item.kind.rawValue)", names], time: visit.moment(item.at, .until))
        case .driving, .riding:
            let due = RideDue(item, names, at: visit.now, in: words)
            return HomePage.Waiting(
                href: page, icon: item.kind == .driving ? "wheel" : "ride", name: item.title, status: due.text,
                time: due.moment)
        default: return nil
        }
    }
}

/// That a ride leaves, or has left, in plain words: by the day and the clocks of its own zone.
struct RideDue {
    var text: String
    /// Where its zone is not said.
    var moment: Moment?

    init(_ item: WaitingItem, _ names: [String: String], at now: Date, in words: Words) {
        let key = "rides.waiting.\(item.kind.rawValue)"
        guard item.at > now else {
            text = words["\(key).begun", names]
            return
        }
        guard let wall = item.day, let day = CivilDay(wall.date) else {
            text = words["\(key).soon", names]
            moment = Moment(item.at, .due, in: words, now: now)
            return
        }
        let left = max(0, day.number - WallTime(at: now, in: wall.zone).day.number)
        let values = names.merging(["time": RideClock(wall.zone, in: words).time(item.at)]) { $1 }
        text = words["\(key).ahead", values, count: left]
    }
}
