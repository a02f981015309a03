import Foundation
import KampongClient
import TestKit
import WireProtocol

/// A command about a spot that is there.
protocol SpotCommand: LedgerCommand {
    var spot: SpotID { get }
    var book: SpotBook { get }
}

extension SpotCommand {
    var service: PeerRole { .listings }
    var aggregate: String? { "spot/\(spot)" }

    /// Whether these tell the map of it first, and then those whose claim it is.
    func tellsOfClaim(_ events: [PublishedEvent], _ change: ClaimChanged.Change, after type: String) -> Bool {
        events.map(\.type) == [type, ClaimChanged.type] && events[1].decoded(as: ClaimChanged.self)?.change == change
    }

    func ownsClaim(_ event: PublishedEvent, _ change: ClaimChanged.Change, beside type: String) -> Bool {
        event.aggregate == aggregate
            && (event.type == type || event.decoded(as: ClaimChanged.self)?.change == change)
    }
}

extension PublishedEvent {
    /// The words that a draft gave the spot, where the event repeats them.
    var spotName: String? {
        type == SpotAdded.type ? decoded(as: SpotAdded.self)?.spot.name : decoded(as: SpotChanged.self)?.spot.name
    }
}

/// Puts a spot on the map, under words that no other command uses.
struct PostCommand: LedgerCommand {
    let name = "post"
    let service = PeerRole.listings
    let aggregate: String? = nil
    let book: SpotBook
    let draft: SpotDraft

    func send(as person: LedgerPerson, key: String) async throws -> String {
        let spot = try await person.client.postSpot(draft, key: key)
        book.add(.init(id: spot.id, owner: person.id!, place: spot.position))
        return "spot/\(spot.id)"
    }

    func explains(_ events: [PublishedEvent]) -> Bool {
        events.map(\.type) == [SpotAdded.type] && events[0].spotName == draft.name
    }

    func owns(_ event: PublishedEvent) -> Bool { explains([event]) }
}

/// Gives it other words, and sometimes another place: then it leaves the map in one place and comes in another.
struct ChangeCommand: SpotCommand {
    let name = "change"
    let spot: SpotID
    let book: SpotBook
    let draft: SpotDraft

    func send(as person: LedgerPerson, key: String) async throws -> String {
        "spot/\(try await person.client.changeSpot(spot, to: draft, key: key).id)"
    }

    func explains(_ events: [PublishedEvent]) -> Bool {
        let types = events.map(\.type)
        return (types == [SpotChanged.type] || types == [SpotRemoved.type, SpotAdded.type])
            && events.last?.spotName == draft.name
    }
}

struct ClaimCommand: SpotCommand {
    let name = "claim"
    let spot: SpotID
    let book: SpotBook

    func send(as person: LedgerPerson, key: String) async throws -> String {
        // Doubtful until there is an answer, whatever becomes of it.
        book.change(spot) { $0.doubtful.insert(person.id!) }
        do {
            _ = try await person.client.claim(spot, key: key)
        } catch let problem as Problem where problem.status < 500 {
            book.change(spot) { $0.doubtful.remove(person.id!) }
            throw problem
        }
        book.change(spot) {
            $0.doubtful.remove(person.id!)
            $0.holder = person.id
            $0.isParked = false
        }
        return "spot/\(spot)"
    }

    func explains(_ events: [PublishedEvent]) -> Bool { tellsOfClaim(events, .made, after: SpotClaimed.type) }
    func owns(_ event: PublishedEvent) -> Bool { ownsClaim(event, .made, beside: SpotClaimed.type) }
}

struct ReleaseCommand: SpotCommand {
    let name = "release"
    let spot: SpotID
    let book: SpotBook

    func send(as person: LedgerPerson, key: String) async throws -> String {
        // Doubtful until there is an answer: it may be given back, and then to say "there" is to say what a passer-by says.
        book.change(spot) { $0.doubtful.insert(person.id!) }
        _ = try await person.client.release(spot, key: key)
        book.change(spot) {
            $0.doubtful.remove(person.id!)
            if $0.holder == person.id { $0.holder = nil }
        }
        return "spot/\(spot)"
    }

    func explains(_ events: [PublishedEvent]) -> Bool { tellsOfClaim(events, .released, after: SpotAdded.type) }
    func owns(_ event: PublishedEvent) -> Bool { ownsClaim(event, .released, beside: SpotAdded.type) }
}

/// Says that one has parked on the spot that one holds.
struct ParkCommand: SpotCommand {
    let name = "park"
    let spot: SpotID
    let book: SpotBook

    func send(as person: LedgerPerson, key: String) async throws -> String {
        book.change(spot) { $0.isParked = true }
        _ = try await person.client.observe(spot, .there, key: key)
        return "spot/\(spot)"
    }

    func explains(_ events: [PublishedEvent]) -> Bool { events.map(\.type) == [EncounterCompleted.type] }
}

struct ObserveCommand: SpotCommand {
    let name = "observe"
    let spot: SpotID
    let book: SpotBook
    let seen: ObservedState

    func send(as person: LedgerPerson, key: String) async throws -> String {
        let answer = try await person.client.observe(spot, seen, key: key)
        if answer.state != .free { book.drop(spot) }
        return "spot/\(spot)"
    }

    /// Two who find it gone end it.
    func explains(_ events: [PublishedEvent]) -> Bool {
        events.map(\.type) == [SpotChanged.type] || seen == .gone && events.map(\.type) == [SpotRemoved.type]
    }
}

struct RemoveCommand: SpotCommand {
    let name = "remove"
    let spot: SpotID
    let book: SpotBook

    func send(as person: LedgerPerson, key: String) async throws -> String {
        // Nobody is sent to it any more, whatever the answer.
        book.drop(spot)
        try await person.client.removeSpot(spot, key: key)
        return "spot/\(spot)"
    }

    func explains(_ events: [PublishedEvent]) -> Bool { events.map(\.type) == [SpotRemoved.type] }
}
