import PlainText
import WireProtocol

/// A draft that was checked.
struct ThingOffer: Hashable, Sendable {
    let details: ThingDetails
    let terms: RentalTerms

    /// - Parameters:
    ///   - isComplete: whether nothing may be missing; what is there must be right in any case.
    ///   - before: as it was: a car whose model is no longer in the catalogue stays what it is.
    /// - Throws: `invalid` with everything that is wrong.
    init(
        _ draft: ThingDraft, kind: ThingKind, isComplete: Bool, insteadOf before: ThingDetails? = nil,
        within limits: RentalLimits
    ) throws(RentalError) {
        let isCar = kind == .car
        var errors: [FieldError] = []
        func line(_ text: String?, _ field: String) -> String? {
            TextRule.line(ThingRules.longestLine).read(text, at: field, &errors)
        }
        // What a thing of this kind does not have is left out, and must make sense all the same.
        let (brand, model, plate) = (line(draft.brand, "brand"), line(draft.model, "model"), line(draft.plate, "plate"))
        details = ThingDetails(
            title: line(draft.title, "title") ?? "",
            description: TextRule.lines(ThingRules.longestText).read(draft.description, at: "description", &errors),
            brand: isCar ? brand : nil, model: isCar ? model : nil,
            plate: isCar ? plate.map { limits.plates.normalized($0) } : nil,
            size: kind == .space ? draft.size : nil, region: line(draft.region, "region"),
            place: line(draft.place, "place"), address: line(draft.address, "address"), position: draft.position,
            photos: draft.photos ?? [],
            available: LetDays(draft.available))
        terms = RentalTerms(
            price: draft.price?.amount == 0 ? nil : draft.price, unit: kind.unit, longest: draft.longest,
            cancellation: draft.cancellation ?? .flexible, isInstant: draft.isInstant ?? false,
            zone: line(draft.zone, "zone") ?? limits.zone)
        errors +=
            ThingRules.errors(in: details, limits) + ThingRules.errors(in: terms, limits)
            + ThingRules.errors(inCar: details, isCar, insteadOf: before, limits) + LetDays.errors(in: draft.available)
        errors += ThingRules.errors(inWhatIsNotFor: kind, draft)
        // What is wrong is there.
        let wrong = Set(errors.map(\.field))
        if isComplete {
            errors += ThingRules.missing(in: details, kind, limits).filter { !wrong.contains($0.field) }
        }
        guard errors.isEmpty else { throw .invalid(errors) }
    }
}

/// What the fields of a thing must be. Each rule answers with the errors at its field.
enum ThingRules {
    static let longestLine = 120
    static let longestText = 4000
    static let longestMessage = 1000
    static let largest = 100_000

    static func errors(in details: ThingDetails, _ limits: RentalLimits) -> [FieldError] {
        var errors = self.errors(inPhotos: details.photos)
        if let region = details.region, !limits.regions.isEmpty, !limits.regions.contains(region) {
            errors.append(FieldError("region", "unknown", "This is none of the community's regions."))
        }
        if let size = details.size, !(1...largest).contains(size) {
            errors.append(FieldError("size", "out_of_range", "Between 1 and \(largest) square metres."))
        }
        if let position = details.position { errors += FieldRules.errors(in: position) }
        return errors
    }

    static func errors(in terms: RentalTerms, _ limits: RentalLimits) -> [FieldError] {
        var errors: [FieldError] = []
        if let price = terms.price {
            if !(0...RentalLimits.highestPrice).contains(price.amount) {
                errors.append(FieldError("price.amount", "out_of_range", "This is no price that a thing may have."))
            }
            if price.currency != limits.currency {
                errors.append(FieldError("price.currency", "wrong_currency", "Prices are in \(limits.currency) here."))
            }
        }
        if let longest = terms.longest, !(1...limits.longest(terms.unit)).contains(longest) {
            errors.append(FieldError("longest", "out_of_range", "Between 1 and \(limits.longest(terms.unit))."))
        }
        if Zone.named(terms.zone) == nil {
            errors.append(FieldError("zone", "unknown", "This is no time zone, such as Asia/Singapore."))
        }
        return errors
    }

    static func errors(
        inCar details: ThingDetails, _ isCar: Bool, insteadOf before: ThingDetails?, _ limits: RentalLimits
    ) -> [FieldError] {
        guard isCar else { return [] }
        var errors: [FieldError] = []
        if let plate = details.plate, let problem = limits.plates.problem(in: plate) {
            errors.append(FieldError("plate", "not_a_plate", problem))
        }
        let isAsBefore = before.map { ($0.brand, $0.model) == (details.brand, details.model) } ?? false
        if !isAsBefore, details.brand != nil, details.model != nil {
            errors += limits.models.errors(brand: details.brand, model: details.model)
        }
        return errors
    }

    /// A size that a thing of this kind does not have.
    static func errors(inWhatIsNotFor kind: ThingKind, _ draft: ThingDraft) -> [FieldError] {
        guard kind != .space, let size = draft.size, !(1...largest).contains(size) else { return [] }
        return [FieldError("size", "out_of_range", "Between 1 and \(largest) square metres.")]
    }

    /// What a listed thing needs.
    static func missing(in details: ThingDetails, _ kind: ThingKind, _ limits: RentalLimits) -> [FieldError] {
        func required(_ value: Any?, _ field: String, _ message: String) -> [FieldError] {
            value == nil ? [FieldError(field, "required", message)] : []
        }
        var errors =
            required(details.title.isEmpty ? nil : "", "title", "Give it a title.")
            + required(details.place, "place", "Say where it is: the street, or the quarter.")
        if !limits.regions.isEmpty { errors += required(details.region, "region", "Choose the region.") }
        switch kind {
        case .car:
            errors += required(details.plate, "plate", "A car needs its number plate. Nobody else sees it.")
            if details.brand == nil || details.model == nil {
                errors += limits.models.errors(brand: details.brand, model: details.model)
            }
        case .space:
            errors += required(details.size, "size", "Say how large it is.")
            errors += required(details.address, "address", "Say at which door. Who rents it is told when you agree.")
        case .parking:
            errors += required(details.address, "address", "Say at which door. Who rents it is told when you agree.")
        }
        return errors
    }

    static func errors(inPhotos photos: [String]) -> [FieldError] {
        if photos.count > RentalLimits.mostPhotos {
            return [FieldError("photos", "too_many", "At most \(RentalLimits.mostPhotos) photos.")]
        }
        if Set(photos).count < photos.count { return [FieldError("photos", "twice", "One of them is there twice.")] }
        return Array(photos.flatMap { FieldRules.errors(inPhoto: $0, at: "photos") }.prefix(1))
    }

    /// What somebody says who does something to an agreement.
    /// - Throws: `invalid` with everything that is wrong with it.
    static func reason(of draft: RentalActDraft, doing act: RentalAct) throws(RentalError) -> String? {
        var errors = self.errors(inPhotos: draft.photos ?? [])
        let required = [.dispute, .explain, .settle].contains(act) ? "Say why." : nil
        let reason = TextRule.lines(longestMessage).read(draft.reason, at: "reason", &errors, required: required)
        if act == .settle {
            if !(0...100).contains(draft.share ?? -1) {
                errors.append(FieldError("share", "out_of_range", "Which share is owed, between 0 and 100 percent."))
            }
        } else if draft.share != nil {
            errors.append(FieldError("share", "not_allowed", "Only who settles a dispute says that."))
        }
        guard errors.isEmpty else { throw .invalid(errors) }
        return reason
    }
}
