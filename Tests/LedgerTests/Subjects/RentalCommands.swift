import Foundation
import KampongClient
import TestKit
import WireProtocol

extension PublishedEvent {
    /// What it tells the two of an agreement.
    var rental: RentalNews? {
        struct Told: Decodable { var rental: RentalNews }
        guard [RentalRequested.type, RentalAnswered.type, RentalChanged.type].contains(type) else { return nil }
        return decoded(as: Told.self)?.rental
    }
}

/// Shares a space, under words that no other command uses.
struct ShareCommand: LedgerCommand {
    let name = "share"
    let service = PeerRole.listings
    let aggregate: String? = nil
    let book: RentalBook
    let draft: ThingDraft

    func send(as person: LedgerPerson, key: String) async throws -> String {
        let thing = try await person.client.postThing(draft, as: .space, key: key)
        book.add(thing)
        return "thing/\(thing.id)"
    }

    func explains(_ events: [PublishedEvent]) -> Bool {
        events.map(\.type) == [ThingPosted.type]
            && events[0].decoded(as: ThingPosted.self)?.thing.title == draft.title
    }

    func owns(_ event: PublishedEvent) -> Bool { explains([event]) }
}

/// Asks for a thing; where it is let to whoever asks, that is answered in the same transaction.
struct RentCommand: LedgerCommand {
    let name = "rent"
    let service = PeerRole.listings
    let aggregate: String? = nil
    let thing: ThingID
    let book: RentalBook
    /// With words that no other request has.
    let draft: RentalDraft

    func send(as person: LedgerPerson, key: String) async throws -> String {
        let rental = try await person.client.rent(thing, .space, draft, key: key)
        book.note(rental)
        return "rental/\(rental.id)"
    }

    func explains(_ events: [PublishedEvent]) -> Bool {
        let types = events.map(\.type)
        return
            (types == [RentalRequested.type] && events[0].rental?.state == .requested
            || types == [RentalRequested.type, RentalAnswered.type] && events[0].rental?.state == .accepted)
            && events.allSatisfy(owns)
    }

    func owns(_ event: PublishedEvent) -> Bool {
        guard let news = event.rental, event.type != RentalChanged.type else { return false }
        return news.thing == thing && news.from == draft.from && news.until == draft.until
    }
}

/// Accepts, declines, cancels, hands over or gives back.
struct RentalCommand: LedgerCommand {
    let service = PeerRole.listings
    let rental: RentalID
    let act: RentalAct
    let book: RentalBook

    var name: String { act.path }
    var aggregate: String? { "rental/\(rental)" }

    func send(as person: LedgerPerson, key: String) async throws -> String {
        if act == .handOver || act == .giveBack { book.note(act, of: rental, by: person.id!) }
        book.note(try await person.client.act(act, on: rental, key: key))
        return "rental/\(rental)"
    }

    /// The second of the two who shows the thing's state changes nothing else.
    func explains(_ events: [PublishedEvent]) -> Bool {
        let types = events.map(\.type)
        return switch act {
        case .accept: types == [RentalAnswered.type] && events[0].rental?.state == .accepted
        case .decline: types == [RentalAnswered.type] && events[0].rental?.state == .declined
        case .cancel: types == [RentalChanged.type] && events[0].rental?.state == .cancelled
        case .handOver: types.isEmpty || types == [RentalChanged.type] && events[0].rental?.state == .handedOver
        case .giveBack:
            types.isEmpty
                || types == [RentalChanged.type, EncounterCompleted.type] && events[0].rental?.state == .returned
        case .reportNoShow, .dispute, .explain, .settle: false
        }
    }

    func owns(_ event: PublishedEvent) -> Bool {
        guard event.aggregate == aggregate else { return false }
        return act == .giveBack && event.type == EncounterCompleted.type || explains([event])
            || act == .giveBack && event.rental?.state == .returned
    }
}
