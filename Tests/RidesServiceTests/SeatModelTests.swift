import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// Random commands on both ways of a ride, beside somebody who counts on their fingers.
@Suite("Seats by a plain count")
struct SeatModelTests {
    /// Of the way there, and of the way back.
    @Test(arguments: [[RideAcceptance.nobody, .nobody], [.everybody, .everybody], [.nobody, .everybody]])
    func seats_are_given_as_a_plain_count_gives_them(_ accepts: [RideAcceptance]) throws {
        var dice = SeededGenerator(seed: UInt64(accepts.count { $0 == .everybody }) + 1)
        var (given, refused, promoted, both, halves) = (0, 0, 0, 0, 0)
        for _ in 0..<300 {
            let seats = [Int.random(in: 1...5, using: &dice), Int.random(in: 1...5, using: &dice)]
            var (world, count) = (World(seats: seats, accepts: accepts), PlainCount(seats: seats, accepts: accepts))
            for _ in 0..<70 {
                let command = Command.random(among: world.seats.count, using: &dice)
                let (isDone, isCounted) = (world.does(command), count.does(command))
                #expect(isDone == isCounted, "\(command)")
                if !isDone { refused += 1 }
                let said = world.seats.map {
                    PlainCount.Place(state: $0.state, isApproved: $0.isApproved, isSure: $0.isConfirmed)
                }
                #expect(said == count.people.map(\.place), "\(command)")
                #expect(world.rides.map(\.freeByLeg) == [count.free(0), count.free(1)])
                #expect(world.rides.allSatisfy { $0.load.most(from: 0, to: $0.way.length) <= $0.seats })
                #expect(world.isWhole, "both ways or none")
            }
            given += world.seats.count { $0.state == .accepted }
            promoted += world.promoted
            both += world.seats.count { $0.together != nil && $0.state == .accepted }
            halves += world.halves
        }
        #expect(given > 100 && refused > 100 && promoted > 50 && both > 30, "else it shows little")
        #expect(halves > 10 || accepts == [.everybody, .everybody])
    }
}

enum Command {
    /// From stop to stop, of the way there or the way back.
    case ask(way: Int, ClosedRange<Int>, seats: Int, waitlist: Bool)
    case askBoth(first: Int, [ClosedRange<Int>], seats: Int)
    /// What somebody does to the request with this number.
    case act(SeatAct, Int)
    /// Its time is over.
    case wait(Int)
    case offer(way: Int, seats: Int)
    case remove(way: Int)

    static func random(among requests: Int, using dice: inout SeededGenerator) -> Command {
        let number = requests == 0 ? 0 : Int.random(in: 0..<requests, using: &dice)
        let kind = Int.random(in: 0..<(requests == 0 ? 9 : 100), using: &dice)
        let (way, seats) = (Int.random(in: 0...1, using: &dice), Int.random(in: 1...3, using: &dice))
        func stops() -> ClosedRange<Int> {
            let start = Int.random(in: 0..<4, using: &dice)
            return start...Int.random(in: start + 1...4, using: &dice)
        }
        switch kind {
        case 0..<25: return .ask(way: way, stops(), seats: seats, waitlist: .random(using: &dice))
        case 25..<40: return .askBoth(first: way, [stops(), stops()], seats: seats)
        case 40..<55: return .act(.accept, number)
        case 55..<60: return .act(.reject, number)
        case 60..<65: return .act(.withdraw, number)
        case 65..<69: return .act(.approve, number)
        case 69..<73: return .act(.keep, number)
        case 73..<81: return .act(.leave, number)
        case 81..<86: return .act(.remove, number)
        case 86..<94: return .wait(number)
        case 94..<99: return .offer(way: way, seats: .random(in: 1...5, using: &dice))
        default: return .remove(way: way)
        }
    }
}

/// The rules, with what the database would keep.
private struct World {
    var rides: [OfferedRide]
    var seats: [SeatAgreement] = []
    var promoted = 0
    /// Requests that ended because the one on the other way did.
    var halves = 0

    init(seats: [Int], accepts: [RideAcceptance]) {
        rides = [Example.ride(), Example.back()]
        for way in rides.indices {
            rides[way].way.stops = (0...4).map {
                WayStop(
                    name: "Stop \($0)", position: Position(latitude: 36 + Double($0), longitude: -121), at: $0 * 110_000
                )
            }
            (rides[way].seats, rides[way].accepts) = (seats[way], accepts[way])
        }
    }

    /// Of two that were asked for together both are pending, or neither.
    var isWhole: Bool {
        seats.allSatisfy { seat in
            seat.together == nil || (seat.state == .pending) == (other(of: seat)?.state == .pending)
        }
    }

    /// - Returns: whether it was done.
    mutating func does(_ command: Command) -> Bool {
        do {
            for change in try changes(by: command) { keep(change) }
            for way in rides.indices { promote(on: way) }
            return true
        } catch {
            return false
        }
    }

    private mutating func promote(on way: Int) {
        rides[way].load = load(of: rides[way].id)
        let own = seats.filter { $0.ride == rides[way].id }
        for decision in Waitlist.promotions(of: own, in: rides[way], at: noon) {
            if let place = place(of: decision.agreement.id) { seats[place] = decision.agreement }
            promoted += 1
        }
        rides[way].load = load(of: rides[way].id)
    }

    private mutating func changes(by command: Command) throws -> [SeatChange] {
        switch command {
        case .ask(let way, let stops, let count, let waitlist):
            let draft = SeatDraft(
                seats: count, from: .init(stop: stops.lowerBound), to: .init(stop: stops.upperBound), waitlist: waitlist
            )
            return [try SeatAgreement.ask(draft, in: SeenRide(ride: rides[way]), by: someone, at: noon, within: limits)]
        case .askBoth(let first, let stops, let count):
            let draft = SeatDraft(
                seats: count, from: .init(stop: stops[0].lowerBound), to: .init(stop: stops[0].upperBound))
            let together = TogetherDraft(
                from: .init(stop: stops[1].lowerBound), to: .init(stop: stops[1].upperBound))
            return try SeatAgreement.ask(
                draft, and: together, in: SeenRide(ride: rides[first]), and: SeenRide(ride: rides[1 - first]),
                by: someone, at: noon, within: limits)
        case .act(let act, let number):
            let isRiders = [.withdraw, .keep, .leave].contains(act)
            let (person, party): (PersonID, SeatParty) = isRiders ? (seats[number].rider, .rider) : (maya, .driver)
            return try joined(number).act(act, SeatActDraft(), by: person, as: party, at: noon)
        case .wait(let number):
            let both = joined(number)
            guard let due = both.own.seat.dueAt(in: both.own.ride), both.own.seat.state != .waiting else {
                throw RideError.notFound
            }
            return both.all.map { SeatChange($0.seat, in: $0.ride, $0.seat.pass(in: $0.ride, at: due)) }
        case .offer(let way, let count):
            rides[way] = try rides[way].change(
                RideDraft(seats: count), hasRequests: true, at: noon, within: limits
            ).ride
            return []
        case .remove(let way):
            rides[way] = try rides[way].remove(RideRemoval(), at: noon)
            return removed(on: way)
        }
    }

    private mutating func removed(on way: Int) -> [SeatChange] {
        let own = seats.filter { $0.ride == rides[way].id }
            .map { SeatChange($0, in: rides[way], $0.rideEnded(rides[way], by: maya, at: noon)) }
        let ended = own.filter(\.isAnswered).compactMap { change -> SeatChange? in
            guard let other = other(of: change.before) else { return nil }
            let ride = rides[1 - way]
            return SeatChange(other, in: ride, other.otherEnded(by: maya, in: ride, at: noon))
        }
        halves += ended.count
        return own + ended
    }

    private var someone: SeatSeeker { SeatSeeker(person: .new(at: noon)) }

    private func place(of id: SeatRequestID) -> Int? { seats.firstIndex { $0.id == id } }

    private func other(of seat: SeatAgreement) -> SeatAgreement? { seats.first { $0.id == seat.together } }

    private func joined(_ number: Int) -> JoinedSeats {
        func locked(_ seat: SeatAgreement) -> LockedSeat {
            LockedSeat(seat: seat, ride: rides[seat.ride == rides[0].id ? 0 : 1])
        }
        let other = other(of: seats[number]).flatMap { $0.state == .pending ? locked($0) : nil }
        return JoinedSeats(own: locked(seats[number]), other: other)
    }

    private mutating func keep(_ change: SeatChange) {
        if let place = place(of: change.after.id) { seats[place] = change.after } else { seats.append(change.after) }
    }

    private func load(of ride: RideID) -> SeatLoad {
        seats.filter { $0.ride == ride && $0.state == .accepted }.reduce(SeatLoad()) {
            $0.adding($1.seats, from: $1.part.boarding.at, to: $1.part.leaving.at)
        }
    }
}
