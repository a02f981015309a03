import FoundationEssentials
import PlainText
import WireProtocol

/// What was typed by who asks for seats, as it was typed.
struct AskValues {
    static let seats = 1...8
    /// Hours in which an answer is wanted.
    static let answers = ["3", "6", "12", "24"]

    /// Numbers of the driver's stops.
    var from = ""
    var to = ""
    /// Points of one's own, which count in place of the stops.
    var boarding = PlaceAnswer()
    var leaving = PlaceAnswer()
    var seats = "1"
    /// First names, with commas between.
    var riders = ""
    var message = ""
    var within = "24"
    /// The part of the way, and how many seats, whose cost was shown; with that cost and departure.
    var quoted = ""
    var cost = ""
    var departs = ""

    init(_ form: SubmittedForm) {
        (from, to) = (form["from"], form["to"])
        (boarding, leaving) = (PlaceAnswer(form, "boarding"), PlaceAnswer(form, "leaving"))
        seats = form["seats"].nonEmpty ?? seats
        (riders, message) = (form["riders"], form["message"])
        within = form["within"].nonEmpty ?? within
        (quoted, cost, departs) = (form["quoted"], form["cost"], form["departs"])
        // A search leads here with points of its own.
        if let point = PlaceChoice(written: from) { (from, boarding) = ("", PlaceAnswer(chosen: point)) }
        if let point = PlaceChoice(written: to) { (to, leaving) = ("", PlaceAnswer(chosen: point)) }
    }

    /// All the way, where nothing else was chosen.
    mutating func fill(for ride: Ride) {
        let (starts, ends) = (ride.stops.indices.dropLast(), ride.stops.indices.dropFirst())
        if Int(from).map({ starts.contains($0) }) != true { from = "0" }
        if Int(to).map({ ends.contains($0) }) != true { to = String(ends.last ?? 1) }
    }

    mutating func lookUp(of ride: Ride, in visit: Visit) async {
        await boarding.lookUp(near: ride.stops.first?.position, in: visit)
        await leaving.lookUp(near: ride.stops.last?.position, in: visit)
    }

    /// What the cost depends on, to be compared.
    var written: String {
        [boarding.chosen?.written ?? from, leaving.chosen?.written ?? to, seats].joined(separator: " | ")
    }

    var isQuoted: Bool { !quoted.isEmpty && quoted == written }

    // MARK: As a draft

    /// What is wrong with it before anybody is asked.
    func errors(in words: Words) -> FieldErrors {
        var errors = FieldErrors(words)
        for (name, answer) in [("boarding", boarding), ("leaving", leaving)] {
            if let trouble = answer.trouble { errors.add(name, trouble.rawValue, topic: "askPlace") }
        }
        return errors
    }

    /// - Parameter waits: whether to join the list of those who wait.
    func draft(waits: Bool = false) -> SeatDraft {
        let names = riders.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
        return SeatDraft(
            // What is no number is out of range, and said at its field.
            seats: Int(seats) ?? 0, riders: names.isEmpty ? nil : names, from: Self.point(boarding, from),
            to: Self.point(leaving, to), message: message.nonEmpty, answerWithin: Int(within) ?? 0,
            waitlist: waits ? true : nil, expected: expected)
    }

    private var expected: SeatExpectation? {
        guard isQuoted else { return nil }
        return SeatExpectation(cost: Int(cost), departsAt: WireJSON.date(from: departs))
    }

    private static func point(_ own: PlaceAnswer, _ stop: String) -> SeatPointDraft {
        guard let chosen = own.chosen else { return SeatPointDraft(stop: Int(stop)) }
        return SeatPointDraft(name: chosen.open, address: chosen.door, position: chosen.position)
    }

    /// What the service says of the fields, as the form calls them.
    func errors(_ error: ServiceError, in visit: Visit) -> FieldErrors {
        var errors = FieldErrors(visit.words)
        for wrong in error.errors {
            let name = name(of: String(wrong.field.prefix { $0 != "." }))
            errors.add(name, wrong.code, topic: Self.topics[name], otherwise: wrong.message)
        }
        return errors
    }

    private static let topics = [
        "from": "askStop", "to": "askStop", "boarding": "askPlace", "leaving": "askPlace", "seats": "askSeats",
        "riders": "askRiders", "message": "askMessage", "within": "askWithin",
    ]

    private func name(of field: String) -> String {
        switch field {
        case "from": boarding.chosen == nil ? "from" : "boarding"
        case "to": leaving.chosen == nil ? "to" : "leaving"
        // The way there is too far, for one of the points or for both.
        case "detour": boarding.chosen == nil && leaving.chosen != nil ? "leaving" : "boarding"
        case "answerWithin": "within"
        default: field
        }
    }
}

// MARK: Kept in the page

extension AskValues {
    /// All that was typed, for the page that shows what it comes to.
    var kept: [OfferValues.Kept] {
        [
            ("from", from), ("to", to), ("boarding", boarding.text), ("boarding.at", boarding.chosen?.written ?? ""),
            ("leaving", leaving.text), ("leaving.at", leaving.chosen?.written ?? ""), ("seats", seats),
            ("riders", riders), ("message", message), ("within", within),
        ].map { OfferValues.Kept(name: $0, value: $1) }
    }
}
