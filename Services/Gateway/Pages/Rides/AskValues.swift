import FoundationEssentials
import PlainText
import WireProtocol

/// What was typed by who asks for seats, as it was typed. What is asked for is made of it alone.
struct AskValues {
    /// Another day of the same commute.
    struct Day {
        var ride: RideID
        /// As it was shown.
        var departs: String
    }

    struct Kept {
        var name: String
        var value: String
    }

    static let seats = 1...8
    /// Hours in which an answer is wanted.
    static let answers = ["3", "6", "12", "24"]
    private static let dayPrefix = "day."

    var part: AskPart
    /// Whether the other one of outward and return is asked for too, and where one gets in and out there.
    var isBoth: Bool
    var other: AskPart
    /// What of the other way was left as on this one.
    var mirror: AskMirror
    var seats = "1"
    /// First names, with commas between.
    var riders = ""
    var message = ""
    var within = "24"
    var days: [Day]
    /// The part of the way, and how many seats, whose cost was shown; with that cost and departure.
    var quoted = ""
    var cost = ""
    var departs = ""
    var otherCost = ""
    var otherDeparts = ""

    init(_ form: SubmittedForm) {
        (part, other) = (AskPart(form, .this), AskPart(form, .other))
        (isBoth, mirror) = (form["ways"] == "both", AskMirror(form))
        seats = form["seats"].nonEmpty ?? seats
        (riders, message) = (form["riders"], form["message"])
        within = form["within"].nonEmpty ?? within
        let chosen = form.fields.filter { $0.key.hasPrefix(Self.dayPrefix) }.compactMap { name, departs in
            RideID(String(name.dropFirst(Self.dayPrefix.count))).map { Day(ride: $0, departs: departs) }
        }.sorted { ($0.departs, $0.ride.description) < ($1.departs, $1.ride.description) }
        days = Array(chosen.prefix(AskRides.mostDays))
        (quoted, cost, departs) = (form["quoted"], form["cost"], form["departs"])
        (otherCost, otherDeparts) = (form["otherCost"], form["otherDeparts"])
    }

    /// All the way, where nothing else was chosen, and on the other way the same the other way round.
    mutating func fill(for rides: AskRides) {
        part.fill(for: rides.ride)
        if !rides.mayAskBoth { isBoth = false }
        if let other = rides.other { mirror = AskMirror(of: part, on: rides.ride, along: other) }
    }

    mutating func lookUp(of rides: AskRides, in visit: Visit) async {
        await part.lookUp(of: rides.ride, in: visit)
        guard isBoth, let ride = rides.other else { return }
        await other.lookUp(of: ride, in: visit)
    }

    private var otherFrom: String { other.boarding.written.nonEmpty ?? mirror.from }
    private var otherTo: String { other.leaving.written.nonEmpty ?? mirror.to }

    /// What the cost depends on, to be compared.
    var written: String {
        let parts = [part.boarding.written, part.leaving.written, seats] + (isBoth ? [otherFrom, otherTo] : [])
        return parts.joined(separator: " | ")
    }

    var isQuoted: Bool { !quoted.isEmpty && quoted == written }

    // MARK: As a draft

    /// - Parameter waits: whether to join the list of those who wait.
    func draft(waits: Bool = false) -> SeatDraft {
        let names = riders.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
        return SeatDraft(
            // What is no number is out of range, and said at its field.
            seats: Int(seats) ?? 0, riders: names.isEmpty ? nil : names,
            from: SeatPointDraft(written: part.boarding.written), to: SeatPointDraft(written: part.leaving.written),
            message: message.nonEmpty, answerWithin: Int(within) ?? 0, waitlist: waits ? true : nil,
            together: isBoth && !waits ? together : nil, expected: isQuoted ? Self.expected(cost, departs) : nil)
    }

    /// The same on another day, for the cost that was shown.
    func draft(on day: Day) -> SeatDraft {
        var draft = draft()
        draft.expected?.departsAt = WireJSON.date(from: day.departs)
        draft.together?.expected?.departsAt = nil
        return draft
    }

    private var together: TogetherDraft {
        TogetherDraft(
            from: SeatPointDraft(written: otherFrom), to: SeatPointDraft(written: otherTo),
            expected: isQuoted ? Self.expected(otherCost, otherDeparts) : nil)
    }

    private static func expected(_ cost: String, _ departs: String) -> SeatExpectation {
        SeatExpectation(cost: Int(cost), departsAt: WireJSON.date(from: departs))
    }

    // MARK: Kept in the page

    /// All that was typed, for the page that shows what it comes to.
    var kept: [Kept] {
        let ways = isBoth ? [("ways", "both")] + other.kept : []
        let rest = [("seats", seats), ("riders", riders), ("message", message), ("within", within)]
        let chosen = days.map { ("\(Self.dayPrefix)\($0.ride)", $0.departs) }
        return (part.kept + ways + rest + chosen).map { Kept(name: $0, value: $1) }
    }
}

// MARK: What is wrong with it

extension AskValues {
    /// What is wrong with it before anybody is asked.
    func errors(in words: Words) -> FieldErrors {
        var errors = FieldErrors(words)
        part.check(&errors)
        if isBoth { other.check(&errors) }
        return errors
    }

    /// What the service says of the fields, as the form calls them.
    func errors(_ error: ServiceError, in visit: Visit) -> FieldErrors {
        var errors = FieldErrors(visit.words)
        for wrong in error.errors {
            let name = name(of: wrong.field.split(separator: ".").map(String.init))
            errors.add(name, wrong.code, topic: Self.topics[name], otherwise: wrong.message)
        }
        return errors
    }

    private static let topics = [
        "from": "askStop", "to": "askStop", "boarding": "askPlace", "leaving": "askPlace", "otherFrom": "askStop",
        "otherTo": "askStop", "otherBoarding": "askPlace", "otherLeaving": "askPlace", "ways": "askWays",
        "seats": "askSeats", "riders": "askRiders", "message": "askMessage", "within": "askWithin",
    ]

    private func name(of path: [String]) -> String {
        let first = path.first ?? ""
        switch first {
        case "together": return path.dropFirst().first.flatMap { other.name(of: $0) } ?? "ways"
        case "answerWithin": return "within"
        default: return part.name(of: first) ?? first
        }
    }
}
