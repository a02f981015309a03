import FoundationEssentials
import WireProtocol

/// What was done for an order, in words, the earliest first (`deliveries/timeline`); what goes on now comes last.
struct OrderTimeline {
    struct Step {
        var text: String
        var moment: Moment?
        /// Until when who is asked may say, for who counts down.
        var left: SecondsLeft?
        var isNow = false
    }

    var steps: [Step]

    init(_ order: DeliveryOrder, in visit: Visit) {
        let words = visit.words
        steps = [Step(text: words["orders.step.placed"], moment: visit.moment(order.placedAt, .clock))]
        // Who is asked now stands below, with the time that is left.
        let isAsked = order.asked != nil && order.steps.last?.what == .asked
        steps += order.steps.dropLast(isAsked ? 1 : 0).map { step in
            let name = step.person?.name ?? words["inbox.somebody"]
            return Step(
                text: words["orders.step.\(step.what.rawValue)", ["name": name]],
                moment: visit.moment(step.at, .clock))
        }
        if let now = Self.now(order, in: visit) { steps.append(now) }
    }

    /// Nil where nothing goes on any more.
    private static func now(_ order: DeliveryOrder, in visit: Visit) -> Step? {
        let words = visit.words
        switch order.state {
        case .offered:
            guard let asked = order.asked else { return nil }
            return Step(
                text: words["orders.step.now", ["name": asked.person.name]],
                left: SecondsLeft(until: asked.until, in: visit), isNow: true)
        case .waiting:
            return Step(text: words["orders.step.waiting", count: order.possibleDeliverers], isNow: true)
        case .asking: return Step(text: words["orders.step.asking"], isNow: true)
        case .matched: return nil
        case .completed, .cancelled, .lapsed: return Step(text: order.stateText(in: words), isNow: true)
        }
    }
}

/// `4:07`, counted down by `countdown.js` where scripts run (`deliveries/left`).
struct SecondsLeft {
    var iso: String
    var text: String

    init(until date: Date, in visit: Visit) {
        iso = WireJSON.text(of: date)
        text = Self.text(of: date.timeIntervalSince(visit.now))
    }

    static func text(of time: TimeInterval) -> String {
        let seconds = max(0, Int(time.rounded(.up)))
        return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }
}
