import Foundation
import TestKit
import WireProtocol

/// Rides that people share, of `rides`: few enough, with few enough seats, that many want the same ones.
struct RidesSubject: LedgerSubject {
    let service = PeerRole.rides
    let book = RideBook()
    private static let ridesAtOnce = 6

    func command(for person: LedgerPerson, using random: inout SeededGenerator) -> (any LedgerCommand)? {
        let me = person.id!
        let chance = Int.random(in: 0..<100, using: &random)
        if book.open < Self.ridesAtOnce, chance < 20 || book.open < 3 {
            return OfferCommand(book: book, draft: .offer(using: &random))
        }
        switch chance {
        case ..<45: return ask(by: me, using: &random)
        case ..<60: return act(.accept, using: &random) { $0.driver == me && $0.state == .pending }
        case ..<65: return act(.reject, using: &random) { $0.driver == me && [.pending, .waiting].contains($0.state) }
        case ..<69: return act(.approve, using: &random) { $0.driver == me && $0.state == .waiting }
        case ..<76: return act(.withdraw, using: &random) { $0.rider == me && [.pending, .waiting].contains($0.state) }
        case ..<84: return act(.leave, using: &random) { $0.rider == me && $0.state == .accepted }
        case ..<87:
            return act(.keep, using: &random) { $0.rider == me && $0.state == .accepted && !$0.isConfirmed }
        case ..<90: return act(.remove, using: &random) { $0.driver == me && $0.state == .accepted }
        case ..<94:
            return book.ride(using: &random) { $0.driver == me && $0.state == .open }.map {
                RideCommand(ride: $0.id, act: .change, book: book, draft: .change(of: $0, using: &random))
            }
        case ..<98:
            return book.ride(using: &random) { $0.driver == me && ($0.isAboutToLeave || $0.state == .departed) }.map {
                RideCommand(ride: $0.id, act: $0.state == .open ? .depart : .arrive, book: book)
            }
        default:
            return book.ride(using: &random) { $0.driver == me && $0.state == .open }.map {
                RideCommand(ride: $0.id, act: .remove, book: book)
            }
        }
    }

    /// One in eight asks where they have asked already.
    private func ask(by me: PersonID, using random: inout SeededGenerator) -> AskCommand? {
        let isForgetful = Int.random(in: 0..<8, using: &random) == 0
        let asked = book.ride(using: &random) {
            $0.driver != me && $0.state == .open && (isForgetful || !book.hasAsked(me, in: $0.id))
        }
        return asked.map { ride in
            AskCommand(ride: ride.id, rider: me, book: book, draft: .wish(in: ride, using: &random))
        }
    }

    private func act(
        _ act: SeatAct, using random: inout SeededGenerator, where fits: (RideBook.KnownSeat) -> Bool
    ) -> SeatCommand? {
        book.seat(using: &random, where: fits).map { SeatCommand(seat: $0.id, act: act, book: book) }
    }

    let rows = [
        "rides": """
        SELECT id, state, seats, marks, load, detour_used AS "detourUsed", max_detour AS "maxDetour" FROM rides.rides
        """,
        "seats": """
        SELECT id, ride, state, seats, board_at AS start, leave_at AS "end", detour FROM rides.seat_requests
        """,
    ]

    /// What time does, what rooms are told, and what somebody's command brings to others: of that the history says why it came.
    func isOfItsOwn(_ event: PublishedEvent) -> Bool {
        switch event.type {
        case RideChanged.type, RoomSubjectChanged.type, SeatReminder.type, EncounterCompleted.type: true
        case RideRemoved.type: event.decoded(as: RideRemoved.self)?.state == .departed
        case SeatAnswered.type: event.seat?.state == .expired
        case SeatChanged.type: event.seatChange.map(Self.brought.contains) ?? false
        default: false
        }
    }

    private static let brought: Set<SeatChanged.Change> = [
        .promoted, .lapsed, .withdrawn, .rideChanged, .rideMoved, .rideRemoved, .departed, .completed,
    ]

    func audit(_ evidence: LedgerEvidence, _ work: AttributedWork) -> [Finding] {
        do {
            let history = RideHistory(
                rides: try evidence.rows("rides", as: RideHistory.RideRow.self),
                seats: try evidence.rows("seats", as: RideHistory.SeatRow.self),
                events: evidence.services["rides"]?.events ?? [],
                isAsked: { work.author(of: $0, in: "rides") != nil })
            let ends = evidence.ledger.compactMap { entry -> (LedgerEntry, RideID, RideState)? in
                guard case .ok = entry.outcome, let command = entry.command as? RideCommand else { return nil }
                return command.end.map { (entry, command.ride, $0) }
            }
            return history.findings() + history.compare(ends)
        } catch { return [Finding(.rowsDiffer, "the rows of rides cannot be read: \(error)")] }
    }
}

// MARK: What they ask for

extension RideDraft {
    /// One to three stops between start and end. One in three leaves soon enough to be driven; the others on another day, so that nobody is
    /// reminded meanwhile.
    fileprivate static func offer(using random: inout SeededGenerator) -> RideDraft {
        var place = Position(
            latitude: .random(in: -50...50, using: &random), longitude: .random(in: -170...160, using: &random))
        let name = "Town \(UUID().uuidString.prefix(13))"
        let stops = (0..<Int.random(in: 3...5, using: &random)).map { number in
            defer { place.longitude += .random(in: 0.1...0.4, using: &random) }
            return RideStopDraft(name: number == 0 ? name : "Stop \(number)", position: place)
        }
        let isSoon = Int.random(in: 0..<3, using: &random) == 0
        let minutes = isSoon ? 25 : Int.random(in: 2 * 1440...9 * 1440, using: &random)
        return RideDraft(
            stops: stops, departsAt: WireJSON.text(of: Date(timeIntervalSinceNow: Double(minutes * 60))),
            seats: .random(in: 2...4, using: &random), accepts: Bool.random(using: &random) ? .everybody : .nobody)
    }

    /// Seats, words, or another time, on which those who ride along say whether they keep their seats.
    fileprivate static func change(of ride: RideBook.KnownRide, using random: inout SeededGenerator) -> RideDraft {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return RideDraft(notes: "Notes \(UUID().uuidString.prefix(13))")
        case 1 where !ride.isAboutToLeave:
            let minutes = Int.random(in: 5...90, using: &random)
            return RideDraft(departsAt: WireJSON.text(of: ride.departsAt + Double(minutes * 60)))
        default: return RideDraft(seats: .random(in: 2...4, using: &random))
        }
    }
}

extension SeatDraft {
    /// The whole way, from one stop to another, or a point of one's own near it at one of the two ends.
    fileprivate static func wish(in ride: RideBook.KnownRide, using random: inout SeededGenerator) -> SeatDraft {
        var draft = SeatDraft(
            seats: Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1, waitlist: .random(using: &random))
        let last = ride.stops.count - 1
        switch Int.random(in: 0..<6, using: &random) {
        case 0...1: break
        case 2...3:
            let first = Int.random(in: 0..<last, using: &random)
            draft.from = SeatPointDraft(stop: first)
            draft.to = SeatPointDraft(stop: .random(in: first + 1...last, using: &random))
        case 4: draft.from = .near(ride, using: &random)
        default: draft.to = .near(ride, using: &random)
        }
        return draft
    }
}

extension SeatPointDraft {
    fileprivate static func near(_ ride: RideBook.KnownRide, using random: inout SeededGenerator) -> SeatPointDraft {
        let leg = Int.random(in: 0..<ride.stops.count - 1, using: &random)
        let (start, end) = (ride.stops[leg], ride.stops[leg + 1])
        let place = Position(
            latitude: (start.latitude + end.latitude) / 2 + .random(in: -0.02...0.02, using: &random),
            longitude: (start.longitude + end.longitude) / 2)
        return SeatPointDraft(name: "Corner", position: place)
    }
}
