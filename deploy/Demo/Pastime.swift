import Foundation
import WireProtocol

/// Something that a neighbour does.
enum Act: Hashable, Sendable {
    case post(Place)
    case observe(SpotID, ObservedState)
    case claim(SpotID)
    case giveBack(SpotID, by: PersonID)
    /// Who holds it has parked there, which completes what the two had to do with each other.
    case park(SpotID, by: PersonID)
}

/// What the neighbours see when they decide.
struct Scene: Sendable {
    /// Everybody's free spots on the map.
    var free: [Spot]
    /// What neighbours hold, and who.
    var claimed: [SpotID: PersonID]
    var places: [Place]
    var neighbours: [PersonID]

    /// Their own; what visitors post, they leave alone but for confirming it.
    var ours: [Spot] { free.filter { neighbours.contains($0.postedBy.id) } }

    var vacant: [Place] { places.filter { place in !free.contains { place.isAt($0.position) } } }

    /// Somewhere to post: at the street three times as likely as elsewhere, for that is what people see as they pass.
    func somewhere(using random: inout some RandomNumberGenerator) -> Place? {
        vacant.flatMap { Array(repeating: $0, count: $0.kind == .street ? 3 : 1) }.randomElement(using: &random)
    }
}

/// Decides what happens next. Pure: scene and chance go in, an act comes out.
struct Pastime: Sendable {
    /// The map is filled up to `enough` at the start and whenever fewer than `few` are left.
    var few = 12
    var enough = 16
    /// No more than so many, however often somebody feels like posting.
    var many = 24

    func mustFill(_ scene: Scene, filling: Bool) -> Bool { scene.ours.count < (filling ? enough : few) }

    /// - Returns: nil where nothing suits.
    func next(in scene: Scene, using random: inout some RandomNumberGenerator) -> Act? {
        if mustFill(scene, filling: false) { return scene.somewhere(using: &random).map(Act.post) }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<34:
            guard scene.ours.count < many else { return nil }
            return scene.somewhere(using: &random).map(Act.post)
        case 34..<66: return scene.free.randomElement(using: &random).map { .observe($0.id, .there) }
        case 66..<72:
            // One doubt makes a spot "likely gone"; the second would end it, and is left to chance and visitors.
            return scene.ours.filter { $0.observations.gone == 0 }.randomElement(using: &random).map {
                .observe($0.id, .gone)
            }
        case 72..<88: return scene.ours.randomElement(using: &random).map { .claim($0.id) }
        case 88..<96: return scene.claimed.randomElement(using: &random).map { .park($0.key, by: $0.value) }
        default: return scene.claimed.randomElement(using: &random).map { .giveBack($0.key, by: $0.value) }
        }
    }
}
