import FoundationEssentials
import WireProtocol

/// One way of what is offered, as the service makes it (`rides/offer-way`).
struct OfferWay {
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

    /// Which of two it is.
    var heading: String?
    var title: String
    var when: String
    var arrives: String
    var length: String
    var stops: [Stop]
    var warnings: [String]
    /// What a seat costs on each part of the way; nothing where that is only one.
    var parts: [Part]
    var hasParts: Bool
    var highest: String?

    init(_ quote: RideQuote, _ clock: RideClock) {
        self.init(
            quote.stops, from: quote.departsAt, until: quote.arrivesAt, length: quote.length, quote.costs,
            quote.warnings, highest: quote.highestCost, clock)
    }

    init(_ quote: ReturnQuote, _ clock: RideClock) {
        self.init(
            quote.stops, from: quote.departsAt, until: quote.arrivesAt, length: quote.length, quote.costs,
            quote.warnings, highest: quote.highestCost, clock)
        heading = clock.words["offer.both.back"]
    }

    private init(
        _ stops: [RideStop], from departure: Date, until arrival: Date, length: Int, _ costs: [Money],
        _ warnings: [RideWarning], highest: Money?, _ clock: RideClock
    ) {
        let (words, names) = (clock.words, stops.map(\.name))
        title = words["rides.way", ["from": names.first ?? "", "to": names.last ?? ""]]
        when = clock.moment(departure)
        arrives = clock.time(arrival, after: departure)
        self.length = Distance.reach(length, in: words)
        self.stops = stops.map {
            Stop(time: clock.time($0.time, after: departure), name: $0.name, address: $0.address)
        }
        self.warnings = warnings.map { words["offer.warning.\($0.rawValue)"] }
        parts = zip(zip(names, names.dropFirst()), costs).map { ends, cost in
            Part(way: words["rides.way", ["from": ends.0, "to": ends.1]], cost: Optional(cost).priceText(in: words))
        }
        if parts.count < 2 { parts = [] }
        hasParts = !parts.isEmpty
        self.highest = highest.map { words["offer.highest", ["cost": Price.text($0, in: words)]] }
    }
}

/// All days of a commute that is offered, and those on which there is none (`rides/offer-days`).
struct OfferDays {
    var title: String
    var days: [String]
    var gaps: [CommuteGap]
    var anyGaps: Bool

    init(_ quote: RideSeriesQuote, isBoth: Bool, _ days: CommuteDays) {
        let words = days.clock.words
        title = words["offer.days.\(isBoth ? "both" : "rides")", count: quote.days.count]
        self.days = quote.days.map(days.named)
        gaps = quote.gaps.map { CommuteGap($0, days) }
        anyGaps = !gaps.isEmpty
    }
}
