import FoundationEssentials
import Testing
import WireProtocol

@testable import ListingsService

@Suite("Things for rent")
struct ThingOfferTests {
    private func fields(_ draft: ThingDraft, isComplete: Bool = true, _ limits: RentalLimits = rentalLimits) -> Set<
        String
    > {
        do {
            _ = try ThingOffer(draft, kind: draft.kind ?? .car, isComplete: isComplete, within: limits)
            return []
        } catch {
            guard case .invalid(let errors) = error else { return ["?"] }
            return Set(errors.map { "\($0.field): \($0.code)" })
        }
    }

    @Test func whatIsMissingIsSaidAtOnce() {
        #expect(
            fields(ThingDraft(kind: .car)) == [
                "title: required", "place: required", "region: required", "plate: required", "brand: required",
            ])
        #expect(
            fields(ThingDraft(kind: .space)) == [
                "title: required", "place: required", "region: required", "size: required", "address: required",
            ])
        #expect(fields(ThingDraft(kind: .space), isComplete: false) == [])
        #expect(fields(carDraft()) == [])
    }

    /// It is left out, but nonsense is nonsense.
    @Test func whatAKindDoesNotHaveMustMakeSense() {
        var (car, space) = (carDraft(), spaceDraft())
        car.size = 0
        (space.brand, space.plate) = ("a\nb", "Not of Singapore")
        #expect(fields(car) == ["size: out_of_range"])
        #expect(fields(space) == ["brand: not_allowed"])
        (car.size, space.brand) = (12, "Honda")
        #expect(fields(car) == [] && fields(space) == [])
    }

    @Test(arguments: ["two\nlines", "bell\u{7}", "para\u{2029}graph", "turned \u{202E}around", "tab\there", "null\0"])
    func aLineIsOneOfVisibleCharacters(text: String) {
        var draft = carDraft(text)
        #expect(fields(draft) == ["title: not_allowed"])
        draft = carDraft()
        draft.description = text
        #expect(
            fields(draft) == (text.contains(where: { $0 == "\n" || $0 == "\t" }) ? [] : ["description: not_allowed"]))
    }

    @Test func whatIsWrongIsWrongInADraftToo() {
        var draft = carDraft(plate: "SBA1234A")
        draft.region = "Moon"
        draft.zone = "Moon/Sea"
        draft.price = Money(amount: -1, currency: "EUR")
        draft.longest = 0
        draft.photos = ["x"]
        draft.position = Position(latitude: 91, longitude: 0)
        draft.title = "a\nb"
        #expect(
            fields(draft, isComplete: false) == [
                "plate: not_a_plate", "region: unknown", "zone: unknown", "price.amount: out_of_range",
                "price.currency: wrong_currency", "longest: out_of_range", "photos: not_a_photo",
                "position.latitude: out_of_range", "title: not_allowed",
            ])
    }

    @Test func modelsAreThoseOfTheCatalogue() throws {
        var limits = rentalLimits
        limits.models = try CarModelCatalogue("# cars\nHonda: Jazz, Fit\n\nKia: Rio\n")
        #expect(
            limits.models.brands == [
                CarBrand(name: "Honda", models: ["Fit", "Jazz"]), CarBrand(name: "Kia", models: ["Rio"]),
            ])
        #expect(fields(carDraft(), limits) == [])
        var draft = carDraft()
        draft.model = "Rio"
        #expect(fields(draft, limits) == ["model: unknown"])
        draft.brand = "Tesla"
        #expect(fields(draft, limits) == ["brand: unknown"])
    }

    private func fields(_ draft: ThingDraft, _ limits: RentalLimits) -> Set<String> {
        fields(draft, isComplete: true, limits)
    }

    @Test(arguments: [("Honda", 1), ("a: b\n: c", 2), ("a: b\na: c", 2), ("a:", 1)])
    func aBadLineIsNamed(text: String, number: Int) {
        #expect(throws: CarModelCatalogue.BadLine(number: number)) { try CarModelCatalogue(text) }
    }

    @Test func theCatalogueThatComesAlongHasHundreds() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Services/Listings/Data/car-models.txt")
        let catalogue = try CarModelCatalogue(String(decoding: Data(contentsOf: file), as: UTF8.self))
        #expect(catalogue.brands.flatMap(\.models).count > 600)
        // Of another catalogue: it can't be chosen, and what stands there may stay.
        var (draft, limits) = (carDraft(), rentalLimits)
        limits.models = catalogue
        draft.model = "Horseless Carriage"
        #expect(fields(draft, limits) == ["model: unknown"])
        let before = ThingDetails(title: "Old", brand: draft.brand, model: draft.model)
        _ = try ThingOffer(draft, kind: .car, isComplete: true, insteadOf: before, within: limits)
    }

    @Test func aPositionIsSnappedOnceAndForAll() {
        let middle = Position(latitude: 1.3525, longitude: 103.8475)
        for (north, east) in [(0.0, 0.0), (0.0049, 0.0049), (0.001, 0.004)] {
            let place = Position(latitude: 1.35 + north + 0.00001, longitude: 103.845 + east + 0.00001)
            #expect(place.onGrid == middle)
        }
        #expect(middle.onGrid == middle)
        for corner in [Position(latitude: 90, longitude: 180), Position(latitude: -90, longitude: -180)] {
            #expect(corner.onGrid.isValid)
        }
    }

    @Test func aPlateStaysThatIsNotTypedAgain() throws {
        let posted = try RentableThing.post(
            .new(at: noon), carDraft(), by: maya, having: 0, at: noon, within: rentalLimits)
        #expect(posted.told == .posted)
        let changed = try posted.thing.change(to: carDraft("Jazz", plate: nil), by: maya, within: rentalLimits)
        #expect(changed.thing.details.plate == "SBA1234G")
        #expect(changed.told == .changed)
        #expect(throws: RentalError.notYours) { try posted.thing.change(to: carDraft(), by: tom, within: rentalLimits) }
        #expect(throws: RentalError.tooManyThings(limit: 50)) {
            try RentableThing.post(.new(at: noon), carDraft(), by: maya, having: 50, at: noon, within: rentalLimits)
        }
    }

    @Test func aDraftIsListedWhenItIsWhole() throws {
        let begun = try RentableThing.post(
            .new(at: noon), ThingDraft(kind: .space, address: "Blk 9", isComplete: false), by: maya, having: 0,
            at: noon, within: rentalLimits)
        #expect(begun.thing.state == .draft)
        #expect(begun.told == .nothing)
        #expect(throws: RentalError.self) {
            try begun.thing.publish(by: maya, having: 1, at: noon, within: rentalLimits)
        }
        let whole = try begun.thing.change(to: spaceDraft(), by: maya, within: rentalLimits).thing
        let listed = try whole.publish(by: maya, having: 50, at: after(5), within: rentalLimits)
        #expect(listed.told == .posted)
        #expect(listed.thing.postedAt == after(5))
        let withdrawn = try listed.thing.withdraw(by: maya)
        #expect(withdrawn.told == .withdrawn)
        #expect(throws: RentalError.tooManyThings(limit: 50)) {
            try withdrawn.thing.publish(by: maya, having: 50, at: after(6), within: rentalLimits)
        }
        #expect(
            try withdrawn.thing.publish(by: maya, having: 49, at: after(6), within: rentalLimits).told == .posted)
    }
}
