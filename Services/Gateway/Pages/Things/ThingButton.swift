import WireProtocol

/// The one button of a thing (`things/button`): what the one who looks may do with it now.
struct ThingButton {
    var text: String
    var icon: String
    /// Where it leads; nil where it can't be pressed.
    var href: String?
    /// Whether it takes something back.
    var quiet: Bool
    /// Why it can't be pressed, or what it is about.
    var why: String?
    /// The agreement that one has already.
    var rental: String?
    /// Where another time is asked for.
    var later: String?
    /// Of one's own.
    var edit: String?
    var calendar: String?

    /// - Parameters:
    ///   - calendar: when it is taken; nil where that is not known just now.
    ///   - period: when it is wanted, as a query.
    init(_ thing: Thing, _ calendar: ThingCalendar?, period: String, in words: Words) {
        let kind = thing.kind.rawValue
        quiet = thing.action == .cancel
        switch thing.action {
        case .rent:
            (text, icon, href) = (words["things.act.rent"], "hand", "/things/\(thing.id)/rent\(period)")
        case .cancel:
            (text, icon) = (words["things.act.cancel"], "undo")
            href = thing.rental.map { "/rentals/\($0)/cancel" }
            rental = thing.rental.map { "/rentals/\($0)" }
            why = words["things.act.asked"]
        case .own:
            (text, icon) = (words["things.act.own.\(kind)"], thing.kind.icon)
            edit = "/things/\(thing.id)/edit"
            self.calendar = "/things/\(thing.id)/calendar"
        case .unavailable:
            (text, icon) = (words["things.act.unavailable"], "wait")
            guard thing.state == .listed else {
                why = words["things.act.notLet"]
                return
            }
            // It begins with today, and somebody has it now.
            why =
                calendar?.taken.first.map {
                    words["things.act.takenUntil", ["until": CivilText.moment($0.until, in: words)]]
                } ?? words["things.act.taken"]
            later = "/things/\(thing.id)/rent\(period)"
        }
    }
}

extension CivilText {
    /// A day, or an hour of one, as contracts write them; what cannot be read is said as it is.
    static func moment(_ written: String, in words: Words) -> String {
        if let day = CivilDay(written) { return date(day, in: words) }
        return WallTime(written).map { "\(date($0.day, in: words)), \(time($0))" } ?? written
    }
}
