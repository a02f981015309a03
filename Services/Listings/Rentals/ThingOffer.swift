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
        details = ThingDetails(
            title: draft.title?.trimmed ?? "", description: draft.description.said,
            brand: isCar ? draft.brand.said : nil, model: isCar ? draft.model.said : nil,
            plate: isCar ? draft.plate.said.map { limits.plates.normalized($0) } : nil,
            size: kind == .space ? draft.size : nil, region: draft.region.said, place: draft.place.said,
            address: draft.address.said, position: draft.position, photos: draft.photos ?? [],
            available: LetDays(draft.available))
        terms = RentalTerms(
            price: draft.price?.amount == 0 ? nil : draft.price, unit: kind.unit, longest: draft.longest,
            cancellation: draft.cancellation ?? .flexible, isInstant: draft.isInstant ?? false,
            zone: draft.zone.said ?? limits.zone)
        var errors =
            ThingRules.errors(in: details, limits) + ThingRules.errors(in: terms, limits)
            + ThingRules.errors(inCar: details, isCar, insteadOf: before, limits) + LetDays.errors(in: draft.available)
        errors += ThingRules.errors(inWhatIsNotFor: kind, draft)
        if isComplete { errors += ThingRules.missing(in: details, kind, limits) }
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
        var errors =
            line(details.title, "title") + line(details.place, "place") + line(details.address, "address")
            + line(details.region, "region") + line(details.brand, "brand") + line(details.model, "model")
            + self.errors(in: details.description, at: "description", longest: longestText)
            + self.errors(inPhotos: details.photos)
        if let region = details.region, !limits.regions.isEmpty, !limits.regions.contains(region) {
            errors.append(FieldError("region", "unknown", "This is none of the community's regions."))
        }
        if let size = details.size, !(1...largest).contains(size) {
            errors.append(FieldError("size", "out_of_range", "Between 1 and \(largest) square metres."))
        }
        if let position = details.position { errors += SpotRules.errors(in: position) }
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

    /// What a thing of this kind does not have is left out, and must make sense all the same.
    static func errors(inWhatIsNotFor kind: ThingKind, _ draft: ThingDraft) -> [FieldError] {
        var errors: [FieldError] = []
        if kind != .car {
            errors += line(draft.brand, "brand") + line(draft.model, "model") + line(draft.plate, "plate")
        }
        if kind != .space, let size = draft.size, !(1...largest).contains(size) {
            errors.append(FieldError("size", "out_of_range", "Between 1 and \(largest) square metres."))
        }
        return errors
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

    static func errors(in text: String?, at field: String, longest: Int) -> [FieldError] {
        guard let text else { return [] }
        if text.count > longest || text.utf8.count > longest * 8 {
            return [FieldError(field, "too_long", "At most \(longest) characters.")]
        }
        let isForbidden = text.unicodeScalars.contains { $0.isControl && !["\n", "\r", "\t"].contains($0) }
        return isForbidden ? [FieldError(field, "not_allowed", "Only visible characters.")] : []
    }

    static func errors(inPhotos photos: [String]) -> [FieldError] {
        if photos.count > RentalLimits.mostPhotos {
            return [FieldError("photos", "too_many", "At most \(RentalLimits.mostPhotos) photos.")]
        }
        if Set(photos).count < photos.count { return [FieldError("photos", "twice", "One of them is there twice.")] }
        return photos.flatMap { SpotRules.errors(inPhoto: $0) }.prefix(1).map {
            FieldError("photos", $0.code, $0.message)
        }
    }

    /// What is wrong with what somebody does to an agreement.
    static func errors(in draft: RentalActDraft, doing act: RentalAct) -> [FieldError] {
        let reason = draft.reason?.trimmed
        var errors =
            self.errors(in: reason, at: "reason", longest: longestMessage) + self.errors(inPhotos: draft.photos ?? [])
        if [.dispute, .explain, .settle].contains(act), reason?.isEmpty ?? true {
            errors.append(FieldError("reason", "required", "Say why."))
        }
        if act == .settle {
            if !(0...100).contains(draft.share ?? -1) {
                errors.append(FieldError("share", "out_of_range", "Which share is owed, between 0 and 100 percent."))
            }
        } else if draft.share != nil {
            errors.append(FieldError("share", "not_allowed", "Only who settles a dispute says that."))
        }
        return errors
    }

    private static func line(_ text: String?, _ field: String) -> [FieldError] {
        guard let text, !text.isEmpty else { return [] }
        if text.unicodeScalars.contains(where: \.isControl) {
            return [FieldError(field, "not_allowed", "Only visible characters, on one line.")]
        }
        return errors(in: text, at: field, longest: longestLine)
    }
}

extension String? {
    /// Trimmed; nil where that leaves nothing.
    fileprivate var said: String? {
        guard let text = self?.trimmed, !text.isEmpty else { return nil }
        return text
    }
}
