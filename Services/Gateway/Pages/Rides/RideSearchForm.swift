import WireProtocol

/// The form by which rides are looked for (`rides/search-form`).
struct RideSearchForm {
    struct Kept {
        var name: String
        var value: String
    }

    var from: PlaceField
    var to: PlaceField
    var day: Field
    var time: Field
    var seats: Field
    /// What narrows the list already stays as it is.
    var kept: [Kept]
    /// By whose clocks day and time are meant.
    var zone: String

    init(_ search: RideSearch, in visit: Visit) {
        let words = visit.words
        var fields = [
            Field("from", words["rides.search.from"]), Field("to", words["rides.search.to"]),
            Field("day", words["rides.search.day"]).with {
                $0.type = "date"
                $0.value = search.day
                $0.optional = true
            },
            Field("time", words["rides.search.time"]).with {
                $0.type = "time"
                $0.value = search.time
                $0.optional = true
            },
            Self.seats(search.seats, words),
        ]
        search.errors.mark(&fields)
        let center = visit.community.center
        from = PlaceField(fields[0], search.from, near: center, in: visit)
        to = PlaceField(fields[1], search.to, near: search.from.chosen?.position ?? center, in: visit)
        (day, time, seats) = (fields[2], fields[3], fields[4])
        kept = search.pairs.filter { ["luggage", "free", "verified", "detour", "extra"].contains($0.0) }.map {
            Kept(name: $0.0, value: $0.1)
        }
        zone = words["rides.zone", ["zone": CivilText.city(of: visit.community.zone)]]
    }

    private static func seats(_ chosen: String, _ words: Words) -> Field {
        let value = chosen.isEmpty ? "1" : chosen
        let known = (1...8).map(String.init)
        return Field("seats", words["rides.search.seats"]).with {
            $0.value = value
            $0.options = (known.contains(value) ? known : known + [value]).map {
                .init(value: $0, text: $0, chosen: $0 == value)
            }
        }
    }
}
