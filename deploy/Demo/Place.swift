import Foundation
import WireProtocol

/// A parking place of the extract, as `deploy/map/parking.py` writes it.
struct Place: Decodable, Hashable, Sendable {
    /// Its own name, or that of the nearest street.
    var name: String
    var position: Position
    var kind: SpotKind
    /// Nil where nobody noted it.
    var fee: Bool?
    var capacity: Int?

    static func read(_ path: String) throws -> [Place] {
        let places = try JSONDecoder().decode([Place].self, from: Data(contentsOf: URL(filePath: path)))
        guard !places.isEmpty else { throw NoPlaces(path: path) }
        return places
    }

    struct NoPlaces: Error, CustomStringConvertible {
        var path: String
        var description: String { "There is no parking place in \(path)." }
    }

    /// Whether a spot at this position is one at this place.
    func isAt(_ other: Position) -> Bool {
        let metresPerDegree = 111_320.0
        let north = (position.latitude - other.latitude) * metresPerDegree
        let east = (position.longitude - other.longitude) * metresPerDegree * cos(position.latitude * .pi / 180)
        return north * north + east * east < 20 * 20
    }
}

extension [Place] {
    /// The smallest box with all places in it, and a little room around.
    var box: BoundingBox {
        let (latitudes, longitudes) = (map(\.position.latitude), map(\.position.longitude))
        return BoundingBox(
            west: longitudes.min()! - 0.002, south: latitudes.min()! - 0.001, east: longitudes.max()! + 0.002,
            north: latitudes.max()! + 0.001)
    }
}

extension SpotDraft {
    /// What someone who stands at a place would write.
    /// - Parameters:
    ///   - pictures: Photo ids by the drawing's name.
    ///   - currency: The community's.
    static func at(
        _ place: Place, now: Date, pictures: [String: String], currency: String,
        using random: inout some RandomNumberGenerator
    ) -> SpotDraft {
        let drawing = Scenery.drawing(for: place, now: now, using: &random)
        return SpotDraft(
            name: name(at: place, using: &random), position: place.position, photo: pictures[drawing],
            price: price(at: place, currency: currency, using: &random),
            expiresAt: now + lifetime(at: place, using: &random), kind: place.kind)
    }

    private static func name(at place: Place, using random: inout some RandomNumberGenerator) -> String {
        switch place.kind {
        case .street: "\(place.name) \(Int.random(in: 1...46, using: &random))"
        case .garage: "\(place.name), level \(Int.random(in: 1...3, using: &random))"
        case .private:
            "\(["Courtyard", "My place", "Guest place"].randomElement(using: &random)!), \(place.name) \(Int.random(in: 1...28, using: &random))"
        }
    }

    /// In steps of half a unit of money; nil where it is free.
    private static func price(at place: Place, currency: String, using random: inout some RandomNumberGenerator)
        -> Money?
    {
        let halves: ClosedRange<Int>
        switch place.kind {
        case .street:
            guard place.fee ?? Bool.random(using: &random) else { return nil }
            halves = 2...8
        case .garage: halves = 6...14
        case .private: halves = 3...12
        }
        return Money(amount: Int.random(in: halves, using: &random) * 50, currency: currency)
    }

    /// Different for each, so that the map never empties at once. Garages and private places stay a little longer.
    private static func lifetime(at place: Place, using random: inout some RandomNumberGenerator) -> TimeInterval {
        let minutes =
            place.kind == .street ? Int.random(in: 11...29, using: &random) : Int.random(in: 15...45, using: &random)
        return TimeInterval(minutes * 60)
    }
}

/// Which drawing suits which place.
enum Scenery {
    private static let byDay = [
        "street-day", "under-the-lindens", "beside-the-bicycles", "cobbled-square", "autumn-leaves", "street-rain",
        "street-snow",
    ]

    static func drawing(for place: Place, now: Date, using random: inout some RandomNumberGenerator) -> String {
        switch place.kind {
        case .garage: return ["garage", "garage-entrance"].randomElement(using: &random)!
        case .private: return ["courtyard", "driveway", "courtyard-evening"].randomElement(using: &random)!
        case .street: break
        }
        // Street names of the shore end so in Finnish.
        if place.name.hasSuffix("ranta") || place.name.contains("Siltasaari") { return "by-the-sea" }
        switch Calendar.current.component(.hour, from: now) {
        case 22...23, 0..<6: return Bool.random(using: &random) ? "night-lamp" : "street-dusk"
        case 19..<22: return Bool.random(using: &random) ? "street-dusk" : byDay.randomElement(using: &random)!
        default: return byDay.randomElement(using: &random)!
        }
    }
}
