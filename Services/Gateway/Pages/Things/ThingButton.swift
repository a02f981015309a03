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
    ///   - hold: who has it now.
    ///   - period: when it is wanted, as a query.
    init(_ thing: Thing, _ hold: ThingHold, period: String, in words: Words) {
        let kind = thing.kind.rawValue
        let own = thing.rental.map { "/rentals/\($0)" }
        quiet = thing.action == .cancel
        switch thing.action {
        case .rent:
            // Where its owner must agree first, nobody has it by pressing.
            text = words[thing.terms.isInstant ? "things.act.rent" : "things.act.ask"]
            (icon, href) = ("hand", "/things/\(thing.id)/rent\(period)")
        case .cancel:
            (text, icon) = (words["things.act.cancel"], "undo")
            href = own.map { "\($0)/cancel" }
            (rental, why) = (own, hold.said(in: words))
        case .own:
            (text, icon) = (words["things.act.own.\(kind)"], thing.kind.icon)
            edit = "/things/\(thing.id)/edit"
            self.calendar = "/things/\(thing.id)/calendar"
        case .unavailable:
            (text, icon) = (words["things.act.unavailable"], "wait")
            let isLet = thing.state == .listed && !hold.isOver
            later = isLet ? "/things/\(thing.id)/rent\(period)" : nil
            if own != nil {
                (rental, why) = (own, hold.said(in: words))
            } else if !isLet {
                why = words["things.act.notLet"]
            } else if let until = hold.until {
                why = words["things.act.takenUntil", ["until": CivilText.moment(until, in: words)]]
            } else {
                why = words["things.act.taken"]
            }
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
