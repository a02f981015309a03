import Foundation
import WireProtocol

/// Where students eat and study: between these they bring each other food.
struct StudentQuarter: Hashable, Sendable {
    var buildings: [Building]
    /// What one may ask for in any restaurant there.
    var menu: [String]

    struct Building: Hashable, Sendable {
        var name: String
        var position: Position

        init(_ name: String, _ latitude: Double, _ longitude: Double) {
            self.name = name
            position = Position(latitude: latitude, longitude: longitude)
        }

        var draft: DropOffDraft { DropOffDraft(name: name, position: position) }
    }

    /// The one that a community at this place has; nil where we know none.
    static func near(_ center: Position) -> StudentQuarter? {
        helsinki.middle.metres(to: center) < 20_000 ? helsinki : nil
    }

    /// In the middle of its buildings: restaurants around it are theirs.
    var middle: Position {
        let count = Double(buildings.count)
        return Position(
            latitude: buildings.map(\.position.latitude).reduce(0, +) / count,
            longitude: buildings.map(\.position.longitude).reduce(0, +) / count)
    }

    static let helsinki = StudentQuarter(
        buildings: [
            Building("Porthania", 60.1699, 24.9485), Building("Main Building, Fabianinkatu", 60.1693, 24.9497),
            Building("Kaisa House, library", 60.1712, 24.9470), Building("Metsätalo", 60.1728, 24.9487),
            Building("Topelia", 60.1733, 24.9517),
        ],
        menu: [
            "A lentil soup, and a rye bread beside it.", "The vegetarian lunch, whatever it is today.",
            "Salmon soup, large. Without dill if they can.", "A falafel wrap and an orange juice.",
            "Two coffees with oat milk and a korvapuusti 🥐", "Pizza slice, any without olives.",
            "Karjalanpiirakka, three of them.", "A salad box. Nuts are fine, shrimps are not.",
        ])
}

/// What a student does next with a delivery. Pure: the match, time and chance go in, an act comes out.
enum Errand: Hashable, Sendable {
    case accept, decline
    /// With what was spent; nil where it is paid for already.
    case pickUp(Money?)
    /// They show that they have come so far.
    case move(Position)
    case complete
}

extension Errand {
    /// From the acceptance until they have it, and from there until they are at the door.
    static let (queue, walk) = (90.0, 300.0)

    /// - Returns: nil where there is nothing to do but to wait.
    static func next(
        in match: DeliveryMatch, now: Date, using random: inout some RandomNumberGenerator
    ) -> Errand? {
        switch (match.role, match.state) {
        case (.deliverer, .offered): Int.random(in: 0..<7, using: &random) == 0 ? .decline : .accept
        case (.deliverer, .accepted):
            now.timeIntervalSince(match.acceptedAt ?? now) < queue ? nil : .pickUp(spent(on: match, using: &random))
        case (.deliverer, .pickedUp):
            carried(match, for: now.timeIntervalSince(match.pickedUpAt ?? now))
        // The one of the two who has not said so yet.
        case (.deliverer, .received), (.orderer, .delivered): .complete
        default: nil
        }
    }

    /// Most of what may be spent, to ten cents.
    private static func spent(on match: DeliveryMatch, using random: inout some RandomNumberGenerator) -> Money? {
        guard let limit = match.terms.limit else { return nil }
        let amount = limit.amount * Int.random(in: 55...95, using: &random) / 100
        return Money(amount: amount - amount % 10, currency: limit.currency)
    }

    /// In a straight line, for who looks at the map.
    private static func carried(_ match: DeliveryMatch, for seconds: TimeInterval) -> Errand {
        let (from, to, part) = (match.restaurant.position, match.dropOff.position, max(0, seconds / walk))
        guard part < 1 else { return .complete }
        return .move(
            Position(
                latitude: from.latitude + (to.latitude - from.latitude) * part,
                longitude: from.longitude + (to.longitude - from.longitude) * part))
    }
}

extension AvailabilityDraft {
    static func between(
        _ restaurant: WireProtocol.Place, and building: StudentQuarter.Building,
        using random: inout some RandomNumberGenerator
    ) -> AvailabilityDraft {
        AvailabilityDraft(
            restaurant: restaurant.id, dropOff: building.draft, capacity: .random(in: 1...3, using: &random),
            detour: [150, 300, 500].randomElement(using: &random), minutes: [30, 45, 60].randomElement(using: &random))
    }
}

extension OrderDraft {
    /// - Parameter restaurants: any of them will do.
    static func of(
        _ items: String, from restaurants: [PlaceID], to building: StudentQuarter.Building, currency: String,
        using random: inout some RandomNumberGenerator
    ) -> OrderDraft {
        OrderDraft(
            from: restaurants.map { OrderedFromDraft(restaurant: $0, items: items) }, dropOff: building.draft,
            door: ["Second floor, left", "At the porter's desk", nil].randomElement(using: &random) ?? nil,
            fee: Money(amount: 50 * .random(in: 2...8, using: &random), currency: currency),
            limit: Money(amount: 100 * .random(in: 8...18, using: &random), currency: currency))
    }
}
