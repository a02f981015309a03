import WireProtocol

/// The fields by which somebody says where they get in and out on one way (`rides/ask-way`).
struct AskWay {
    var from: Field
    var to: Field
    /// Points of one's own; nil where the driver goes no other way than theirs.
    var boarding: PlaceField?
    var leaving: PlaceField?
    /// How far the driver would go.
    var reach: String?

    /// - Parameter field: a field by its name, with what is wrong with it.
    init(_ part: AskPart, of ride: Ride, _ field: (String) -> Field, in visit: Visit) {
        let words = visit.words
        (from, to) = (field(part.names.from), field(part.names.to))
        let isAsked = !part.boarding.own.text.isEmpty || !part.leaving.own.text.isEmpty
        guard ride.detourLeft > 0 || isAsked else { return }
        let near = visit.community.center
        boarding = PlaceField(
            field(part.names.boarding), part.boarding.own, near: ride.stops.first?.position ?? near, in: visit)
        leaving = PlaceField(
            field(part.names.leaving), part.leaving.own, near: ride.stops.last?.position ?? near, in: visit)
        let way = Distance.reach(ride.detourLeft, in: words)
        reach = words["seats.ask.reach", ["name": ride.driver.name, "way": way]]
    }

    /// In the order in which they stand.
    /// - Parameter isOther: whether one may leave it to what is chosen on this way.
    static func fields(_ part: AskPart, of ride: Ride, isOther: Bool = false, in words: Words) -> [Field] {
        let clock = RideClock(ride.zone, in: words)
        func stops(_ some: ArraySlice<RideStop>, _ chosen: String, _ mirrored: String) -> [Field.Option] {
            let named = zip(some.indices, some).map { index, stop in
                let time = clock.time(stop.time, after: ride.departsAt)
                return Field.Option(
                    value: String(index), text: words["seats.ask.stop", ["place": stop.name, "time": time]],
                    chosen: String(index) == chosen)
            }
            guard isOther else { return named }
            return [.init(value: "", text: words["seats.ask.mirror.\(mirrored)"], chosen: chosen.isEmpty)] + named
        }
        let names = part.names
        return [
            Field(names.from, words["seats.ask.from"]).with {
                $0.options = stops(ride.stops.dropLast(), part.boarding.stop, "from")
            },
            Field(names.boarding, words["seats.ask.boarding"]).with {
                $0.hint = words["seats.ask.pointHint"]
                $0.optional = true
            },
            Field(names.to, words["seats.ask.to"]).with {
                $0.options = stops(ride.stops.dropFirst(), part.leaving.stop, "to")
            },
            Field(names.leaving, words["seats.ask.leaving"]).with { $0.optional = true },
        ]
    }
}
