import WireProtocol

/// Whether one orders or delivers: two buttons at the head of both homes (`deliveries/switch`). It is a view, and keeps nobody from the other.
struct DeliverySwitch {
    struct Choice {
        var value: String
        var text: String
        var chosen: Bool
    }

    var choices: [Choice]

    init(_ mode: DeliveryMode, in words: Words) {
        choices = DeliveryMode.allCases.map {
            Choice(value: $0.rawValue, text: words["deliveries.mode.\($0.rawValue)"], chosen: $0 == mode)
        }
    }
}
