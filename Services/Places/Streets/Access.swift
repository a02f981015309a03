/// Who may use a way or pass a barrier: OpenStreetMap's `access` keys, of which the one that is most particular to the traveller decides.
/// The README has the rules with their sources.
struct Access {
    /// From the most particular key to the most general one.
    let keys: [String]

    static let onFoot = Access(keys: ["foot", "access"])
    static let byCar = Access(keys: ["motorcar", "motor_vehicle", "vehicle", "access"])

    private static let granted: Set<String> = [
        "yes", "true", "1", "permissive", "designated", "destination", "customers", "official", "public",
    ]
    private static let refused: Set<String> = [
        "no", "false", "0", "private", "agricultural", "forestry", "delivery", "emergency", "military", "residents",
        "use_sidepath",
    ]

    /// What one key says; nil for nothing, and for what is said in no common word (`conditional`).
    private func meaning(_ value: String?) -> Bool? {
        guard let value else { return nil }
        return Self.granted.contains(value) ? true : Self.refused.contains(value) ? false : nil
    }

    /// What the tags say of going in a direction (`:forward`, `:backward`), or altogether; nil where they say nothing.
    func verdict(_ tags: [String: String], direction: String = "") -> Bool? {
        for key in keys {
            if !direction.isEmpty, let said = meaning(tags[key + direction]) { return said }
            if let said = meaning(tags[key]) { return said }
        }
        return nil
    }

    /// Whether a key for this traveller, rather than `access` for everybody, grants it: only that opens a way whose kind is closed to them.
    func isInvited(_ tags: [String: String]) -> Bool {
        for key in keys where key != "access" {
            if let said = meaning(tags[key]) { return said }
        }
        return false
    }
}

/// What stands in the way.
enum Barriers {
    private static let stopWalkers: Set<String> = ["wall", "fence", "retaining_wall", "city_wall", "hedge", "ditch"]
    private static let letCarsPass: Set<String> = [
        "gate", "lift_gate", "swing_gate", "sliding_gate", "bump_gate", "cattle_grid", "border_control", "toll_booth",
        "sally_port", "entrance", "kerb", "height_restrictor", "speed_bump",
    ]

    /// Whether somebody must stop at a node.
    static func stop(_ profile: TravelProfile, _ tags: [String: String]) -> Bool {
        guard let barrier = tags["barrier"], barrier != "no" else { return false }
        let access = profile == .walk ? Access.onFoot : Access.byCar
        if let said = access.verdict(tags) { return !said }
        if tags["locked"] == "yes" { return true }
        return profile == .walk ? stopWalkers.contains(barrier) : !letCarsPass.contains(barrier)
    }
}
