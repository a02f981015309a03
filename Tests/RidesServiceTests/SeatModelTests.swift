import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// Random commands, beside somebody who counts on their fingers.
@Suite("Seats by a plain count")
struct SeatModelTests {
    @Test(arguments: [RideAcceptance.nobody, .everybody])
    func seats_are_given_as_a_plain_count_gives_them(_ accepts: RideAcceptance) throws {
        var dice = SeededGenerator(seed: accepts == .nobody ? 1 : 2)
        var (given, refused, promoted) = (0, 0, 0)
        for _ in 0..<300 {
            let seats = Int.random(in: 1...5, using: &dice)
            var (world, count) = (World(seats: seats, accepts: accepts), PlainCount(seats: seats, accepts: accepts))
            for _ in 0..<40 {
                let command = Command.random(among: world.seats.count, using: &dice)
                let (isDone, isCounted) = (world.does(command), count.does(command))
                #expect(isDone == isCounted, "\(command)")
                if !isDone { refused += 1 }
                let said = world.seats.map {
                    PlainCount.Place(state: $0.state, isApproved: $0.isApproved, isSure: $0.isConfirmed)
                }
                #expect(said == count.people.map(\.place), "\(command)")
                #expect(world.ride.freeByLeg == count.free)
                #expect(world.ride.load.most(from: 0, to: world.ride.way.length) <= world.ride.seats)
            }
            given += world.seats.count { $0.state == .accepted }
            promoted += world.promoted
        }
        #expect(given > 100 && refused > 100 && promoted > 50, "else it shows little")
    }
}

private enum Command {
    /// From stop to stop.
    case ask(ClosedRange<Int>, seats: Int, waitlist: Bool)
    /// What somebody does to the request with this number.
    case act(SeatAct, Int)
    /// Its time is over.
    case wait(Int)
    case offer(seats: Int)

    static func random(among requests: Int, using dice: inout SeededGenerator) -> Command {
        let number = requests == 0 ? 0 : Int.random(in: 0..<requests, using: &dice)
        let kind = requests == 0 ? 0 : Int.random(in: 0..<20, using: &dice)
        switch kind {
        case 0..<7:
            let start = Int.random(in: 0..<4, using: &dice)
            let end = Int.random(in: start + 1...4, using: &dice)
            return .ask(
                start...end, seats: .random(in: 1...3, using: &dice), waitlist: .random(using: &dice))
        case 7..<10: return .act(.accept, number)
        case 10: return .act(.reject, number)
        case 11: return .act(.withdraw, number)
        case 12: return .act(.approve, number)
        case 13: return .act(.keep, number)
        case 14, 15: return .act(.leave, number)
        case 16: return .act(.remove, number)
        case 17, 18: return .wait(number)
        default: return .offer(seats: .random(in: 1...5, using: &dice))
        }
    }
}

/// The rules, with what the database would keep.
private struct World {
    var ride: OfferedRide
    var seats: [SeatAgreement] = []
    var promoted = 0

    init(seats: Int, accepts: RideAcceptance) {
        ride = Example.ride()
        ride.way.stops = (0...4).map {
            WayStop(
                name: "Stop \($0)", position: Position(latitude: 36 + Double($0), longitude: -121), at: $0 * 110_000)
        }
        (ride.seats, ride.accepts) = (seats, accepts)
    }

    /// - Returns: whether it was done.
    mutating func does(_ command: Command) -> Bool {
        do {
            try follow(command)
            ride.load = load
            for decision in Waitlist.promotions(of: seats, in: ride, at: noon) {
                keep(decision)
                promoted += 1
            }
            ride.load = load
            return true
        } catch {
            return false
        }
    }

    private mutating func follow(_ command: Command) throws {
        switch command {
        case .ask(let stops, let seats, let waitlist):
            let draft = SeatDraft(
                seats: seats, from: SeatPointDraft(stop: stops.lowerBound), to: SeatPointDraft(stop: stops.upperBound),
                waitlist: waitlist)
            let rider = PersonID.new(at: noon)
            self.seats.append(
                try SeatAgreement.ask(
                    .new(at: noon), in: ride, draft, by: rider, isVerified: false, waiting: 0, at: noon, within: limits
                ).agreement)
        case .act(let act, let number):
            let isRiders = [.withdraw, .keep, .leave].contains(act)
            let (person, party): (PersonID, SeatParty) = isRiders ? (seats[number].rider, .rider) : (maya, .driver)
            keep(try seats[number].act(act, SeatActDraft(), by: person, as: party, in: ride, at: noon))
        case .wait(let number):
            guard let due = seats[number].dueAt(in: ride), seats[number].state != .waiting,
                let decision = seats[number].pass(in: ride, at: due)
            else { throw RideError.notFound }
            keep(decision)
        case .offer(let seats):
            ride = try ride.change(RideDraft(seats: seats), hasRequests: true, at: noon, within: limits).ride
        }
    }

    private mutating func keep(_ decision: SeatDecision) {
        guard let place = seats.firstIndex(where: { $0.id == decision.agreement.id }) else { return }
        seats[place] = decision.agreement
    }

    private var load: SeatLoad {
        seats.filter { $0.state == .accepted }.reduce(SeatLoad()) {
            $0.adding($1.seats, from: $1.part.boarding.at, to: $1.part.leaving.at)
        }
    }
}

/// The same by counting who sits in the car on each leg.
private struct PlainCount {
    struct Place: Equatable {
        var state: SeatState
        var isApproved = false
        var isSure = true
    }

    struct Somebody {
        var legs: Range<Int>
        var seats: Int
        var place: Place
    }

    var seats: Int
    let accepts: RideAcceptance
    var people: [Somebody] = []

    var free: [Int] { (0..<4).map { seats - taken(on: $0) } }

    private func taken(on leg: Int) -> Int {
        people.filter { $0.place.state == .accepted && $0.legs.contains(leg) }.map(\.seats).reduce(0, +)
    }

    mutating func does(_ command: Command) -> Bool {
        let isDone = follow(command)
        if isDone { promote() }
        return isDone
    }

    private mutating func follow(_ command: Command) -> Bool {
        switch command {
        case .ask(let stops, let wanted, let waitlist):
            let legs = stops.lowerBound..<stops.upperBound
            let atOnce = accepts == .everybody
            var place = Place(state: atOnce ? .accepted : .pending)
            if legs.contains(where: { free[$0] < wanted }) {
                guard waitlist, wanted <= seats else { return false }
                place = Place(state: .waiting, isApproved: atOnce)
            }
            people.append(Somebody(legs: legs, seats: wanted, place: place))
            return true
        case .act(let act, let number):
            guard let after = place(of: people[number], after: act) else { return false }
            people[number].place = after
            return true
        case .wait(let number):
            let place = people[number].place
            guard place.state == .pending || place.state == .accepted && !place.isSure else { return false }
            people[number].place = Place(state: .expired, isApproved: place.isApproved)
            return true
        case .offer(let offered):
            guard (0..<4).allSatisfy({ taken(on: $0) <= offered }) else { return false }
            seats = offered
            return true
        }
    }

    private func place(of person: Somebody, after act: SeatAct) -> Place? {
        var place = person.place
        place.isSure = true
        switch (act, person.place.state) {
        case (.accept, .pending):
            guard person.legs.allSatisfy({ free[$0] >= person.seats }) else { return nil }
            place.state = .accepted
        case (.reject, .pending), (.reject, .waiting): place.state = .rejected
        case (.withdraw, .pending), (.withdraw, .waiting): place.state = .withdrawn
        case (.approve, .waiting) where !place.isApproved: place.isApproved = true
        case (.keep, .accepted) where !person.place.isSure: break
        case (.leave, .accepted): place.state = .left
        case (.remove, .accepted): place.state = .removed
        default: return nil
        }
        return place
    }

    private mutating func promote() {
        var free = free
        for number in people.indices where people[number].place.state == .waiting {
            let person = people[number]
            guard person.legs.allSatisfy({ free[$0] >= person.seats }) else { continue }
            for leg in person.legs { free[leg] -= person.seats }
            let isApproved = person.place.isApproved
            people[number].place = Place(
                state: isApproved ? .accepted : .pending, isApproved: isApproved, isSure: !isApproved)
        }
    }
}
