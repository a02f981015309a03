import PlainText
import Sentences
import WireProtocol

/// What was typed of a ride, as it was typed: read into a draft, shown again, or kept in the page while other steps are shown.
struct OfferValues {
    /// Of what it is said: of something new, of a ride that is changed, or of a commute that is.
    enum Subject { case offer, ride, commute }

    /// Between the two ends.
    static let mostStops = 6

    var subject = Subject.offer
    var from = PlaceAnswer()
    var stops: [PlaceAnswer] = []
    var to = PlaceAnswer()
    var day = ""
    var time = ""
    /// The later time, of a ride that leaves between two.
    var until = ""
    var repeats = OfferRepeat()
    var wayBack = OfferBack()
    var seats = "3"
    var cost = ""
    /// Kilometres.
    var detour = ""
    var luggage = RideLuggage.small
    var accepts = RideAcceptance.nobody
    var notes = ""
    /// In which its times are meant: of a ride that is changed; empty for the community's.
    var zone = ""
    /// Of what the form was made; nil of a new ride.
    var version: String?
    /// What was there before it was changed: what is still that is not sent.
    var wayBefore: String?
    var timesBefore: String?

    init() {}

    init(_ form: SubmittedForm, of subject: Subject = .offer) {
        self.subject = subject
        from = PlaceAnswer(form, "from")
        let number = min(Self.mostStops, max(0, Int(form["stops"]) ?? 0))
        stops = (0..<number).map { PlaceAnswer(form, Self.stopName($0)) }
        to = PlaceAnswer(form, "to")
        (day, time, until) = (form["day"], form["time"], form["until"])
        (repeats, wayBack) = (OfferRepeat(form), OfferBack(form))
        seats = form.fields["seats"] == nil ? seats : form["seats"]
        (cost, detour, notes) = (form["cost"], form["detour"], form["notes"])
        luggage = RideLuggage(rawValue: form["luggage"]) ?? luggage
        accepts = RideAcceptance(rawValue: form["accepts"]) ?? accepts
        (zone, version) = (form["zone"], form["version"].nonEmpty)
        (wayBefore, timesBefore) = (form["wayBefore"].nonEmpty, form["timesBefore"].nonEmpty)
    }

    /// A ride that is changed.
    init(_ ride: Ride) {
        subject = .ride
        takeWay(of: ride.stops)
        let (leaves, latest) = (WallTime(at: ride.departsAt, in: ride.zone), ride.leavesBy)
        (day, time) = (leaves.day.text, CivilText.time(leaves))
        until = latest.map { CivilText.time(WallTime(at: $0, in: ride.zone)) } ?? ""
        takeTerms(of: ride)
        (zone, version) = (ride.zone, ride.version)
        (wayBefore, timesBefore) = (way, times)
    }

    /// The way back of a ride: all of it but when.
    init(backOf ride: Ride) {
        takeWay(of: ride.stops.reversed())
        takeTerms(of: ride)
    }

    private mutating func takeWay(of driven: [RideStop]) {
        takeWay(of: driven.map { PlaceChoice(position: $0.position, label: $0.address ?? $0.name) })
    }

    mutating func takeWay(of places: [PlaceChoice]) {
        let answers = places.map { PlaceAnswer(chosen: $0) }
        (from, to) = (answers.first ?? PlaceAnswer(), answers.last ?? PlaceAnswer())
        stops = Array(answers.dropFirst().dropLast())
    }

    private mutating func takeTerms(of ride: Ride) {
        seats = String(ride.seats)
        cost = Self.text(of: ride.cost)
        detour = Kilometres.text(of: ride.maxDetour)
        (luggage, accepts, notes) = (ride.luggage, ride.accepts, ride.notes ?? "")
    }

    /// Empty where it costs nothing.
    static func text(of cost: Money?) -> String {
        cost.flatMap { $0.amount > 0 ? MoneyText.number($0, separator: ".") : nil } ?? ""
    }

    /// Whether it is driven on the same days of each week.
    var isCommute: Bool { subject == .commute || (subject == .offer && repeats.isOn) }

    /// Whether a way back is said. Of a ride that is changed it is not: the way back has a form of its own.
    var hasWayBack: Bool { subject != .ride && wayBack.isOn }

    /// What is said under the field of the detour: a change that leaves it empty is none, but of a commute that says nothing of it.
    var detourHint: String {
        version == nil || (subject == .commute && detour.isEmpty) ? "detourHint" : "detourChange"
    }

    /// What the button says that posts it.
    var submit: String { isCommute ? "submitCommute" : hasWayBack ? "submitBoth" : "submit" }

    /// How the form calls the field of a stop between the ends.
    static func stopName(_ index: Int) -> String { "stop\(index + 1)" }

    /// Adds a stop between the ends, or takes one away, as a button of the form says.
    /// - Returns: whether it is one of these buttons.
    mutating func changeStops(_ go: String) -> Bool {
        if go == "add" {
            if stops.count < Self.mostStops { stops.append(PlaceAnswer()) }
            return true
        }
        guard go.hasPrefix("drop ") else { return false }
        if let index = Int(go.dropFirst(5)), stops.indices.contains(index) { stops.remove(at: index) }
        return true
    }

    /// The places in the order in which they are driven to, with the names of their fields; a stop that was left empty is none.
    var places: [(name: String, answer: PlaceAnswer)] {
        let between = stops.enumerated().map { (name: Self.stopName($0), answer: $1) }
        return [("from", from)] + between.filter { !$0.answer.text.isEmpty } + [("to", to)]
    }

    /// What tells one way from another.
    var way: String { places.map { $0.answer.chosen?.written ?? "?" }.joined(separator: " | ") }
    var times: String { [day, time, until].joined(separator: "/") }

    /// What only places knows: which of the places are meant that were typed and not chosen.
    mutating func lookUp(in visit: Visit) async {
        let center = visit.community.center
        await from.lookUp(near: center, in: visit)
        for index in stops.indices { await stops[index].lookUp(near: from.chosen?.position ?? center, in: visit) }
        await to.lookUp(near: from.chosen?.position ?? center, in: visit)
    }
}

/// Kilometres as people write them, of whole metres.
enum Kilometres {
    /// `7`, `7.5`, `7,5`; nil where it is no such number, or less than nothing.
    static func metres(_ text: String) -> Int? {
        let plain = text.replacing(",", with: ".")
        guard !plain.contains(where: { "eE+-".contains($0) }), let value = Double(decimal: plain), value < 100_000
        else { return nil }
        return Int((value * 1000).rounded())
    }

    /// For a form's field.
    static func text(of metres: Int) -> String {
        metres % 1000 == 0 ? String(metres / 1000) : String(Double(metres) / 1000)
    }
}

extension PlaceChoice {
    /// What everybody may know of it: a street and a town, without the number of the house.
    var open: String { Neighbourhood.withoutNumbers(label).nonEmpty ?? label }

    /// The whole of it, where that says more than everybody may know.
    var door: String? { open == label ? nil : label }
}
