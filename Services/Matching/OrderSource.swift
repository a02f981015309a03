import FoundationEssentials
import PlainText
import WireProtocol

/// Where an order may come from.
enum OrderSource: Hashable, Sendable {
    case restaurants([WantedFrom])
    case around(OrderedAround, [KnownPlace])

    /// - Returns: Nil where something is wrong, which `errors` names.
    init?(
        _ draft: OrderDraft, insteadOf before: PlacedOrder?, among places: KnownPlaces, _ errors: inout [FieldError]
    ) {
        let count = errors.count
        switch (draft.from, draft.around) {
        case (nil, nil):
            guard let before else {
                errors.append(FieldError("from", "required", "Say from which restaurant."))
                return nil
            }
            self = before.source
        case (_?, _?):
            errors.append(FieldError("around", "not_allowed", "Name restaurants, or a circle."))
            return nil
        case (let drafts?, nil): self = .restaurants(Self.restaurants(drafts, among: places, &errors))
        case (nil, let draft?):
            guard let circle = Self.circle(draft, &errors) else { return nil }
            let inside = places.around.filter { $0.isInside(circle) }.prefix(DeliveryLimits.shownAround)
            if inside.isEmpty {
                errors.append(FieldError("around", "nothing_there", "No restaurant is known there."))
            }
            self = .around(circle, Array(inside))
        }
        guard errors.count == count else { return nil }
    }

    private static func restaurants(
        _ drafts: [OrderedFromDraft], among places: KnownPlaces, _ errors: inout [FieldError]
    ) -> [WantedFrom] {
        guard DeliveryLimits.restaurants.contains(drafts.count) else {
            errors.append(
                drafts.isEmpty
                    ? FieldError("from", "required", "Say from which restaurant.")
                    : FieldError("from", "too_many", "At most \(DeliveryLimits.restaurants.upperBound) restaurants."))
            return []
        }
        var known: Set<PlaceID> = []
        return drafts.enumerated().compactMap { index, draft in
            let field = "from.\(index)"
            let place = DeliveryRules.restaurant(draft.restaurant, at: "\(field).restaurant", among: places, &errors)
            let items = items(draft.items, at: "\(field).items", &errors)
            if let place, !known.insert(place.id).inserted {
                errors.append(FieldError("\(field).restaurant", "duplicate", "This is named already."))
            }
            guard let place, let items else { return nil }
            return WantedFrom(restaurant: place, items: items)
        }
    }

    private static func circle(_ draft: OrderedAroundDraft, _ errors: inout [FieldError]) -> OrderedAround? {
        let count = errors.count
        let items = items(draft.items, at: "around.items", &errors)
        let radius = draft.radius ?? DeliveryLimits.usualRadius
        if !DeliveryLimits.radii.contains(radius) {
            errors.append(FieldError("around.radius", "out_of_range", "Between 100 and 1,000 metres."))
        }
        if let position = draft.position {
            errors += DeliveryRules.errors(in: position, at: "around.position")
        } else {
            errors.append(FieldError("around.position", "required", "Say around which point."))
        }
        guard let position = draft.position, let items, errors.count == count else { return nil }
        return OrderedAround(position: position, radius: radius, items: items)
    }

    private static func items(_ text: String?, at field: String, _ errors: inout [FieldError]) -> String? {
        TextRule.lines(DeliveryRules.longestItems).read(text, at: field, &errors, required: "Say what you would like.")
    }
}

extension PlacedOrder {
    var source: OrderSource {
        around.map { .around($0, from.map(\.restaurant)) } ?? .restaurants(from)
    }
}

extension OrderSource {
    /// With what is wanted from each.
    var restaurants: [WantedFrom] {
        switch self {
        case .restaurants(let wanted): wanted
        case .around(let circle, let places): places.map { WantedFrom(restaurant: $0, items: circle.items) }
        }
    }

    var around: OrderedAround? {
        if case .around(let circle, _) = self { circle } else { nil }
    }

    func includes(_ restaurant: KnownPlace) -> Bool {
        switch self {
        case .restaurants(let wanted): wanted.contains { $0.restaurant.id == restaurant.id }
        case .around(let circle, _): restaurant.isInside(circle)
        }
    }
}

extension OfferedAvailability {
    /// What speaks against asking them by name, beside that they may have gone, have no hand free, or go elsewhere.
    func errors(bringing source: OrderSource?, for fee: Money?) -> [FieldError] {
        var errors: [FieldError] = []
        if let source, !source.includes(restaurant) {
            errors.append(FieldError("availability", "other_restaurant", "They are at \(restaurant.name)."))
        }
        if let leastFee, leastFee.amount > fee?.amount ?? 0 {
            let least = DeliveryRules.text(of: leastFee.amount, leastFee.currency)
            errors.append(FieldError("fee", "below_least", "They bring it for \(least) or more."))
        }
        return errors
    }
}
