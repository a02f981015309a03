import FoundationEssentials
import PlainText
import WireProtocol

/// What the fields of deliveries must be. Each rule puts what is wrong at its field.
enum DeliveryRules {
    static let longestName = 120
    static let longestItems = 1000
    static let longestDoor = 200
    static let longestPickUpCode = 60
    static let longestReason = 1000
    /// North and south of it places lie where lengths on a map mean little.
    static let highestLatitude = 85.0

    // MARK: Places

    static func errors(in position: Position, at field: String) -> [FieldError] {
        guard abs(position.latitude) <= highestLatitude, abs(position.longitude) <= 180 else {
            return [FieldError(field, "out_of_range", "A place between 85 degrees south and 85 degrees north.")]
        }
        return []
    }

    /// - Returns: Nil where something is wrong, which `errors` names.
    static func restaurant(
        _ id: PlaceID?, at field: String, among places: KnownPlaces, _ errors: inout [FieldError]
    ) -> KnownPlace? {
        guard let id else {
            errors.append(FieldError(field, "required", "Say from which restaurant."))
            return nil
        }
        return place(id, at: field, among: places, &errors)
    }

    private static func place(
        _ id: PlaceID, at field: String, among places: KnownPlaces, _ errors: inout [FieldError]
    ) -> KnownPlace? {
        if let place = places[id] { return place }
        errors.append(FieldError(field, "unknown_place", "Choose one from the list, so that others mean the same."))
        return nil
    }

    /// - Parameter before: stays where nothing is said.
    /// - Returns: Nil where something is wrong, which `errors` names.
    static func dropOff(
        _ draft: DropOffDraft?, insteadOf before: DeliveryPlace?, among places: KnownPlaces,
        _ errors: inout [FieldError]
    ) -> DeliveryPlace? {
        guard let draft else {
            if before == nil { errors.append(missingDropOff) }
            return before
        }
        if let id = draft.place { return place(id, at: "dropOff.place", among: places, &errors)?.shown }
        let count = errors.count
        let name = TextRule.line(longestName).read(draft.name, at: "dropOff.name", &errors)
        guard let position = draft.position else {
            if errors.count == count {
                let notAPlace = FieldError("dropOff", "not_a_place", "Choose one of the places.")
                errors.append(name == nil ? missingDropOff : notAPlace)
            }
            return nil
        }
        if name == nil, errors.count == count {
            errors.append(FieldError("dropOff.name", "required", "Say what this place is called."))
        }
        errors += self.errors(in: position, at: "dropOff.position")
        return errors.count == count ? name.map { DeliveryPlace(name: $0, position: position) } : nil
    }

    private static var missingDropOff: FieldError { FieldError("dropOff", "required", "Say where it goes.") }

    // MARK: Times, money, words

    static func errors(inMinutes minutes: Int?) -> [FieldError] {
        guard let minutes, !DeliveryLimits.minutes.contains(minutes) else { return [] }
        return [FieldError("minutes", "out_of_range", "Between 15 minutes and 3 hours.")]
    }

    static func errors(
        in money: Money?, at field: String, from least: Int = 0, to most: Int, _ currency: String
    ) -> [FieldError] {
        guard let money else { return [] }
        var errors: [FieldError] = []
        if money.currency != currency, money.amount != 0 {
            errors.append(FieldError("\(field).currency", "wrong_currency", "Amounts are in \(currency) here."))
        }
        if money.amount < least || money.amount > most {
            let sentence = "From \(text(of: least, currency)) to \(text(of: most, currency))."
            errors.append(FieldError("\(field).amount", "out_of_range", sentence))
        }
        return errors
    }

    /// `EUR 12.50`
    static func text(of amount: Int, _ currency: String) -> String {
        let cents = amount % 100
        return "\(currency) \(amount / 100).\(cents < 10 ? "0" : "")\(cents)"
    }
}
