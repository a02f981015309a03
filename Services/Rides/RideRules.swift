import FoundationEssentials
import PlainText
import WireProtocol

/// What the fields of a ride must be. Each rule answers with the errors at its field.
enum RideRules {
    static let longestName = 120
    static let longestAddress = 200
    static let longestNotes = 1000
    static let longestReason = 1000
    static let longestMessage = 500
    static let longestFirstName = 60
    /// North and south of it places lie where lengths on a map mean little.
    static let highestLatitude = 85.0

    static func notAPlace(at field: String) -> FieldError {
        FieldError(field, "not_a_place", "Choose one of the places.")
    }

    static func errors(in position: Position, at field: String) -> [FieldError] {
        guard abs(position.latitude) <= highestLatitude, abs(position.longitude) <= 180 else {
            return [FieldError(field, "out_of_range", "A place between 85 degrees south and 85 degrees north.")]
        }
        return []
    }

    // MARK: Stops

    /// - Returns: The way; nil where something is wrong, which `errors` names.
    static func way(_ drafts: [RideStopDraft]?, _ errors: inout [FieldError]) -> RideWay? {
        guard let drafts, drafts.count >= RideLimits.stops.lowerBound else {
            errors.append(FieldError("stops", "required", "Say where it starts and where it ends."))
            return nil
        }
        guard drafts.count <= RideLimits.stops.upperBound else {
            let between = RideLimits.stops.upperBound - 2
            errors.append(FieldError("stops", "too_many", "At most \(between) stops between start and end."))
            return nil
        }
        let before = errors.count
        let stops = drafts.enumerated().map { stop($1, at: "stops.\($0)", &errors) }
        guard errors.count == before else { return nil }
        let way = RideWay(measuring: stops)
        errors += self.errors(inLengthsOf: way)
        return errors.count == before ? way : nil
    }

    private static func stop(_ draft: RideStopDraft, at field: String, _ errors: inout [FieldError]) -> RideStopDraft {
        let before = errors.count
        let name = TextRule.line(longestName).read(draft.name, at: "\(field).name", &errors)
        let address = TextRule.line(longestAddress).read(draft.address, at: "\(field).address", &errors)
        let isEmpty = name == nil && errors.count == before
        if let position = draft.position {
            if isEmpty { errors.append(FieldError("\(field).name", "required", "Say what this place is called.")) }
            errors += self.errors(in: position, at: field)
        } else {
            errors.append(isEmpty ? FieldError(field, "required", "Say where.") : notAPlace(at: field))
        }
        return RideStopDraft(name: name ?? "", address: address, position: draft.position)
    }

    /// Measured from door to door: they are its driver's own.
    private static func errors(inLengthsOf way: RideWay) -> [FieldError] {
        let places = way.stops.map(\.position)
        func metres(_ one: Position, _ other: Position) -> Int { Int(one.metres(to: other).rounded()) }
        let same = "Start and end are the same place."
        var errors = places.indices.dropFirst().compactMap { index in
            metres(places[index - 1], places[index]) < RideLimits.shortestLeg
                ? FieldError(
                    "stops.\(index)", "too_close", places.count == 2 ? same : "This is where the stop before it is.")
                : nil
        }
        guard let first = places.first, let last = places.last, errors.isEmpty else { return errors }
        let leadsAway = places.contains { place in
            min(metres(place, first), metres(place, last)) >= RideLimits.shortestWay
        }
        if metres(first, last) < RideLimits.shortestWay, !leadsAway {
            errors.append(FieldError("stops.\(places.count - 1)", "too_close", same))
        }
        if way.length > RideLimits.longestWay {
            errors.append(FieldError("stops", "too_far", "At most 3,000 km from start to end."))
        }
        return errors
    }

    // MARK: Seats and what they cost

    static func errors(inSeats seats: Int, _ limits: RideLimits) -> [FieldError] {
        if seats < 1 { return [FieldError("seats", "out_of_range", "Offer at least one seat.")] }
        return seats > limits.seats ? [FieldError("seats", "out_of_range", "At most \(limits.seats) seats.")] : []
    }

    /// - Parameter length: of the way; nil where that is wrong.
    static func errors(inCost cost: Money, _ length: Int?, _ limits: RideLimits) -> [FieldError] {
        guard cost.amount != 0 else { return [] }
        var errors: [FieldError] = []
        if cost.currency != limits.currency {
            errors.append(FieldError("cost.currency", "wrong_currency", "Costs are in \(limits.currency) here."))
        }
        if !(0...RideLimits.highestCost).contains(cost.amount) {
            errors.append(FieldError("cost.amount", "out_of_range", "A seat costs nothing or more."))
        } else if let highest = length.flatMap({ limits.highestCost(of: $0) }), cost.amount > highest {
            let most = "\(limits.currency) \(highest / 100)"
            errors.append(FieldError("cost.amount", "too_dear", "On this way a seat costs at most \(most) here."))
        }
        return errors
    }

    static func errors(inDetour detour: Int, _ length: Int) -> [FieldError] {
        let longest = RideLimits.longestDetour(of: length)
        guard !(0...longest).contains(detour) else { return [] }
        return [FieldError("maxDetour", "out_of_range", "At most \(kilometres(longest)) on this way.")]
    }

    /// `12 km`, `0.4 km`
    static func kilometres(_ metres: Int) -> String {
        let tenths = metres / 100
        return tenths % 10 == 0 || tenths >= 100 ? "\(tenths / 10) km" : "\(tenths / 10).\(tenths % 10) km"
    }

    // MARK: Words

    static func reason(_ text: String?, required: String? = nil) throws(RideError) -> String? {
        var errors: [FieldError] = []
        let reason = TextRule.lines(longestReason).read(text, at: "reason", &errors, required: required)
        guard errors.isEmpty else { throw .invalid(errors) }
        return reason
    }
}
