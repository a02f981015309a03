import PlainText
import WireProtocol

/// The fields by which somebody asks for seats.
struct AskForm {
    struct Choice {
        var value: String
        var name: String
        var meaning: String?
        var chosen: Bool
        var focus: Bool
    }

    /// Another day of the same commute.
    struct Day {
        var name: String
        var value: String
        var text: String
        var chosen: Bool
    }

    var way: AskWay
    /// This way only, or both; none where there is no other way that can be asked for.
    var ways: [Choice]
    var hasWays: Bool
    var waysError: String?
    var otherTitle: String
    var other: AskWay?
    var seats: Field
    var riders: Field
    var message: Field
    var within: Field
    var days: [Day]
    var hasDays: Bool

    init(_ values: AskValues, of rides: AskRides, _ errors: FieldErrors?, in visit: Visit) {
        let words = visit.words
        let other = rides.mayAskBoth ? rides.other : nil
        var fields = AskWay.fields(values.part, of: rides.ride, in: words) + [Field("ways", "")]
        if let other { fields += AskWay.fields(values.other, of: other, isOther: true, in: words) }
        fields += Self.fields(values, of: rides.ride, in: words)
        errors?.mark(&fields)
        let byName = Dictionary(fields.map { ($0.name, $0) }) { first, _ in first }
        func field(_ name: String) -> Field { byName[name] ?? Field(name, name) }
        way = AskWay(values.part, of: rides.ride, field, in: visit)
        ways = other.map { Self.ways(values, $0, isFocused: field("ways").focus, in: words) } ?? []
        hasWays = !ways.isEmpty
        waysError = field("ways").error
        self.other = other.map { AskWay(values.other, of: $0, field, in: visit) }
        otherTitle = other.map { $0.said(in: words) } ?? ""
        (seats, riders, message, within) = (field("seats"), field("riders"), field("message"), field("within"))
        days = Self.days(values, of: rides, in: words)
        hasDays = !days.isEmpty
    }

    private static func ways(_ values: AskValues, _ other: Ride, isFocused: Bool, in words: Words) -> [Choice] {
        let both = words["seats.ask.ways.bothMeaning", ["other": other.said(in: words)]]
        return [
            Choice(
                value: "one", name: words["seats.ask.ways.one"], chosen: !values.isBoth, focus: isFocused),
            Choice(
                value: "both", name: words["seats.ask.ways.both"], meaning: both, chosen: values.isBoth, focus: false),
        ]
    }

    private static func days(_ values: AskValues, of rides: AskRides, in words: Words) -> [Day] {
        let chosen = Set(values.days.map(\.ride))
        return rides.days.map { ride in
            let clock = RideClock(ride.zone, in: words)
            return Day(
                name: "day.\(ride.id)", value: WireJSON.text(of: ride.departsAt),
                text: clock.moment(ride.departsAt, ride.leavesBy), chosen: chosen.contains(ride.id))
        }
    }

    private static func fields(_ values: AskValues, of ride: Ride, in words: Words) -> [Field] {
        let name = ["name": ride.driver.name]
        func options(_ values: [String], _ key: String, _ chosen: String) -> [Field.Option] {
            values.map {
                Field.Option(value: $0, text: words["seats.\(key)", count: Int($0) ?? 0], chosen: $0 == chosen)
            }
        }
        let most = min(AskValues.seats.upperBound, max(1, ride.seats))
        return [
            Field("seats", words["seats.ask.seats"]).with {
                $0.options = options((1...most).map { String($0) }, "number", values.seats)
            },
            Field("riders", words["seats.ask.riders"]).with {
                $0.value = values.riders
                $0.hint = words["seats.ask.ridersHint"]
                $0.optional = true
                $0.autocomplete = "off"
            },
            Field("message", words["seats.ask.message", name]).with {
                $0.value = values.message
                $0.hint = words["seats.ask.messageHint"]
                $0.optional = true
            },
            Field("within", words["seats.ask.within"]).with {
                $0.options = options(AskValues.answers, "ask.hours", values.within)
            },
        ]
    }
}

extension Ride {
    /// `Turku → Helsinki, Sunday, 8 March 2026, 18:00`
    func said(in words: Words) -> String {
        [title(in: words), RideClock(zone, in: words).moment(departsAt, leavesBy)].joined(separator: ", ")
    }
}
