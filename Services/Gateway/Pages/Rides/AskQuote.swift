import FoundationEssentials
import WireProtocol

/// What seats on a part of a ride would cost, and the way that its driver would go for them (`rides/ask-quote`); of both ways where both are asked for.
struct AskQuote {
    /// One way.
    struct Leg {
        /// Which way it is, where there are two.
        var title: String?
        var boards: String
        var boarding: String
        var leaves: String
        var leaving: String
        var cost: String
        var detour: String?
    }

    struct Quote {
        var legs: [Leg]
        var seats: String
        /// Of both ways together.
        var sum: String?
        var free: String
        /// That there is no room, and how many wait already.
        var full: String?
    }

    var quote: Quote?
    /// What is shown, which comes back with the form: nothing else is asked for unseen.
    var quoted: String?
    var cost: String
    var departs: String
    /// The same of the other way.
    var otherCost: String
    var otherDeparts: String
    var mirrorFrom: String
    var mirrorTo: String
    /// Points of one's own, for the map: `60.17,24.95;60.4,25.1`.
    var points: String
    /// What is wrong, said where the cost would stand.
    var trouble: String?

    /// - Parameter quote: nil where it is not known.
    init(
        _ quote: SeatQuote?, of rides: AskRides, _ values: AskValues, _ errors: FieldErrors? = nil, in visit: Visit
    ) {
        self.quote = quote.map { Quote($0, of: rides.ride, in: visit.words) }
        quoted = quote.map { _ in values.written }
        cost = String(quote?.cost?.amount ?? 0)
        departs = WireJSON.text(of: rides.ride.departsAt)
        otherCost = String(quote?.together?.cost?.amount ?? 0)
        otherDeparts = quote?.together.map { WireJSON.text(of: $0.ride.departsAt) } ?? ""
        (mirrorFrom, mirrorTo) = (values.mirror.from, values.mirror.to)
        let ends = [quote?.boarding, quote?.leaving, quote?.together?.boarding, quote?.together?.leaving]
        points = ends.compactMap(\.self).filter { $0.stop == nil }.map(\.position.written).joined(separator: ";")
        let said = errors.map { $0.messages.sorted { $0.key < $1.key }.map(\.value) } ?? []
        trouble = quote == nil && !said.isEmpty ? said.joined(separator: " ") : nil
    }
}

extension SeatQuote {
    /// Whether one of the ways has no room.
    var isFull: Bool { free < seats || (together.map { $0.free < seats } ?? false) }

    /// Whether one can join the list: for one way alone.
    var waits: Bool { free < seats && together == nil }
}

extension AskQuote.Quote {
    init(_ quote: SeatQuote, of ride: Ride, in words: Words) {
        let clock = RideClock(ride.zone, in: words)
        let way = words["rides.way", ["from": ride.from, "to": ride.to]]
        legs = [
            AskQuote.Leg(
                quote.together == nil ? nil : way, quote.boarding, quote.leaving, quote.cost,
                RideDetour.text(quote.detour, quote.detourSeconds, in: words), clock)
        ]
        seats = words["seats.number", count: quote.seats]
        free = words["seats.free", count: min(quote.free, quote.together?.free ?? quote.free)]
        if quote.waits { full = words["seats.ask.full", count: quote.waiting] }
        guard let other = quote.together else { return }
        let back = words["rides.way", ["from": other.ride.from, "to": other.ride.to]]
        legs.append(
            AskQuote.Leg(
                back, other.boarding, other.leaving, other.cost,
                RideDetour.text(other.detour, other.detourSeconds, in: words), RideClock(other.ride.zone, in: words)))
        sum = [quote.cost, other.cost].sum.priceText(in: words)
        if quote.isFull { full = words["seats.ask.fullBoth"] }
    }
}

extension AskQuote.Leg {
    fileprivate init(
        _ title: String?, _ from: SeatPoint, _ to: SeatPoint, _ cost: Money?, _ detour: String?, _ clock: RideClock
    ) {
        self.title = title
        (boards, boarding) = (clock.moment(from.time), from.name)
        (leaves, leaving) = (clock.time(to.time, after: from.time), to.name)
        self.cost = cost.priceText(in: clock.words)
        self.detour = detour
    }
}

extension [Money?] {
    /// Of one currency; nil where all of it costs nothing.
    fileprivate var sum: Money? {
        let amounts = compactMap(\.self)
        return amounts.first.map { Money(amount: amounts.reduce(0) { $0 + $1.amount }, currency: $0.currency) }
    }
}
