import PlainText
import WireProtocol

/// The period that one chooses, and what it would cost (`rentals/choose`).
struct RentChoice {
    struct Input {
        var name: String
        var label: String
        /// `date`, or `datetime-local` of whole hours.
        var type: String
        var step: String?
        var value: String
        var earliest: String
        var error: String?
        var hint: String?
        var describedBy: String?
        var focus = false
    }

    struct Quote {
        var period: String
        var units: String
        var cost: String
        /// `4 × $30`
        var each: String?
        var zone: String
        var starts: Moment
        var ends: Moment
    }

    var action: String
    var inputs: [Input]
    var months: MonthsView
    var quote: Quote?
    /// The period whose cost is shown, which comes back with the form: nothing else is asked for unseen.
    var quoted: String?
    /// What is wrong with the period, said where its cost would stand.
    var trouble: String?
    /// One's own agreement, where that is what has this time.
    var own: String?
    var waits: String

    /// Asks listings what the period would cost, where there is one, and for the days that are shown.
    init(
        of thing: Thing, _ choice: MonthsView.Choice, error: ServiceError? = nil, in visit: Visit
    ) async throws {
        let words = visit.words
        action = "/things/\(thing.id)/rent"
        let reach = choice.from.map { MonthsWindow.Reach.ending(from: $0) } ?? .asking
        let asked = MonthsWindow(of: thing, chosen: choice.from, reach: reach, in: visit)
        let (calendar, window) = try await visit.calendar(asked)
        months = MonthsView(calendar, window, .pick(path: action), here: action, chosen: choice, in: words)
        waits = words["rentals.rent.waits.\(thing.terms.unit.rawValue)"]
        var wrong = error.map { FieldErrors($0, words, topics: Self.topics) } ?? FieldErrors(words)
        if let from = choice.from, let until = choice.until {
            do {
                let query = RentalQuoteQuery(id: thing.id, from: from, until: until)
                let found = try await visit.ask(ListingsMethods.quoteRental, query, Nothing())
                quote = Quote(found, of: thing, from, until, in: visit)
                own = found.rental.map { "/rentals/\($0)" }
                if own != nil {
                    wrong.add("from", "own", topic: "rental")
                } else if !found.isFree {
                    wrong.add("from", "taken", topic: "rental")
                }
            } catch let refusal as ServiceError where refusal.code == .invalid {
                wrong = FieldErrors(refusal, words, topics: Self.topics)
            }
        }
        trouble = ["from", "until"].compactMap { wrong.messages[$0] }.joined(separator: " ").nonEmpty
        if trouble != nil { quote = nil }
        if quote != nil { quoted = Self.written(choice) }
        let longest = thing.terms.longest.map { words["rentals.rent.longest.\(thing.terms.unit.rawValue)", count: $0] }
        inputs = [
            Self.input("from", choice.from, wrong, thing, window, hint: nil, words),
            Self.input("until", choice.until, wrong, thing, window, hint: longest, words),
        ]
        // The first that is wrong has the focus, where one comes to a whole page.
        if let first = inputs.firstIndex(where: { $0.error != nil }), !visit.isFragment { inputs[first].focus = true }
    }

    static let topics = ["from": "rental", "until": "rental"]

    static func written(_ choice: MonthsView.Choice) -> String { "\(choice.from ?? "") \(choice.until ?? "")" }

    private static func input(
        _ name: String, _ value: String?, _ wrong: FieldErrors, _ thing: Thing, _ window: MonthsWindow, hint: String?,
        _ words: Words
    ) -> Input {
        let byHour = thing.terms.unit == .hour
        let error = wrong.messages[name]
        let described = [error == nil ? nil : "\(name)-error", hint == nil ? nil : "\(name)-hint"]
        return Input(
            name: name, label: words["rentals.rent.\(name).\(thing.terms.unit.rawValue)"],
            type: byHour ? "datetime-local" : "date", step: byHour ? "3600" : nil, value: value ?? "",
            earliest: byHour ? "\(window.now.day.text)T00:00" : window.now.day.text, error: error, hint: hint,
            describedBy: described.compactMap { $0 }.joined(separator: " ").nonEmpty)
    }
}

extension RentChoice.Quote {
    init(_ quote: RentalQuote, of thing: Thing, _ from: String, _ until: String, in visit: Visit) {
        let words = visit.words
        period = CivilText.period(from, until, in: words)
        let count = thing.terms.unit.text(of: quote.units, in: words)
        units = count
        cost = quote.cost.map { Price.text($0, in: words) } ?? words["rentals.nothing"]
        each = thing.terms.price.map { "\(count) × \(Price.text($0, in: words))" }
        zone = thing.terms.zone
        starts = visit.moment(quote.startsAt, .due)
        ends = visit.moment(quote.endsAt, .due)
    }
}
