import PlainText
import WireProtocol

/// Where somebody gets in or out, as it was typed: one of the driver's stops, or a point of one's own, which counts in its place.
struct AskEnd {
    /// The number of a stop; of the other way empty for where this way has it.
    var stop = ""
    var own = PlaceAnswer()

    init() {}

    init(_ form: SubmittedForm, _ stopName: String, _ ownName: String) {
        (stop, own) = (form[stopName], PlaceAnswer(form, ownName))
        // A search leads here with points of its own.
        if let point = PlaceChoice(written: stop) { (stop, own) = ("", PlaceAnswer(chosen: point)) }
    }

    /// What counts of it, as the page keeps it.
    var written: String { own.chosen?.written ?? stop }
}

/// The part of a way that is asked for, as it was typed.
struct AskPart {
    /// What its fields are called.
    struct Names {
        var from: String
        var to: String
        var boarding: String
        var leaving: String

        static let this = Names(from: "from", to: "to", boarding: "boarding", leaving: "leaving")
        static let other = Names(
            from: "otherFrom", to: "otherTo", boarding: "otherBoarding", leaving: "otherLeaving")
    }

    let names: Names
    var boarding: AskEnd
    var leaving: AskEnd

    init(_ form: SubmittedForm, _ names: Names) {
        self.names = names
        boarding = AskEnd(form, names.from, names.boarding)
        leaving = AskEnd(form, names.to, names.leaving)
    }

    /// Takes all of the way, where nothing else was chosen.
    mutating func fill(for ride: Ride) {
        let (starts, ends) = (ride.stops.indices.dropLast(), ride.stops.indices.dropFirst())
        if Int(boarding.stop).map({ starts.contains($0) }) != true { boarding.stop = "0" }
        if Int(leaving.stop).map({ ends.contains($0) }) != true { leaving.stop = String(ends.last ?? 1) }
    }

    mutating func lookUp(of ride: Ride, in visit: Visit) async {
        await boarding.own.lookUp(near: ride.stops.first?.position, in: visit)
        await leaving.own.lookUp(near: ride.stops.last?.position, in: visit)
    }

    /// What is wrong with it before anybody is asked.
    func check(_ errors: inout FieldErrors) {
        for (name, end) in [(names.boarding, boarding), (names.leaving, leaving)] {
            if let trouble = end.own.trouble { errors.add(name, trouble.rawValue, topic: "askPlace") }
        }
    }

    /// What the form calls a field of the service's.
    func name(of field: String) -> String? {
        switch field {
        case "from": boarding.own.chosen == nil ? names.from : names.boarding
        case "to": leaving.own.chosen == nil ? names.to : names.leaving
        // The way there is too far, for one of the points or for both.
        case "detour": boarding.own.chosen == nil && leaving.own.chosen != nil ? names.leaving : names.boarding
        default: nil
        }
    }

    /// All that was typed of it.
    var kept: [(String, String)] {
        [(names.from, names.boarding, boarding), (names.to, names.leaving, leaving)].flatMap { stop, own, end in
            [(stop, end.stop), (own, end.own.text), ("\(own).at", end.own.chosen?.written ?? "")]
        }
    }
}

/// The part of the other way that is the same as one of this way, the other way round, as the page keeps it.
struct AskMirror {
    var from = ""
    var to = ""

    init(_ form: SubmittedForm) { (from, to) = (form["mirrorFrom"], form["mirrorTo"]) }

    init(of part: AskPart, on ride: Ride, along other: Ride) {
        from = Self.end(part.leaving, of: ride, along: other)
        to = Self.end(part.boarding, of: ride, along: other)
    }

    private static func end(_ end: AskEnd, of ride: Ride, along other: Ride) -> String {
        // Where its driver keeps to their stops, a point of one's own is none there.
        if let point = end.own.chosen, other.detourLeft > 0 { return point.written }
        let number = Int(end.stop) ?? 0
        let name = ride.stops.indices.contains(number) ? ride.stops[number].name : ""
        return String(other.stops.firstIndex { $0.name == name } ?? max(0, other.stops.count - 1 - number))
    }
}

extension SeatPointDraft {
    /// A point of one's own, or the number of a stop, as the page keeps it.
    init(written text: String) {
        if let own = PlaceChoice(written: text) {
            self.init(name: own.open, address: own.door, position: own.position)
        } else {
            self.init(stop: Int(text))
        }
    }
}
