import FoundationEssentials
import Testing
import WireProtocol

/// What the document says of things that are for rent, and of agreements.
extension OpenAPITests {
    @Test func schemas_of_things_say_what_types_write() throws {
        let (money, at) = (Money(amount: 1, currency: "SGD"), Position(latitude: 0, longitude: 0))
        let someone = PersonSummary(id: .new(), name: "")
        let days = AvailableDays(from: "", until: "")
        let terms = RentalTerms(price: money, unit: .day, longest: 1, cancellation: .flexible, zone: "")
        try holds("RentalTerms", terms)
        try holds("AvailableDays", days)
        try holds(
            "Thing",
            Thing(
                id: .new(), kind: .car, state: .listed, title: "", description: "", brand: "", model: "", plate: "",
                size: 1, region: "", place: "", address: "", position: at, isExact: true, photos: [], available: days,
                terms: terms, owner: someone, postedAt: Date(), distance: 0, mine: true, action: .own, rental: .new(),
                hidden: Hiding(at: Date(), reason: ""), version: ""))
        try holds(
            "ThingDraft",
            ThingDraft(
                kind: .car, title: "", description: "", brand: "", model: "", plate: "", size: 1, region: "", place: "",
                address: "", position: at, photos: [], available: days, price: money, longest: 1,
                cancellation: .flexible, isInstant: true, zone: "", isComplete: true, version: ""))
        try holds("CarModels", CarModels(brands: []))
        try holds("CarBrand", CarBrand(name: "", models: []))
        try holds("ThingCalendar", ThingCalendar(zone: "", taken: [], last: "", next: ""))
        try holds("TakenPeriod", TakenPeriod(from: "", until: "", block: .new(), rental: .new()))
        try holds("PeriodDraft", PeriodDraft(from: "", until: ""))
        try holds("DateBlock", DateBlock(id: .new(), from: "", until: ""))
    }

    @Test func schemas_of_rentals_say_what_types_write() throws {
        let (money, at) = (Money(amount: 1, currency: "SGD"), Position(latitude: 0, longitude: 0))
        let someone = PersonSummary(id: .new(), name: "")
        let thing = RentedThing(id: .new(), kind: .car, title: "", photo: "", address: "", position: at)
        let evidence = RentalEvidence(by: .owner, at: .handOver, photos: [], note: "", madeAt: Date())
        try holds("RentedThing", thing)
        try holds("RentalEvidence", evidence)
        try holds(
            "Rental",
            Rental(
                id: .new(), thing: thing, owner: someone, renter: someone, role: .owner, state: .requested, from: "",
                until: "", zone: "", startsAt: Date(), endsAt: Date(), units: 1,
                terms: RentalTerms(unit: .day, cancellation: .flexible, zone: ""), cost: money, owed: money,
                message: "",
                requestedAt: Date(), answerBy: Date(), acceptedAt: Date(), changedAt: Date(), changedBy: someone,
                reason: "",
                evidence: [evidence], possible: [.accept]))
        let expected = RentalTerms(unit: .day, cancellation: .flexible, zone: "")
        try holds("RentalDraft", RentalDraft(from: "", until: "", message: "", expected: expected))
        try holds(
            "RentalQuote",
            RentalQuote(startsAt: Date(), endsAt: Date(), units: 1, cost: money, isFree: true, rental: .new()))
        let shown = RentalExpectation(state: .accepted, owed: 0, evidence: 1)
        try holds("RentalExpectation", shown)
        try holds("RentalActDraft", RentalActDraft(reason: "", photos: [], share: 1, expected: shown))
        try holds("RentalContact", RentalContact(phone: ""))
    }
}
