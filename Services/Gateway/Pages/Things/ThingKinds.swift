import WireProtocol

/// Where pages show things of a kind, and how.
extension ThingKind {
    /// The address of their list; those of one of them begin with it.
    var path: String {
        switch self {
        case .car: "/cars"
        case .space: "/spaces"
        case .parking: "/private-parking"
        }
    }

    /// Where one of them is shared.
    var sharePath: String { path + "/new" }

    /// A symbol of `icons.svg`.
    var icon: String {
        switch self {
        case .car: "car"
        case .space: "box"
        case .parking: "garage"
        }
    }
}

extension Thing {
    var path: String { "\(kind.path)/\(id)" }
}
