import Foundation
import KampongClient
import TestKit
import WireProtocol

extension PublishedEvent {
    /// What it tells the two of a request for seats.
    var seat: SeatNews? {
        struct Told: Decodable { var request: SeatNews }
        guard [SeatRequested.type, SeatAnswered.type, SeatChanged.type].contains(type) else { return nil }
        return decoded(as: Told.self)?.request
    }

    var seatChange: SeatChanged.Change? { type == SeatChanged.type ? decoded(as: SeatChanged.self)?.what : nil }

    /// What it tells everybody of a ride.
    var ride: PublicRide? {
        switch type {
        case RidePosted.type: decoded(as: RidePosted.self)?.ride
        case RideChanged.type: decoded(as: RideChanged.self)?.ride
        default: nil
        }
    }
}

/// Posts a ride that begins where no other one does.
struct OfferCommand: LedgerCommand {
    let name = "offer"
    let service = PeerRole.rides
    let aggregate: String? = nil
    let book: RideBook
    let draft: RideDraft

    func send(as person: LedgerPerson, key: String) async throws -> String {
        let ride = try await person.client.postRide(draft, key: key)
        book.note(ride)
        return "ride/\(ride.id)"
    }

    func explains(_ events: [PublishedEvent]) -> Bool {
        events.map(\.type) == [RidePosted.type] && events[0].ride?.stops.first?.name == draft.stops?.first?.name
    }

    func owns(_ event: PublishedEvent) -> Bool { explains([event]) }
}

/// Changes, removes, departs or arrives. What becomes of the seats in it is told of them.
struct RideCommand: LedgerCommand {
    let service = PeerRole.rides
    let ride: RideID
    let act: RideAct
    let book: RideBook
    var draft = RideDraft()

    var name: String { "\(act.rawValue) ride" }
    var aggregate: String? { "ride/\(ride)" }

    /// Where the ride is for good, once this was acknowledged.
    var end: RideState? {
        switch act {
        case .remove: .removed
        case .arrive: .completed
        case .change, .depart: nil
        }
    }

    func send(as person: LedgerPerson, key: String) async throws -> String {
        do {
            switch act {
            case .change: book.note(try await person.client.changeRide(ride, with: draft, key: key))
            case .depart: book.note(try await person.client.departRide(ride, key: key))
            case .arrive: book.note(try await person.client.arriveRide(ride, key: key))
            case .remove:
                try await person.client.removeRide(ride, key: key)
                book.close(ride)
            }
        } catch let problem as Problem where problem.code == .wrongState {
            if let now = try? await person.client.ride(ride) { book.note(now) }
            throw problem
        }
        return "ride/\(ride)"
    }

    /// A change may say what was said before; and of what has left already nobody else is told.
    func explains(_ events: [PublishedEvent]) -> Bool {
        guard let event = events.first else { return act != .depart }
        guard events.count == 1 else { return false }
        let state = event.decoded(as: RideRemoved.self)?.state
        return switch act {
        case .change: event.type == RideChanged.type
        case .remove: event.type == RideRemoved.type && state == .removed
        case .depart: event.type == RideRemoved.type && state == .departed
        case .arrive: false
        }
    }
}

/// Asks for seats; what the driver lets anybody have is had at once.
struct AskCommand: LedgerCommand {
    let name = "ask"
    let service = PeerRole.rides
    let aggregate: String? = nil
    let ride: RideID
    let rider: PersonID
    let book: RideBook
    let draft: SeatDraft

    func send(as person: LedgerPerson, key: String) async throws -> String {
        do {
            let request = try await person.client.requestSeat(in: ride, draft, key: key)
            book.note(request)
            return "seat/\(request.id)"
        } catch let problem as Problem where [.wrongState, .notFound].contains(problem.code) {
            book.close(ride)
            throw problem
        }
    }

    func explains(_ events: [PublishedEvent]) -> Bool { events.count == 1 && owns(events[0]) }

    func owns(_ event: PublishedEvent) -> Bool {
        guard event.type == SeatRequested.type, let news = event.seat else { return false }
        return news.ride.id == ride && news.rider.id == rider && news.seats == draft.seats ?? 1
    }
}

/// Accepts, rejects, approves, withdraws, keeps, leaves or takes back.
struct SeatCommand: LedgerCommand {
    let service = PeerRole.rides
    let seat: SeatRequestID
    let act: SeatAct
    let book: RideBook

    var name: String { "\(act.path) seat" }
    var aggregate: String? { "seat/\(seat)" }

    func send(as person: LedgerPerson, key: String) async throws -> String {
        do { book.note(try await person.client.act(act, on: seat, key: key)) } catch let problem as Problem
            where problem.code == .wrongState
        {
            // A seat came free, or the ride is over.
            if let now = try? await person.client.seatRequest(seat) { book.note(now) }
            throw problem
        }
        return "seat/\(seat)"
    }

    func explains(_ events: [PublishedEvent]) -> Bool {
        guard events.count == 1, let news = events[0].seat else { return false }
        let (type, what) = (events[0].type, events[0].seatChange)
        return switch act {
        case .accept: type == SeatAnswered.type && news.state == .accepted
        case .reject: type == SeatAnswered.type && news.state == .rejected
        case .approve: what == .approved && news.state == .waiting
        case .withdraw: what == .withdrawn && news.state == .withdrawn
        case .keep: what == .kept && news.state == .accepted
        case .leave: what == .left && news.state == .left
        case .remove: what == .removed && news.state == .removed
        case .reportNoShow, .dispute, .settle: false
        }
    }
}
