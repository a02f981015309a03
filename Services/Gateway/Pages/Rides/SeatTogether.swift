import WireProtocol

/// That seats were asked for on both ways, and the way to the other request (`rides/together`).
struct SeatTogether {
    var text: String
    var href: String
    var link: String

    /// - Parameter other: the other request, where it is known.
    /// - Returns: Nil of one that is for one way alone, and to moderators, who see only the one that is disputed.
    init?(_ request: SeatRequest, _ other: SeatRequest? = nil, in words: Words) {
        guard let id = request.together, request.role != nil else { return nil }
        text = words["seats.both.\(request.isOfBothWays ? "orNone" : "was")"]
        href = "/seats/\(id)"
        link = other.map { words["seats.both.named", ["other": $0.ride.said(in: words)]] } ?? words["seats.both.other"]
    }
}

extension SeatRequest {
    /// Whether what is done to it is done to the request on the other way as well.
    var isOfBothWays: Bool { state == .pending && together != nil }

    /// Nil where there is none, or it is not known now.
    func other(_ visit: Visit) async -> SeatRequest? {
        guard role != nil, let together else { return nil }
        return try? await visit.ask(RidesMethods.request, SeatRequestReference(id: together), Nothing(), within: 2)
    }
}

extension SeatAct {
    /// Whether it is done to both ways where both or none were asked for.
    func isOfBothWays(of request: SeatRequest) -> Bool {
        request.isOfBothWays && [.accept, .reject, .withdraw].contains(self)
    }
}

extension RequestedRide {
    /// `Turku → Helsinki, Sunday, 8 March 2026, 18:00`
    func said(in words: Words) -> String {
        let way = words["rides.way", ["from": from, "to": to]]
        return [way, RideClock(zone, in: words).moment(departsAt)].joined(separator: ", ")
    }
}
