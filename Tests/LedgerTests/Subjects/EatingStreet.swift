import Foundation
import KampongClient
import Supervisor
import TestKit
import WireProtocol

/// Where the people of the ledger eat: restaurants that an operator has brought in, and houses that are on nobody's way or on everybody's.
struct EatingStreet: Sendable {
    let restaurants: [PlaceID]
    private static let corner = Position(latitude: -41.29, longitude: 174.78)
    private static let currency = "SGD"

    init(on stack: Stack) async throws {
        let folder = try TemporaryDirectory("street")
        let lines = (0..<3).map { number in
            let place = Self.north(Double(number) * 40)
            return "\(number),Kitchen \(number),\(place.latitude),\(place.longitude),restaurant"
        }
        let file = try folder.write(
            "street.csv", (["id,name,latitude,longitude,kind"] + lines).joined(separator: "\n") + "\n")
        let brought = try await stack.run(
            .places, "import", file, "--source", "street", "--licence", "CC0", "--attribution", "The street")
        guard brought.exit == .status(0) else {
            throw TestSetupError("The restaurants could not be brought in: \(brought.output)")
        }
        let client = KampongClient(baseURL: URL(string: stack.baseURL)!)
        let found = try await client.places(around: Self.corner, kind: .restaurant).items
        restaurants = found.filter { $0.name.hasPrefix("Kitchen") }.sorted { $0.name < $1.name }.map(\.id)
        guard restaurants.count == 3 else { throw TestSetupError("There are \(restaurants.count) restaurants.") }
    }

    private static func north(_ metres: Double) -> Position {
        Position(latitude: corner.latitude + metres / 111_320, longitude: corner.longitude)
    }

    /// One in six is too far out of everybody's way.
    private func house(using random: inout SeededGenerator) -> DropOffDraft {
        let isFar = Int.random(in: 0..<6, using: &random) == 0
        let number = Int.random(in: 0..<6, using: &random)
        let place = Self.north(isFar ? 3000 : 500 + Double(number) * 20)
        return DropOffDraft(name: isFar ? "Far away" : "House \(number)", position: place)
    }

    private func money(_ range: ClosedRange<Int>, using random: inout SeededGenerator) -> Money {
        Money(amount: .random(in: range, using: &random), currency: Self.currency)
    }

    // MARK: What people say

    /// Long enough that nobody is reminded of its end meanwhile. What a change leaves out stays.
    func way(using random: inout SeededGenerator) -> AvailabilityDraft {
        AvailabilityDraft(
            restaurant: restaurants.randomElement(using: &random),
            dropOff: DropOffDraft(name: "The end", position: Self.north(560)),
            capacity: .random(in: 1...3, using: &random), detour: [150, 300].randomElement(using: &random),
            minutes: 120, leastFee: money(0...150, using: &random), isListed: .random(using: &random))
    }

    /// Everybody sees it, and there is a hand free as long as nobody orders.
    func listedWay(from restaurant: PlaceID) -> AvailabilityDraft {
        AvailabilityDraft(
            restaurant: restaurant, dropOff: DropOffDraft(name: "The end", position: Self.north(560)), capacity: 2,
            minutes: 120, isListed: true)
    }

    func order(asking availability: AvailabilityID?, using random: inout SeededGenerator) -> OrderDraft {
        let count = Int.random(in: 1...3, using: &random)
        let isPrepaid = Int.random(in: 0..<5, using: &random) == 0
        return OrderDraft(
            from: restaurants.shuffled(using: &random).prefix(count).map {
                OrderedFromDraft(restaurant: $0, items: "Soup \(UUID().uuidString.prefix(13))")
            }, dropOff: house(using: &random), door: "The blue one", fee: money(0...400, using: &random),
            limit: isPrepaid ? nil : money(500...1500, using: &random), pickUpCode: isPrepaid ? "Table 4" : nil,
            availability: availability, rollsOn: availability == nil ? nil : .random(using: &random), minutes: 120)
    }

    func change(using random: inout SeededGenerator) -> OrderDraft {
        Bool.random(using: &random)
            ? OrderDraft(fee: money(0...400, using: &random)) : OrderDraft(dropOff: house(using: &random))
    }

    // MARK: What becomes of it

    /// By who brings it.
    func errand(
        of match: DeliveryBook.KnownMatch, using random: inout SeededGenerator
    ) -> (MatchAct?, MatchActDraft) {
        let chance = Int.random(in: 0..<20, using: &random)
        switch match.state {
        case .offered: return (chance < 14 ? .accept : .decline, MatchActDraft())
        case .accepted where chance == 0: return (.cancel, MatchActDraft())
        case .accepted where chance == 1: return (.giveUp, MatchActDraft(reason: "They have just closed."))
        case .accepted where chance == 2:
            return (.postpone, MatchActDraft(minutes: .random(in: 1...90, using: &random)))
        case .accepted:
            // Of what is paid for nothing is spent: limits begin with 500.
            let spent = match.limit > 0 ? money(1...match.limit, using: &random) : nil
            return (.pickUp, MatchActDraft(spent: spent))
        case .pickedUp where chance == 0: return (.giveUp, MatchActDraft(reason: "I have dropped it."))
        case .pickedUp: return (.complete, MatchActDraft(code: chance < 8 ? match.code : nil))
        case .delivered: return (chance < 8 ? .undo : nil, MatchActDraft())
        case .received: return (.complete, MatchActDraft())
        default: return (nil, MatchActDraft())
        }
    }

    /// By who has ordered it.
    func wish(of match: DeliveryBook.KnownMatch, using random: inout SeededGenerator) -> (MatchAct?, MatchActDraft) {
        let chance = Int.random(in: 0..<20, using: &random)
        switch match.state {
        case .accepted where chance < 2: return (.cancel, MatchActDraft())
        case .accepted where chance < 5 && match.limit > 0:
            return (.raiseLimit, MatchActDraft(amount: Money(amount: match.limit + 100, currency: Self.currency)))
        case .pickedUp where chance < 6, .delivered where chance > 2: return (.complete, MatchActDraft())
        case .received where chance < 5: return (.undo, MatchActDraft())
        case .completed where chance < 8: return (.tip, MatchActDraft(amount: money(10...200, using: &random)))
        default: return (nil, MatchActDraft())
        }
    }
}
