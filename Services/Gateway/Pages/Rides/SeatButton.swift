import WireProtocol

extension SeatAct {
    /// In which order the buttons stand: what goes on first, what ends it last.
    var order: Int {
        [.keep, .accept, .approve, .settle, .reject, .reportNoShow, .dispute, .withdraw, .leave, .remove].firstIndex(
            of: self) ?? 9
    }

    /// Whether it is done by its button alone: nothing ends by it that counts on it.
    var isDirect: Bool {
        switch self {
        case .accept, .approve, .keep, .withdraw: true
        case .reject, .leave, .remove, .reportNoShow, .dispute, .settle: false
        }
    }

    var icon: String {
        switch self {
        case .accept, .approve, .keep: "check"
        case .reject, .remove: "close"
        case .withdraw: "undo"
        case .leave: "out"
        case .reportNoShow: "gone"
        case .dispute: "flag"
        case .settle: "checks"
        }
    }

    var tone: String {
        switch self {
        case .accept, .approve, .keep, .settle: ""
        case .reject, .withdraw, .dispute: "quiet"
        case .leave, .remove, .reportNoShow: "danger"
        }
    }

    var needsReason: Bool { self == .dispute || self == .settle }
}

/// A button by which something is done to a request: a form of its own, or the way to a page that asks first (`rides/seat-button`).
struct SeatButton {
    var href: String
    var text: String
    /// What tells it from others in a list; nil where it stands alone.
    var label: String?
    var icon: String
    var tone: String
    var isDirect: Bool
    var key: String
    /// The state that is shown beside it: in another one nothing is done.
    var expected: String
    /// Where it leads back to, in place of the request's own page.
    var back: String?

    init(_ act: SeatAct, on request: SeatRequest, isInList: Bool = false, back: String? = nil, in words: Words) {
        href = "\(request.path)/\(act.path)"
        let topic = act.isOfBothWays(of: request) ? "\(act.rawValue).both" : act.rawValue
        text = words["seats.act.\(topic).open", ["name": request.other.name]]
        label = isInList ? words["seats.buttonOf", ["act": text, "name": request.other.name]] : nil
        (icon, tone, isDirect) = (act.icon, act.tone, act.isDirect)
        key = Visit.newKey()
        expected = request.state.rawValue
        self.back = back
    }

    static func all(of request: SeatRequest, in words: Words) -> [SeatButton] {
        request.possible.sorted { $0.order < $1.order }.map { SeatButton($0, on: request, in: words) }
    }
}
