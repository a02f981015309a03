/// What OpenStreetMap's tags say of who may use a thing, and whether it is still there (wiki.openstreetmap.org/wiki/Key:access, /Lifecycle_prefix).
enum OSMAccess {
    /// Not for whoever comes along. `destination` and `permissive` are: one parks there because one goes there.
    private static let closed: Set<String> = [
        "private", "customers", "permit", "no", "residents", "employees", "employee", "staff", "members", "students",
        "delivery", "military", "emergency", "agricultural", "forestry", "official",
    ]
    /// What says more of cars goes before what says it of everything.
    private static let keys = ["motorcar", "motor_vehicle", "vehicle", "access"]

    /// Whether somebody who knows nobody there may leave a car there.
    static func isForEverybody(_ tags: [String: String]) -> Bool {
        guard let said = keys.lazy.compactMap({ tags[$0] }).first else { return true }
        // Several are written with semicolons: one that lets everybody in does.
        return values(said).contains { !closed.contains($0) }
    }

    private static let gone = ["disused", "abandoned", "demolished", "razed", "removed"]

    /// Whether a tag says of the whole thing that it is no more, or not yet. `disused:amenity` says it by having no `amenity`.
    static func isGone(_ tags: [String: String]) -> Bool {
        gone.contains { key in
            tags[key].map { !["no", "false", "0"].contains($0) } ?? false
        }
    }

    private static func values(_ text: String) -> [String] {
        text.split(separator: ";").map { $0.lowercased().filter { !$0.isWhitespace } }
    }
}
