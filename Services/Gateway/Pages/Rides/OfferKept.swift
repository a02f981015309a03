import WireProtocol

extension OfferValues {
    /// A field that a page keeps and does not show.
    struct Kept {
        var name: String
        var value: String
    }

    /// All that was typed in other steps than the one that is shown.
    func kept(showing shown: OfferStep) -> [Kept] {
        OfferStep.asking.filter { $0 != shown }.flatMap { kept(of: $0) }
    }

    private func kept(of step: OfferStep) -> [Kept] {
        switch step {
        case .place:
            let between = stops.enumerated().flatMap { Self.kept(Self.stopName($0), $1) }
            return Self.kept("from", from) + [Kept(name: "stops", value: String(stops.count))] + between
                + Self.kept("to", to)
        case .when:
            return Self.kept(
                [("day", day), ("time", time), ("until", until)] + repeats.typed + wayBack.typedTimes)
        case .seats:
            return Self.kept([
                ("seats", seats), ("cost", cost), ("detour", detour), ("luggage", luggage.rawValue),
                ("accepts", accepts.rawValue), ("notes", notes), ("backSeats", wayBack.seats),
                ("backCost", wayBack.cost),
            ])
        case .summary: return []
        }
    }

    private static func kept(_ pairs: [(String, String)]) -> [Kept] {
        pairs.map { Kept(name: $0, value: $1) }
    }

    private static func kept(_ name: String, _ answer: PlaceAnswer) -> [Kept] {
        kept([(name, answer.text), ("\(name).at", answer.chosen?.written ?? "")])
    }
}
