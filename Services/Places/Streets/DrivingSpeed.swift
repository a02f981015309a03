/// How fast one drives where nothing is in the way: what the signs say, or what is usual on such a street, but not faster than the surface allows.
enum DrivingSpeed {
    /// Kilometres an hour where no `maxspeed` is known: the classes' speeds of OSRM's car profile. A kind that is not here is not for cars.
    static let ofKind: [String: Double] = [
        "motorway": 90, "motorway_link": 75, "trunk": 85, "trunk_link": 70, "primary": 65, "primary_link": 60,
        "secondary": 55, "secondary_link": 50, "tertiary": 40, "tertiary_link": 30, "unclassified": 25,
        "residential": 25, "living_street": 10, "service": 15, "road": 25,
    ]
    /// Where only a sign lets cars in: tracks, pedestrian streets.
    private static let elsewhere = 10.0

    private static let ofSurface: [String: Double] = {
        let groups: [(Double, [String])] = [
            (60, ["paving_stones", "concrete:plates", "metal"]),
            (45, ["compacted", "sett", "bricks", "cement", "grass_paver"]),
            (
                30,
                [
                    "cobblestone", "unhewn_cobblestone", "wood", "stone", "rocky", "gravel", "fine_gravel", "unpaved",
                    "ground", "dirt", "grass", "pebblestone",
                ]
            ),
            (15, ["clay", "sand", "earth", "mud"]),
        ]
        return Dictionary(uniqueKeysWithValues: groups.flatMap { speed, names in names.map { ($0, speed) } })
    }()

    /// Kilometres an hour that signs in words stand for: `DE:urban`, `none`.
    private static let ofWords: [String: Double] = [
        "none": 130, "walk": 5, "living_street": 10, "urban": 50, "rural": 80, "motorway": 120,
    ]
    /// Whatever the data say: slower than on foot or faster than this is an error, and `Cost.limit` relies on it.
    private static let sensible = 5.0...140.0

    static func metresPerSecond(_ tags: [String: String], kind: String, direction: String) -> Double {
        let usual = ofKind[kind] ?? elsewhere
        let signed = (tags["maxspeed" + direction] ?? tags["maxspeed"]).flatMap(kilometresPerHour) ?? usual
        let surface = tags["surface"].flatMap { ofSurface[$0] } ?? .infinity
        let speed = min(signed, surface)
        return min(max(speed, sensible.lowerBound), sensible.upperBound) / 3.6
    }

    /// `30`, `30 km/h`, `20 mph`, `DE:urban`, `none`; nil for anything else.
    static func kilometresPerHour(_ text: String) -> Double? {
        let words = text.split(separator: " ")
        if let number = words.first.flatMap({ Double($0) }), number.isFinite, number > 0 {
            switch words.count == 1 ? "km/h" : words[1] {
            case "km/h", "kmh", "kph": return number
            case "mph": return number * 1.609344
            default: return nil
            }
        }
        if text.hasSuffix("mph"), let number = Double(text.dropLast(3)), number > 0 { return number * 1.609344 }
        return ofWords[text.split(separator: ":").last.map(String.init) ?? ""]
    }
}
