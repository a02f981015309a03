import FoundationEssentials
import WireProtocol

/// What seats on a part of a ride would cost, and the way that its driver would go for them (`rides/ask-quote`).
struct AskQuote {
    struct Quote {
        var boards: String
        var boarding: String
        var leaves: String
        var leaving: String
        var seats: String
        var cost: String
        var detour: String?
        var free: String
        /// That there is no room, and how many wait already.
        var full: String?
    }

    var quote: Quote?
    /// What is shown, which comes back with the form: nothing else is asked for unseen.
    var quoted: String?
    var cost: String
    var departs: String
    /// What is wrong, said where the cost would stand.
    var trouble: String?

    /// - Parameter quote: nil where it is not known.
    init(_ quote: SeatQuote?, of ride: Ride, _ values: AskValues, _ errors: FieldErrors? = nil, in visit: Visit) {
        self.quote = quote.map { Quote($0, of: ride, in: visit.words) }
        quoted = quote.map { _ in values.written }
        cost = String(quote?.cost?.amount ?? 0)
        departs = WireJSON.text(of: ride.departsAt)
        let said = errors.map { $0.messages.sorted { $0.key < $1.key }.map(\.value) } ?? []
        trouble = quote == nil && !said.isEmpty ? said.joined(separator: " ") : nil
    }
}

extension AskQuote.Quote {
    init(_ quote: SeatQuote, of ride: Ride, in words: Words) {
        let clock = RideClock(ride.zone, in: words)
        boards = clock.moment(quote.boarding.time)
        boarding = quote.boarding.name
        leaves = clock.time(quote.leaving.time, after: quote.boarding.time)
        leaving = quote.leaving.name
        seats = words["seats.number", count: quote.seats]
        cost = quote.cost.priceText(in: words)
        detour = quote.detour == 0 ? nil : words["seats.detour", ["way": Distance.reach(quote.detour, in: words)]]
        free = words["seats.free", count: quote.free]
        if quote.free < quote.seats { full = words["seats.ask.full", count: quote.waiting] }
    }
}
