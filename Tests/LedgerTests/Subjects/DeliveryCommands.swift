import Foundation
import KampongClient
import TestKit
import WireProtocol

extension PublishedEvent {
    var matchUpdate: MatchUpdate? { type == MatchUpdate.type ? decoded() : nil }
    var newMatch: MatchNews? { type == NewMatch.type ? decoded(as: NewMatch.self)?.match : nil }
    var availabilityChange: AvailabilityChanged? { type == AvailabilityChanged.type ? decoded() : nil }
}

/// Says where somebody goes, or something else of it; or that they are still there, or go no more.
struct GoCommand: LedgerCommand {
    enum Wish: Sendable {
        case offer(AvailabilityDraft)
        case resume, end
    }

    let service = PeerRole.matching
    let aggregate: String? = nil
    let person: PersonID
    let wish: Wish
    let book: DeliveryBook

    var name: String {
        switch wish {
        case .offer: "go"
        case .resume: "go on"
        case .end: "go no more"
        }
    }

    /// What this has surely ended, once it was acknowledged.
    var isEnd: Bool { if case .end = wish { true } else { false } }

    func send(as person: LedgerPerson, key: String) async throws -> String {
        do {
            let id = try await ask(as: person.client, key: key)
            await book.look(as: person)
            return "availability/\(id)"
        } catch {
            await book.look(as: person)
            throw error
        }
    }

    private func ask(as client: KampongClient, key: String) async throws -> AvailabilityID {
        switch wish {
        case .offer(let draft): return try await client.offerDelivery(draft, key: key).id
        case .resume: return try await client.resumeDelivery(key: key).id
        case .end:
            guard let id = book.availability(of: person)?.id else { throw NothingThere() }
            try await client.endDelivery(key: key)
            return id
        }
    }

    /// Thrown where there is nothing to ask for.
    private struct NothingThere: Error {}

    /// Who resumes what is not paused is there already; and of what time has ended nothing is left to end.
    func explains(_ events: [PublishedEvent]) -> Bool {
        let changes = events.compactMap(\.availabilityChange)
        guard changes.count == events.count, changes.allSatisfy({ $0.person == person }) else { return false }
        let what = changes.map(\.what)
        return switch wish {
        case .offer: what == [.began] || what == [.changed]
        case .resume, .end: what.isEmpty || what == [.changed]
        }
    }

    func owns(_ event: PublishedEvent) -> Bool {
        guard let change = event.availabilityChange, change.person == person else { return false }
        return change.what == .began || change.what == .changed
    }
}

/// Places, changes or cancels an order, or says whom to ask next. What comes of it is told of its matches, and stands in its row.
struct OrderCommand: LedgerCommand {
    enum Wish: Sendable {
        case place(OrderDraft)
        case change(OrderID, OrderDraft)
        case ask(OrderID, AvailabilityID?)
        case cancel(OrderID)
    }

    let service = PeerRole.matching
    let wish: Wish
    let book: DeliveryBook

    var name: String {
        switch wish {
        case .place: "order"
        case .change: "change order"
        case .ask: "ask next"
        case .cancel: "cancel order"
        }
    }

    var aggregate: String? {
        switch wish {
        case .place: nil
        case .change(let id, _), .ask(let id, _), .cancel(let id): "order/\(id)"
        }
    }

    var isPlacing: Bool { if case .place = wish { true } else { false } }

    /// The order that is cancelled for good, once this was acknowledged.
    var cancelled: OrderID? { if case .cancel(let id) = wish { id } else { nil } }

    func send(as person: LedgerPerson, key: String) async throws -> String {
        do {
            let id = try await ask(as: person.client, key: key)
            await book.look(as: person)
            return "order/\(id)"
        } catch {
            await book.look(as: person)
            throw error
        }
    }

    private func ask(as client: KampongClient, key: String) async throws -> OrderID {
        switch wish {
        case .place(let draft): return try await client.placeOrder(draft, key: key).id
        case .change(let id, let draft): return try await client.changeOrder(id, with: draft, key: key).id
        case .ask(let id, let whom):
            return try await client.askNext(for: id, OrderAsking(availability: whom), key: key).id
        case .cancel(let id):
            try await client.cancelOrder(id, key: key)
            book.close(id)
            return id
        }
    }

    func explains(_ events: [PublishedEvent]) -> Bool { events.isEmpty }
}

/// Accepts, declines, picks up, completes, or what else may be done to a match.
struct MatchCommand: LedgerCommand {
    let service = PeerRole.matching
    let match: MatchID
    let act: MatchAct
    let draft: MatchActDraft
    let book: DeliveryBook

    var name: String { "\(act.path) match" }
    var aggregate: String? { "match/\(match)" }

    func send(as person: LedgerPerson, key: String) async throws -> String {
        do {
            book.note(try await person.client.act(act, on: match, draft, key: key))
            await book.look(as: person)
            return "match/\(match)"
        } catch {
            await book.look(as: person)
            throw error
        }
    }

    /// Who accepts twice has accepted once; and a few minutes more are told to nobody.
    func explains(_ events: [PublishedEvent]) -> Bool {
        let updates = events.compactMap(\.matchUpdate)
        let others = Set(events.map(\.type)).subtracting([MatchUpdate.type])
        guard others.isSubset(of: [EncounterCompleted.type, RoomSubjectChanged.type]) else { return false }
        let what = updates.map(\.what)
        return switch act {
        case .accept: what.isEmpty || what == [.accepted]
        case .postpone: what.isEmpty || what == [.postponed]
        case .decline: what == [.declined]
        case .cancel: what == [.cancelled]
        case .pickUp: what == [.pickedUp]
        case .giveUp: what == [.givenUp]
        case .complete: what.count == 1 && [.delivered, .received, .completed].contains(what[0])
        case .undo: what == [.undone]
        case .tip: what == [.tipped]
        case .raiseLimit: what == [.limitRaised]
        case .reportNoShow, .dispute, .explain, .settle: false
        }
    }

    func owns(_ event: PublishedEvent) -> Bool {
        event.aggregate == aggregate && event.matchUpdate != nil && explains([event])
    }
}
