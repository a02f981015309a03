import KampongClient
import Synchronization
import TestKit
import WireProtocol

/// What the people of the ledger look for, and which spaces they have withdrawn. Safe from any task.
final class WantedBook: Sendable {
    struct Known: Sendable {
        var id: WantedID
        var person: PersonID
        var isPaused: Bool
    }

    private struct Pages {
        var searches: [WantedID: Known] = [:]
        var withdrawn: Set<ThingID> = []
    }
    private let pages = Mutex(Pages())

    func count(of person: PersonID) -> Int { pages.withLock { $0.searches.values.count { $0.person == person } } }

    func note(_ wanted: Wanted, of person: PersonID) {
        let known = Known(id: wanted.id, person: person, isPaused: wanted.state == .paused)
        pages.withLock { $0.searches[wanted.id] = known }
    }

    func drop(_ id: WantedID) { _ = pages.withLock { $0.searches.removeValue(forKey: id) } }

    /// One of somebody's, in an order that a seed repeats.
    func any(of person: PersonID, using random: inout SeededGenerator) -> Known? {
        pages.withLock { $0.searches.values.filter { $0.person == person } }.sorted { $0.id < $1.id }
            .randomElement(using: &random)
    }

    func isWithdrawn(_ thing: ThingID) -> Bool { pages.withLock { $0.withdrawn.contains(thing) } }
    func withdraw(_ thing: ThingID) { _ = pages.withLock { $0.withdrawn.insert(thing) } }
}

/// Looks for something from now on. What it finds is told of later, by itself.
struct LookCommand: LedgerCommand {
    let name = "look"
    let service = PeerRole.matching
    let aggregate: String? = nil
    let sought: Sought
    let draft: WantedDraft
    let book: WantedBook

    func send(as person: LedgerPerson, key: String) async throws -> String {
        let wanted = try await person.client.postWanted(draft, key: key)
        book.note(wanted, of: person.id!)
        return "wanted/\(wanted.id)"
    }

    func explains(_ events: [PublishedEvent]) -> Bool { events.isEmpty }
}

/// Pauses a search, goes on with it, or has done with it.
struct KeepCommand: LedgerCommand {
    enum Wish: String, Sendable { case pause, goOn, remove }

    let service = PeerRole.matching
    let wanted: WantedID
    let wish: Wish
    let book: WantedBook

    var name: String { "\(wish.rawValue) search" }
    var aggregate: String? { "wanted/\(wanted)" }

    func send(as person: LedgerPerson, key: String) async throws -> String {
        switch wish {
        case .pause, .goOn:
            let change = WantedChange(isPaused: wish == .pause)
            book.note(try await person.client.changeWanted(wanted, change, key: key), of: person.id!)
        case .remove:
            // Nobody pauses it any more, whatever the answer.
            book.drop(wanted)
            try await person.client.removeWanted(wanted, key: key)
        }
        return "wanted/\(wanted)"
    }

    func explains(_ events: [PublishedEvent]) -> Bool { events.isEmpty }
}

/// Takes a space off the list.
struct WithdrawCommand: LedgerCommand {
    let name = "withdraw"
    let service = PeerRole.listings
    let thing: ThingID
    let book: WantedBook
    var aggregate: String? { "thing/\(thing)" }

    func send(as person: LedgerPerson, key: String) async throws -> String {
        book.withdraw(thing)
        try await person.client.withdrawThing(thing, .space, key: key)
        return "thing/\(thing)"
    }

    func explains(_ events: [PublishedEvent]) -> Bool { events.map(\.type) == [ThingWithdrawn.type] }
}
