import FoundationEssentials
import WireProtocol

@testable import ListingsService

// What the tests' things and agreements are made of.

let rentalLimits: RentalLimits = {
    var limits = RentalLimits(currency: "SGD")
    limits.regions = ["Central", "East", "North", "North-East", "West"]
    return limits
}()

func carDraft(
    _ title: String = "Jazz for the weekend", plate: String? = "SBA1234G", price: Int = 5500,
    region: String = "Central",
    at position: Position? = Position(latitude: 1.351, longitude: 103.848), isInstant: Bool = false
) -> ThingDraft {
    ThingDraft(
        kind: .car, title: title, description: "Room for four and a pram.", brand: "Honda", model: "Jazz", plate: plate,
        region: region, place: "Bishan Street 11", address: "Blk 123, #04-56", position: position,
        price: Money(amount: price, currency: "SGD"), cancellation: .moderate, isInstant: isInstant)
}

func spaceDraft(_ title: String = "Half a garage", isComplete: Bool? = nil) -> ThingDraft {
    ThingDraft(
        kind: .space, title: title, size: 12, region: "East", place: "Tampines", address: "Blk 9",
        price: Money(amount: 300, currency: "SGD"), isComplete: isComplete)
}

/// Maya's car, asked for by Tom at noon, for four days that begin in ten days.
func agreement(
    _ state: RentalState = .requested, changedAt: Date = noon, unit: RentalUnit = .day,
    policy: CancellationPolicy = .moderate
) -> Agreement {
    let start = noon + 10 * 86400
    return Agreement(
        id: .new(at: noon), thing: .new(at: noon), kind: unit == .day ? .car : .parking, title: "Jazz", photo: nil,
        owner: maya, renter: tom,
        period: RentalPeriod(
            from: "2026-10-01", until: "2026-10-04", zone: "Asia/Singapore", startsAt: start,
            endsAt: start + 4 * (unit == .day ? 86400 : 3600), units: 4),
        terms: RentalTerms(
            price: Money(amount: 5500, currency: "SGD"), unit: unit, cancellation: policy, zone: "Asia/Singapore"),
        message: nil, requestedAt: noon, answerBy: noon + 86400,
        acceptedAt: state == .requested || state == .declined ? nil : noon, state: state, changedAt: changedAt,
        changedBy: tom,
        share: state == .requested ? 0 : 100, holds: state == .accepted || state == .handedOver)
}
