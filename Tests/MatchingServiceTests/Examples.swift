import FoundationEssentials
import PlainText
import WireProtocol

@testable import MatchingService

// What the tests' deliveries and people are made of.

/// On 21 September 2026, a Monday.
let noon = Date(timeIntervalSince1970: 1_790_017_200)
/// So many minutes after noon.
func after(minutes: Double) -> Date { noon + minutes * 60 }

let limits = DeliveryLimits(currency: "EUR")
func euros(_ cents: Int) -> Money { Money(amount: cents, currency: "EUR") }

/// Maya brings what Tom, or Kim, would like; Lin moderates.
let maya = PersonID("00000000-0000-4000-8000-000000000001")!
let tom = PersonID("00000000-0000-4000-8000-000000000002")!
let lin = PersonID("00000000-0000-4000-8000-000000000003")!
let kim = PersonID("00000000-0000-4000-8000-000000000004")!

/// So many metres east and north of the restaurant.
func position(_ east: Double, _ north: Double = 0) -> Position {
    let degree = Earth.radius * .pi / 180
    return Position(latitude: 1 + north / degree, longitude: 25 + east / degree)
}

/// The restaurant, the houses a kilometre and some more to the east of it, and another restaurant to the north.
let unicafe = KnownPlace(
    id: PlaceID("00000000-0000-8000-8000-0000000000a1")!, name: "Unicafe", address: "Yliopistonkatu 3",
    position: position(0))
let exactum = KnownPlace(
    id: PlaceID("00000000-0000-8000-8000-0000000000a2")!, name: "Exactum", position: position(1000))
let physicum = KnownPlace(
    id: PlaceID("00000000-0000-8000-8000-0000000000a3")!, name: "Physicum", position: position(1050))
let chemicum = KnownPlace(
    id: PlaceID("00000000-0000-8000-8000-0000000000a4")!, name: "Chemicum", position: position(0, 300))
let places = KnownPlaces([unicafe, exactum, physicum, chemicum], around: [unicafe, chemicum])

/// Maya is at Unicafe, goes to Exactum, and can carry two; Tom would like soup from there.
enum Example {
    static func availability(
        _ state: AvailabilityState = .available, _ change: (inout OfferedAvailability) -> Void = { _ in }
    ) -> OfferedAvailability {
        var availability = OfferedAvailability(
            id: AvailabilityID("00000000-0000-4000-8000-0000000000b1")!, deliverer: maya, beganAt: noon, state: state,
            restaurant: unicafe, dropOff: exactum.shown, capacity: 2, detour: 150, until: after(minutes: 30),
            isListed: true, changedAt: noon)
        change(&availability)
        return availability
    }

    static func order(
        _ state: OrderState = .waiting, _ change: (inout PlacedOrder) -> Void = { _ in }
    ) -> PlacedOrder {
        var order = PlacedOrder(
            id: OrderID("00000000-0000-4000-8000-0000000000c1")!, orderer: tom, placedAt: noon, state: state,
            from: [WantedFrom(restaurant: unicafe, items: "Soup")], dropOff: exactum.shown, door: "Room 4",
            terms: OrderTerms(fee: euros(200), limit: euros(1200), paidBy: .cash), rollsOn: false,
            waitsUntil: after(minutes: 60), changedAt: noon)
        change(&order)
        return order
    }

    static let fit = DeliveryFit(detour: 0, walk: 1000)

    /// As it would be noon when its state began.
    static func match(
        _ state: MatchState = .offered, _ change: (inout MatchAgreement) -> Void = { _ in }
    ) -> MatchAgreement {
        var match = MatchAgreement(
            of: order(), "Soup", to: availability(), fit, id: MatchID("00000000-0000-4000-8000-0000000000d1")!,
            code: "0472", until: after(minutes: 1), at: noon)
        match.state = state
        if ![.offered, .declined, .expired, .withdrawn].contains(state) {
            (match.acceptedAt, match.expectedAt) = (noon, after(minutes: 20))
        }
        if ![.offered, .declined, .expired, .withdrawn, .accepted, .cancelled].contains(state) {
            (match.pickedUpAt, match.spent) = (noon, euros(1000))
        }
        if state == .disputed || state == .settled {
            match.statements = [MatchRemark(by: .orderer, text: "It is cold.", at: noon)]
        }
        change(&match)
        return match
    }

    static func requested(
        _ availability: OfferedAvailability = availability(), ways: KnownWays = KnownWays()
    ) -> RequestedDeliverer {
        RequestedDeliverer(availability: availability, match: match().id, code: "0472", ways: ways)
    }

    static let offerDraft = AvailabilityDraft(restaurant: unicafe.id, dropOff: DropOffDraft(place: exactum.id))

    static func orderDraft(_ change: (inout OrderDraft) -> Void = { _ in }) -> OrderDraft {
        var draft = OrderDraft(
            from: [OrderedFromDraft(restaurant: unicafe.id, items: "Soup")], dropOff: DropOffDraft(place: exactum.id),
            door: "Room 4", fee: euros(200), limit: euros(1200))
        change(&draft)
        return draft
    }
}

/// All that is wrong, as `field: code`.
func wrong(_ body: () throws(DeliveryError) -> Void) -> [String] {
    do throws(DeliveryError) {
        try body()
        return []
    } catch {
        guard case .invalid(let errors) = error else { return ["\(error)"] }
        return errors.map { "\($0.field): \($0.code)" }
    }
}

/// The tables of the service's page.
enum Readme {
    /// - Parameter heading: of the part that it stands in.
    static func rows(under heading: String, cells: Int) throws -> [[String]] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Services/Matching/README.md")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let lines = text.split(separator: "\n").drop { $0 != "## \(heading)" }.dropFirst()
        return lines.prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("| ") }
            .map { $0.split(separator: "|").map { $0.trimmed } }.filter { $0.count == cells }
    }
}
