import Synchronization
import TestKit
import WireProtocol

/// What the people of the ledger know of each other's spots, so that most of what they ask can be done. Safe from any task.
final class SpotBook: Sendable {
    struct Known: Sendable {
        var id: SpotID
        var owner: PersonID
        var place: Position
        /// Whoever holds it, as far as somebody was told.
        var holder: PersonID?
        /// Who has said something about it: each says it once, so that the counts on the spot can be checked.
        var witnesses: Set<PersonID> = []
        /// Whose claim has an unknown outcome: claiming again might change nothing, which leaves no event.
        var doubtful: Set<PersonID> = []
        /// Whoever holds it has said that they parked there, or tried to: saying it again leaves no event.
        var isParked = false
    }

    private let spots = Mutex<[SpotID: Known]>([:])

    var count: Int { spots.withLock { $0.count } }

    func add(_ spot: Known) { spots.withLock { $0[spot.id] = spot } }
    func drop(_ id: SpotID) { _ = spots.withLock { $0.removeValue(forKey: id) } }
    func change(_ id: SpotID, _ body: (inout Known) -> Void) {
        spots.withLock { spots in
            guard var spot = spots[id] else { return }
            body(&spot)
            spots[id] = spot
        }
    }

    /// One of those that fit, in an order that a seed repeats.
    func any(using random: inout SeededGenerator, where fits: (Known) -> Bool) -> Known? {
        let candidates = spots.withLock { $0.values.filter(fits) }.sorted { $0.id < $1.id }
        return candidates.randomElement(using: &random)
    }

    /// The same of those that the person does not hold, and the person counts as a witness from here on.
    func unseen(by person: PersonID, using random: inout SeededGenerator) -> Known? {
        let spot = any(using: &random) { spot in
            spot.owner != person && !spot.witnesses.contains(person) && spot.holder != person
                && !spot.doubtful.contains(person)
        }
        guard let spot else { return nil }
        change(spot.id) { $0.witnesses.insert(person) }
        return spot
    }
}
