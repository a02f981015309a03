import Synchronization
import TestKit
import WireProtocol

/// What the people of the ledger know of what they rent to each other, so that most of what they ask can be done. Safe from any task.
final class RentalBook: Sendable {
    struct KnownThing: Sendable {
        var id: ThingID
        var owner: PersonID
    }

    struct Known: Sendable {
        var id: RentalID
        var owner: PersonID
        var renter: PersonID
        /// As somebody was told it last.
        var state: RentalState
        /// Who has shown the thing's state, and at what; or has tried to.
        var shown: Set<Shown> = []

        func has(_ person: PersonID) -> Bool { owner == person || renter == person }
    }

    struct Shown: Hashable, Sendable {
        var person: PersonID
        var act: RentalAct
    }

    private struct Pages {
        var things: [ThingID: KnownThing] = [:]
        var rentals: [RentalID: Known] = [:]
    }
    private let pages = Mutex(Pages())

    var count: Int { pages.withLock { $0.things.count } }

    func add(_ thing: Thing) {
        pages.withLock { $0.things[thing.id] = KnownThing(id: thing.id, owner: thing.owner.id) }
    }

    func note(_ rental: Rental) {
        pages.withLock { pages in
            let known = Known(id: rental.id, owner: rental.owner.id, renter: rental.renter.id, state: rental.state)
            pages.rentals[rental.id, default: known].state = rental.state
        }
    }

    /// From here on nobody does this once more.
    func note(_ act: RentalAct, of rental: RentalID, by person: PersonID) {
        pages.withLock { _ = $0.rentals[rental]?.shown.insert(Shown(person: person, act: act)) }
    }

    /// One of those that fit, in an order that a seed repeats.
    func thing(using random: inout SeededGenerator, where fits: (KnownThing) -> Bool) -> KnownThing? {
        pages.withLock { $0.things.values.filter(fits) }.sorted { $0.id < $1.id }.randomElement(using: &random)
    }

    func rental(using random: inout SeededGenerator, where fits: (Known) -> Bool) -> Known? {
        pages.withLock { $0.rentals.values.filter(fits) }.sorted { $0.id < $1.id }.randomElement(using: &random)
    }
}
