/// How a way may be used in its own direction and against it: metres a second, nil for not at all.
struct Usage: Hashable {
    var forward: Double?
    var backward: Double?

    var isNone: Bool { forward == nil && backward == nil }
    static let none = Usage(forward: nil, backward: nil)
}

/// Which ways a profile may use. The README has the table with its sources.
enum StreetRules {
    static func usage(of tags: [String: String], by profile: TravelProfile) -> Usage {
        profile == .walk ? walking(tags) : driving(tags)
    }

    // MARK: On foot

    private static let walkable: Set<String> = [
        "trunk", "trunk_link", "primary", "primary_link", "secondary", "secondary_link", "tertiary", "tertiary_link",
        "unclassified", "residential", "living_street", "service", "road", "track", "path", "footway", "pedestrian",
        "steps", "corridor", "platform", "elevator",
    ]
    private static let walkableByInvitation: Set<String> = [
        "motorway", "motorway_link", "cycleway", "bridleway", "busway", "bus_guideway",
    ]

    private static func walking(_ tags: [String: String]) -> Usage {
        guard let kind = tags["highway"] else { return .none }
        let access = Access.onFoot
        let isOpen = walkable.contains(kind) && tags["motorroad"] != "yes"
        guard isOpen || (walkableByInvitation.contains(kind) || walkable.contains(kind)) && access.isInvited(tags)
        else { return .none }
        var (forward, backward) = (
            access.verdict(tags, direction: ":forward") ?? true, access.verdict(tags, direction: ":backward") ?? true
        )
        // `oneway` alone is for vehicles; escalators have a direction for feet.
        let oneway = tags["oneway:foot"] ?? ""
        if ["yes", "1", "true"].contains(oneway) || tags["conveying"] == "forward" { backward = false }
        if ["-1", "reverse"].contains(oneway) || tags["conveying"] == "backward" { forward = false }
        let pace = TravelProfile.walkingPace
        return Usage(forward: forward ? pace : nil, backward: backward ? pace : nil)
    }

    // MARK: By car

    private static let drivableByInvitation: Set<String> = [
        "track", "pedestrian", "footway", "path", "cycleway", "bridleway", "busway",
    ]

    private static func driving(_ tags: [String: String]) -> Usage {
        guard let kind = tags["highway"], tags["area"] != "yes" else { return .none }
        let access = Access.byCar
        let isOpen = DrivingSpeed.ofKind[kind] != nil && tags["service"] != "emergency_access"
        let isInvitable = DrivingSpeed.ofKind[kind] != nil || drivableByInvitation.contains(kind)
        guard isOpen || isInvitable && access.isInvited(tags) else { return .none }
        let oneway = direction(tags, kind: kind)
        guard oneway != .changing else { return .none }
        let forward = oneway != .backward && access.verdict(tags, direction: ":forward") ?? true
        let backward = oneway != .forward && access.verdict(tags, direction: ":backward") ?? true
        return Usage(
            forward: forward ? DrivingSpeed.metresPerSecond(tags, kind: kind, direction: ":forward") : nil,
            backward: backward ? DrivingSpeed.metresPerSecond(tags, kind: kind, direction: ":backward") : nil)
    }

    private enum Direction { case both, forward, backward, changing }

    private static func direction(_ tags: [String: String], kind: String) -> Direction {
        switch tags["oneway:motorcar"] ?? tags["oneway:motor_vehicle"] ?? tags["oneway:vehicle"] ?? tags["oneway"] {
        case "yes", "1", "true": .forward
        case "-1", "reverse": .backward
        // Now this way, now that: nobody can rely on it.
        case "reversible": .changing
        case "no", "0", "false", "alternating": .both
        default:
            ["roundabout", "circular"].contains(tags["junction"]) || ["motorway", "motorway_link"].contains(kind)
                ? .forward : .both
        }
    }
}
