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

/// What there is to look at, as chips (`things/verticals`). Each leads back to where one was in it.
struct Vertical {
    var href: String
    var icon: String
    var text: String
    var chosen: Bool

    /// All of them.
    /// - Parameter kind: the one that is looked at now.
    static func all(besides kind: ThingKind? = nil, in visit: Visit) -> [Vertical] {
        let words = visit.words
        return ThingKind.allCases.map { one in
            Vertical(
                href: one == kind ? one.path : visit.lastSearch(of: one), icon: one.icon,
                text: words["things.vertical.\(one.rawValue)"], chosen: one == kind)
        } + [
            Vertical(href: "/parking", icon: "park", text: words["home.parking"], chosen: false),
            Vertical(href: "/places", icon: "building", text: words["places.home"], chosen: false),
        ]
    }
}
