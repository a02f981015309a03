import WireProtocol

/// The steps in which a space is shared.
enum WizardStep: String, CaseIterable, Sendable {
    case address, size, price, photos, confirm

    var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

    var before: WizardStep? { number > 1 ? Self.allCases[number - 2] : nil }
    var after: WizardStep? { number < Self.allCases.count ? Self.allCases[number] : nil }

    /// What it asks for.
    var parts: Set<ThingValues.Part> {
        switch self {
        case .address: [.place]
        case .size: [.what]
        case .price: [.terms]
        case .photos: [.photos]
        case .confirm: []
        }
    }

    func path(_ space: ThingID) -> String { "/spaces/\(space)/wizard/\(rawValue)" }

    /// Where one goes on with a draft: at the first step that lacks something. Price and photos may lack for good; a draft that has the later
    /// one was there already.
    static func first(lacking thing: Thing, in visit: Visit) -> WizardStep {
        let lacksRegion = thing.region == nil && !visit.community.regions.isEmpty
        if thing.place == nil || thing.address == nil || lacksRegion { return .address }
        if thing.size == nil || thing.title.isEmpty { return .size }
        if !thing.photos.isEmpty { return .confirm }
        return thing.terms.price == nil ? .price : .photos
    }

    /// At which step a field is, of those that the form calls so.
    static func asking(for field: String) -> WizardStep? {
        switch field {
        case "find", "place", "address", "region": .address
        case "size", "title", "description": .size
        case "price", "from", "until", "longest", "zone": .price
        case "photos": .photos
        default: nil
        }
    }
}
