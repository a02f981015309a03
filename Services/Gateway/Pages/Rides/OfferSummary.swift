import WireProtocol

/// All that is said of a ride, and what the service makes of it, to be looked over before others see it. Each line leads back to the step that
/// says it.
struct OfferSummary {
    struct Line {
        var label: String
        var text: String
        var step: String
        var change: String
    }

    /// There, and back where there is a way back.
    var ways: [OfferWay]
    var lines: [Line]
    var notes: String?
    /// Of a commute.
    var days: OfferDays?

    init(_ quote: OfferQuote, _ values: OfferValues, in visit: Visit) {
        let (words, ride) = (visit.words, quote.ride)
        let clock = RideClock(ride.zone, in: words)
        ways = [OfferWay(ride, clock)]
        if let back = ride.returnRide {
            ways[0].heading = words["offer.both.there"]
            ways.append(OfferWay(back, clock))
        }
        notes = values.notes.isEmpty ? nil : values.notes
        days = quote.commute.map {
            OfferDays($0, isBoth: ride.returnRide != nil, CommuteDays(ride.zone, in: visit))
        }
        lines = Self.lines(values, currency: visit.community.currency, CommuteDays(ride.zone, in: visit))
    }

    private static func lines(_ values: OfferValues, currency: String, _ days: CommuteDays) -> [Line] {
        let words = days.clock.words
        func line(_ key: String, _ text: String, _ step: OfferStep) -> Line {
            let label = words["offer.line.\(key)"]
            return Line(label: label, text: text, step: step.rawValue, change: words["offer.change", ["what": label]])
        }
        func seats(_ text: String) -> String { words["seats.number", count: Int(text) ?? 0] }
        func cost(_ text: String) -> String {
            let amount = Price.amount(text, currency: currency) ?? 0
            return Optional(Money(amount: amount, currency: currency)).priceText(in: words)
        }
        var lines: [Line] = []
        if values.isCommute {
            let text = Weekday.said(values.repeats.weekdays, in: words)
            let until = days.short(values.repeats.last)
            lines.append(line("repeat", words["offer.repeat.said", ["days": text, "until": until]], .when))
        }
        let back = values.hasWayBack ? values.wayBack : OfferBack()
        if !values.until.isEmpty { lines.append(line("until", values.until, .when)) }
        if !back.until.isEmpty { lines.append(line("backUntil", back.until, .when)) }
        lines.append(line("seats", seats(values.seats), .seats))
        lines.append(line("cost", cost(values.cost), .seats))
        if !back.seats.isEmpty { lines.append(line("backSeats", seats(back.seats), .seats)) }
        if !back.cost.isEmpty { lines.append(line("backCost", cost(back.cost), .seats)) }
        return lines + [
            line("detour", detour(values, in: words), .seats),
            line("luggage", words["offer.luggage.\(values.luggage.rawValue).name"], .seats),
            line("accepts", words["offer.accepts.\(values.accepts.rawValue).name"], .seats),
        ]
    }

    private static func detour(_ values: OfferValues, in words: Words) -> String {
        guard let metres = Kilometres.metres(values.detour) else { return words["offer.detourUsual"] }
        return metres == 0
            ? words["offer.detourNone"] : words["offer.detour", ["way": Distance.reach(metres, in: words)]]
    }
}
