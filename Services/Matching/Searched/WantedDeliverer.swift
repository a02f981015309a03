import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

/// A standing search for somebody who can bring something: from one restaurant, or from any within a circle. No I/O and no clock.
struct WantedDeliverer: Hashable, Sendable {
    /// What its keys are of.
    static let vertical = "deliverer"
    /// Metres around a place.
    static let radii = 50...5000
    static let usualRadius = 400
    /// How far ahead it may look, in seconds.
    static let longest: TimeInterval = 60 * 86_400
    /// Metres: who would go nearly so far out of the way may do so when they are asked.
    static let slack = 150

    /// As it is kept: the radius is filled in.
    let query: DelivererSearch
    private let place: Place

    private enum Place: Hashable, Sendable {
        case restaurant(PlaceID)
        case around(ReadSearch.Circle)
    }

    /// - Throws: `invalid`, with all that is wrong, in fields of `WantedQuery`.
    init(_ wanted: WantedQuery, at now: Date) throws(WantedError) {
        guard let asked = wanted.deliverers, wanted.forms.count == 1 else {
            throw .notOneForm(wanted.deliverers == nil ? 0 : wanted.forms.count)
        }
        let errors = Self.errors(in: asked, at: now)
        var kept = asked
        if let restaurant = asked.restaurant {
            place = .restaurant(restaurant)
        } else if let near = asked.near {
            let radius = asked.radius ?? Self.usualRadius
            kept.radius = radius
            place = .around(ReadSearch.Circle(middle: near, radius: radius))
        } else {
            throw .invalid(errors)
        }
        guard errors.isEmpty else { throw .invalid(errors) }
        query = kept
    }

    private static func errors(in asked: DelivererSearch, at now: Date) -> [FieldError] {
        var errors: [FieldError] = []
        switch (asked.restaurant, asked.near) {
        case (nil, nil):
            errors.append(FieldError("restaurant", "required", "From which restaurant, or around which place?"))
        case (_?, _?):
            errors.append(FieldError("near", "not_allowed", "One restaurant, or all around a place."))
        case (_?, nil) where asked.radius != nil:
            errors.append(FieldError("radius", "not_allowed", "It belongs to a place around which to look."))
        default: break
        }
        errors += asked.near.map { DeliveryRules.errors(in: $0, at: "near") } ?? []
        if let radius = asked.radius, !radii.contains(radius) {
            errors.append(FieldError("radius", "out_of_range", "50 to 5000 metres."))
        }
        errors += asked.to.map { DeliveryRules.errors(in: $0, at: "to") } ?? []
        if let until = asked.until {
            if until <= now { errors.append(FieldError("until", "in_past", "This time is over.")) }
            if until > now + longest { errors.append(FieldError("until", "too_far_ahead", "At most 60 days.")) }
        }
        return errors.map { FieldError("deliverers.\($0.field)", $0.code, $0.message) }
    }

    /// Whoever is at that restaurant has it.
    static func key(of restaurant: PlaceID) -> SearchKey { SearchKey(rawValue: "restaurant/\(restaurant)") }

    var read: ReadSearch {
        let wanted = WantedQuery(deliverers: query)
        return switch place {
        case .restaurant(let id): ReadSearch(query: wanted, anchors: [[Self.key(of: id)]], until: query.until)
        case .around(let circle):
            ReadSearch(
                query: wanted, anchors: [SearchCells.keys(within: circle, of: Self.vertical)], around: circle,
                until: query.until)
        }
    }
}

// MARK: SQL

extension WantedDeliverer {
    /// Of more than these it finds, the newest need not be told: it is too wide by far.
    private static let most = 10_000

    /// A row where it finds this one for somebody.
    func finding(_ id: AvailabilityID, for person: PersonID, at now: Date, _ campuses: CampusSeparation) -> SQLQuery {
        "SELECT FROM availabilities WHERE id = \(id) AND \(condition(for: person, at: now, campuses, ofOne: true))"
    }

    /// The newest that it finds for somebody.
    func newest(for person: PersonID, at now: Date, _ campuses: CampusSeparation) -> SQLQuery {
        """
        SELECT id FROM (
            SELECT id FROM availabilities WHERE \(condition(for: person, at: now, campuses))
            LIMIT \(unescaped: "\(Self.most)")
        ) AS found
        ORDER BY id DESC LIMIT \(unescaped: "\(SearchLook.most)")
        """
    }

    /// Those whom the list of the restaurant shows, as far as they go where it is to be brought.
    private func condition(
        for person: PersonID, at now: Date, _ campuses: CampusSeparation, ofOne: Bool = false
    ) -> SQLQuery {
        let isShown = OfferedAvailability.isShown(to: person, at: now, campuses, ofOne: ofOne)
        return "\(isHere(at: now, ofOne: ofOne)) AND \(isShown) \(isOnTheWay)"
    }

    /// Restaurants around a point come from their own index, as in their list; whether one is there, from the row of that one.
    private func isHere(at now: Date, ofOne: Bool) -> SQLQuery {
        switch place {
        case .restaurant(let id): return "availabilities.restaurant = \(id)"
        case .around(let circle):
            if ofOne {
                return """
                    EXISTS (
                        SELECT FROM restaurants
                        WHERE restaurants.id = availabilities.restaurant AND restaurants.until > \(now)
                            AND \(circle.middle.isWithin(circle.radius)) OFFSET 0)
                    """
            }
            return """
                availabilities.restaurant IN (
                    SELECT restaurants.id FROM restaurants
                    WHERE restaurants.until > \(now) AND \(circle.middle.isNear(within: circle.radius)))
                """
        }
    }

    private var isOnTheWay: SQLQuery {
        guard let to = query.to else { return "" }
        // The first is quickly seen: whoever goes there goes there to within a hundredth of a degree, as others are told it.
        return """
            AND abs(availabilities.drop_latitude - \(to.latitude)) < 0.01
            AND \(OfferedAvailability.chord(to: to)) <= availabilities.detour + \(unescaped: "\(Self.slack)")
            """
    }
}
