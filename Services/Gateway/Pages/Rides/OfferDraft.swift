import PlainText
import WireProtocol

// What was typed of a ride, read into a draft. The same fields make the same draft at any time, so that a form that is sent twice is one request.

extension OfferValues {
    /// What the service calls the fields, where the form calls them otherwise.
    private static let names = ["leavesBy": "until", "maxDetour": "detour", "zone": "day", "stops": "to"]
    /// Where the catalogue has words of their own for them.
    private static let topics = [
        "day": "offerTime", "time": "offerTime", "until": "offerUntil", "seats": "offerSeats", "cost": "offerCost",
        "detour": "offerDetour", "notes": "offerNotes",
    ]

    private static func topic(_ field: String) -> String { topics[field] ?? "offerPlace" }

    /// What the form calls a field of the draft: `stops.1.position` is the second of its places.
    private func name(of field: String, _ code: String) -> String {
        let parts = field.split(separator: ".").map(String.init)
        guard let first = parts.first else { return field }
        if first == "stops", parts.count > 1, let index = Int(parts[1]), places.indices.contains(index) {
            return places[index].name
        }
        if first == "departsAt" { return code == "no_such_time" ? "time" : "day" }
        return Self.names[first] ?? first
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

    /// Reads some steps of a draft, or says what is wrong with which field.
    func draft(
        _ steps: [OfferStep] = OfferStep.asking, currency: String, in words: Words
    ) -> (RideDraft, FieldErrors) {
        var errors = FieldErrors(words)
        var draft = RideDraft()
        if steps.contains(.place) { readPlaces(into: &draft, &errors) }
        if steps.contains(.when) { readTimes(into: &draft, &errors) }
        if steps.contains(.seats) { readTerms(into: &draft, currency, &errors) }
        return (draft, errors)
    }

    /// What of a change is said: where and when it goes only where that is something else than it was.
    func change(isWayOpen: Bool, currency: String, in words: Words) -> (RideDraft, FieldErrors) {
        var steps: [OfferStep] = [.seats]
        if isWayOpen, way != wayBefore { steps.append(.place) }
        if times != timesBefore { steps.append(.when) }
        var (draft, errors) = self.draft(steps, currency: currency, in: words)
        draft.version = version
        return (draft, errors)
    }

    private func readPlaces(into draft: inout RideDraft, _ errors: inout FieldErrors) {
        for (name, answer) in places {
            if let trouble = answer.trouble {
                errors.add(name, trouble.rawValue, topic: Self.topic(name))
            } else if answer.chosen == nil {
                errors.add(name, "required", topic: Self.topic(name))
            }
        }
        draft.stops = places.compactMap { $0.answer.chosen }.map {
            RideStopDraft(name: $0.open, address: $0.door, position: $0.position)
        }
    }

    private func readTimes(into draft: inout RideDraft, _ errors: inout FieldErrors) {
        let (first, clock) = (CivilDay(day), Self.clock(time))
        if first == nil { errors.add("day", day.isEmpty ? "required" : "not_a_day", topic: Self.topic("day")) }
        if clock == nil { errors.add("time", time.isEmpty ? "no_time" : "not_a_time", topic: Self.topic("time")) }
        let latest = Self.clock(until)
        if latest == nil, !until.isEmpty { errors.add("until", "not_a_time", topic: Self.topic("until")) }
        guard let first, let clock else { return }
        draft.departsAt = "\(first.text)T\(clock)"
        draft.zone = zone.nonEmpty
        // What is earlier on the clock is meant on the next day. In a change nothing takes away what was there.
        draft.leavesBy =
            latest.map { "\((($0 > clock) ? first : first + 1).text)T\($0)" } ?? (version == nil ? nil : "")
    }

    /// `17:00`, also where seconds follow; nil where it is no time of day.
    private static func clock(_ text: String) -> String? {
        let bytes = Array(text.utf8.prefix(5))
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"), text.utf8.count == 5 || text.utf8.count == 8,
            let hour = CivilDay.digits(bytes[0..<2]), hour < 24, let minute = CivilDay.digits(bytes[3..<5]), minute < 60
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func readTerms(into draft: inout RideDraft, _ currency: String, _ errors: inout FieldErrors) {
        draft.seats = Int(seats)
        if draft.seats == nil {
            errors.add("seats", seats.isEmpty ? "required" : "malformed", topic: Self.topic("seats"))
        }
        // Zero costs nothing, and takes away what it cost before.
        let amount = cost.isEmpty ? 0 : Price.amount(cost, currency: currency)
        if let amount { draft.cost = Money(amount: amount, currency: currency) }
        if amount == nil { errors.add("cost", "malformed", topic: Self.topic("cost")) }
        draft.maxDetour = Kilometres.metres(detour)
        if draft.maxDetour == nil, !detour.isEmpty { errors.add("detour", "malformed", topic: Self.topic("detour")) }
        (draft.luggage, draft.accepts, draft.notes) = (luggage, accepts, notes)
    }
}
