import WireProtocol

/// All that is said of a ride, and what the service makes of it, to be looked over before others see it. Each line leads back to the step that
/// says it.
struct OfferSummary {
    struct Stop {
        var time: String
        var name: String
        /// The door, which only who rides along is told.
        var address: String?
    }

    struct Part {
        var way: String
        var cost: String
    }

    struct Line {
        var label: String
        var text: String
        var step: String
        var change: String
    }

    var title: String
    var when: String
    var arrives: String
    var length: String
    var stops: [Stop]
    var warnings: [String]
    var lines: [Line]
    /// What a seat costs on each part of the way; nothing where that is only one.
    var parts: [Part]
    var hasParts: Bool
    var highest: String?
    var notes: String?

    init(_ quote: RideQuote, _ values: OfferValues, in visit: Visit) {
        let (words, clock) = (visit.words, RideClock(quote.zone, in: visit.words))
        let names = quote.stops.map(\.name)
        title = words["rides.way", ["from": names.first ?? "", "to": names.last ?? ""]]
        when = clock.moment(quote.departsAt)
        arrives = clock.time(quote.arrivesAt, after: quote.departsAt)
        length = Distance.reach(quote.length, in: words)
        stops = quote.stops.map {
            Stop(time: clock.time($0.time, after: quote.departsAt), name: $0.name, address: $0.address)
        }
        warnings = quote.warnings.map { words["offer.warning.\($0.rawValue)"] }
        parts = zip(zip(names, names.dropFirst()), quote.costs).map { ends, cost in
            Part(way: words["rides.way", ["from": ends.0, "to": ends.1]], cost: Optional(cost).priceText(in: words))
        }
        if parts.count < 2 { parts = [] }
        hasParts = !parts.isEmpty
        highest = quote.highestCost.map { words["offer.highest", ["cost": Price.text($0, in: words)]] }
        notes = values.notes.isEmpty ? nil : values.notes
        let amount = Price.amount(values.cost, currency: visit.community.currency) ?? 0
        let cost = Money(amount: amount, currency: visit.community.currency)
        func line(_ key: String, _ text: String, _ step: OfferStep) -> Line {
            let label = words["offer.line.\(key)"]
            return Line(label: label, text: text, step: step.rawValue, change: words["offer.change", ["what": label]])
        }
        lines = [
            line("seats", words["seats.number", count: Int(values.seats) ?? 0], .seats),
            line("cost", Optional(cost).priceText(in: words), .seats),
            line("detour", Self.detour(values, in: words), .seats),
            line("luggage", words["offer.luggage.\(values.luggage.rawValue).name"], .seats),
            line("accepts", words["offer.accepts.\(values.accepts.rawValue).name"], .seats),
        ]
        if !values.until.isEmpty { lines.insert(line("until", values.until, .when), at: 0) }
    }

    private static func detour(_ values: OfferValues, in words: Words) -> String {
        guard let metres = Kilometres.metres(values.detour) else { return words["offer.detourUsual"] }
        return metres == 0
            ? words["offer.detourNone"] : words["offer.detour", ["way": Distance.reach(metres, in: words)]]
    }
}
