import PlainText
import WireProtocol

/// The fields by which somebody asks for seats.
struct AskForm {
    var from: Field
    var to: Field
    /// Points of one's own; nil where the driver goes no other way than theirs.
    var boarding: PlaceField?
    var leaving: PlaceField?
    /// How far the driver would go.
    var reach: String?
    var seats: Field
    var riders: Field
    var message: Field
    var within: Field

    init(_ values: AskValues, of ride: Ride, _ errors: FieldErrors?, in visit: Visit) {
        let words = visit.words
        var fields = Self.fields(values, of: ride, in: words)
        errors?.mark(&fields)
        let byName = Dictionary(fields.map { ($0.name, $0) }) { first, _ in first }
        func field(_ name: String) -> Field { byName[name] ?? Field(name, name) }
        (from, to) = (field("from"), field("to"))
        (seats, riders, message, within) = (field("seats"), field("riders"), field("message"), field("within"))
        let isAsked = !values.boarding.text.isEmpty || !values.leaving.text.isEmpty
        if ride.detourLeft > 0 || isAsked {
            let near = visit.community.center
            boarding = PlaceField(
                field("boarding"), values.boarding, near: ride.stops.first?.position ?? near, in: visit)
            leaving = PlaceField(field("leaving"), values.leaving, near: ride.stops.last?.position ?? near, in: visit)
            let way = Distance.reach(ride.detourLeft, in: words)
            reach = words["seats.ask.reach", ["name": ride.driver.name, "way": way]]
        }
    }

    private static func fields(_ values: AskValues, of ride: Ride, in words: Words) -> [Field] {
        let clock = RideClock(ride.zone, in: words)
        let name = ["name": ride.driver.name]
        func stops(_ some: ArraySlice<RideStop>, _ chosen: String) -> [Field.Option] {
            zip(some.indices, some).map { index, stop in
                let time = clock.time(stop.time, after: ride.departsAt)
                return Field.Option(
                    value: String(index), text: words["seats.ask.stop", ["place": stop.name, "time": time]],
                    chosen: String(index) == chosen)
            }
        }
        func options(_ values: [String], _ key: String, _ chosen: String) -> [Field.Option] {
            values.map {
                Field.Option(value: $0, text: words["seats.\(key)", count: Int($0) ?? 0], chosen: $0 == chosen)
            }
        }
        let most = min(AskValues.seats.upperBound, max(1, ride.seats))
        return [
            Field("from", words["seats.ask.from"]).with { $0.options = stops(ride.stops.dropLast(), values.from) },
            Field("boarding", words["seats.ask.boarding"]).with {
                $0.hint = words["seats.ask.pointHint"]
                $0.optional = true
            },
            Field("to", words["seats.ask.to"]).with { $0.options = stops(ride.stops.dropFirst(), values.to) },
            Field("leaving", words["seats.ask.leaving"]).with { $0.optional = true },
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
