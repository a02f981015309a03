import WireProtocol

/// The one button of a ride (`rides/button`): what the one who looks may do with it now.
struct RideButton {
    var text: String
    var icon: String
    /// Where it leads; nil where it can't be pressed.
    var href: String?
    /// Whether it takes something back, which is asked once more (`frame/ask`).
    var quiet: Bool
    /// Why it can't be pressed, or what comes of it.
    var why: String?
    /// The request that one has already.
    var seat: String?

    init(_ ride: Ride, in words: Words) {
        let topic = "rides.act.\(ride.action.rawValue)"
        text = words[topic]
        seat = ride.request.map { "/seats/\($0)" }
        quiet = [.withdraw, .leave].contains(ride.action)
        why = words.find("rides.actNote.\(ride.action.rawValue)")
        switch ride.action {
        case .ask, .wait: (icon, href) = ("hand", "\(ride.path)/ask")
        case .withdraw: (icon, href) = ("undo", seat.map { "\($0)/withdraw" })
        case .leave: (icon, href) = ("out", seat.map { "\($0)/leave" })
        case .own: (icon, why) = ("wheel", nil)
        case .unavailable:
            icon = "wait"
            why = words["rides.unavailable.\(ride.state.rawValue)"]
        }
    }
}
