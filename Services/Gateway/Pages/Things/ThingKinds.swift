import WireProtocol

/// How pages show things of a kind, and what they ask about one.
struct ThingLook {
    /// The address of their list; those of one of them begin with it.
    var path: String
    /// A symbol of `icons.svg`.
    var icon: String
    /// Whether it is of a brand and a model, and has a plate.
    var isVehicle = false
    /// Whether it has a size.
    var hasSize = false
    /// Whether who shares it must say the address.
    var needsAddress = true
    /// Whether it is shared step by step.
    var hasWizard = false
}

extension ThingKind {
    /// One value for each kind.
    var look: ThingLook {
        switch self {
        case .car: ThingLook(path: "/cars", icon: "car", isVehicle: true, needsAddress: false)
        case .space: ThingLook(path: "/spaces", icon: "box", hasSize: true, hasWizard: true)
        case .parking: ThingLook(path: "/private-parking", icon: "garage")
        }
    }

    var path: String { look.path }
    var icon: String { look.icon }

    /// Where one of them is shared.
    var sharePath: String { path + "/new" }
}

extension Thing {
    var path: String { "\(kind.path)/\(id)" }
}
