import WireProtocol

// What the service says of the fields of a draft, as forms call them.

extension OfferValues {
    /// What forms call them otherwise.
    private static let names = ["leavesBy": "until", "maxDetour": "detour", "zone": "day", "until": "last"]
    private static let namesOfBack = [
        "leavesBy": "backUntil", "seats": "backSeats", "cost": "backCost", "stops": "to",
    ]
    /// Where the catalogue has words of their own for them.
    private static let topics = [
        "day": "offerTime", "time": "offerTime", "until": "offerUntil", "seats": "offerSeats", "cost": "offerCost",
        "detour": "offerDetour", "notes": "offerNotes", "backDay": "offerBack", "backTime": "offerBack",
        "backUntil": "offerUntil", "backSeats": "offerSeats", "backCost": "offerCost", "weekdays": "commuteDays",
        "last": "commuteLast",
    ]

    static func topic(_ field: String) -> String {
        topics[field] ?? (field.hasPrefix("skip") ? "commuteSkip" : "offerPlace")
    }

    /// What the service says of the fields, as the form calls them.
    func errors(_ error: ServiceError, in visit: Visit) -> FieldErrors {
        var errors = FieldErrors(visit.words)
        for wrong in error.errors {
            let name = name(of: wrong.field, wrong.code)
            errors.add(name, wrong.code, topic: Self.topic(name), otherwise: wrong.message)
        }
        return errors
    }

    /// What the form calls a field of the draft: `stops.1.position` is the second of its places.
    private func name(of field: String, _ code: String) -> String {
        var parts = field.split(separator: ".").map(String.init)
        // Of a commute, what is said of its rides stands below that.
        let isOfRide = isCommute && parts.count > 1 && parts[0] == "ride"
        if isOfRide { parts.removeFirst() }
        guard let first = parts.first else { return field }
        switch first {
        case "returnRide": return nameOfBack(parts.count > 1 ? parts[1] : "", code)
        case "stops":
            guard parts.count > 1, let index = Int(parts[1]), places.indices.contains(index) else { return "to" }
            return places[index].name
        case "departsAt": return code == "no_such_time" || subject == .commute ? "time" : "day"
        case "skips": return OfferRepeat.skipName(parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        default: return Self.names[first] ?? first
        }
    }

    private func nameOfBack(_ field: String, _ code: String) -> String {
        if let name = Self.namesOfBack[field] { return name }
        let isOfDay = !isCommute && ["in_past", "too_far_ahead"].contains(code)
        return isOfDay ? "backDay" : "backTime"
    }
}
