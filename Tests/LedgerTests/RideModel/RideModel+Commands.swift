import Foundation
import WireProtocol

// What commands do, and what somebody is told of them.

extension RideModel {
    /// Does it, where it may be done.
    mutating func answer(_ command: Command) -> Answer {
        do throws(Refused) {
            switch command.wish {
            case .ask(let ride, let part, let seats, let waits):
                return try ask(ride, part, seats, waits: waits, by: command.person)
            case .askBoth(let ride, let part, let other, let seats, let waits):
                return try askBoth(ride, part, other, seats, waits: waits, by: command.person)
            case .act(let act, let number): return try self.act(act, on: number, by: command.person)
            case .offer(let ride, let seats): return try offer(seats, in: ride, by: command.person)
            case .remove(let ride, let withOther): return try remove(ride, withOther: withOther, by: command.person)
            }
        } catch {
            return .refused(error.code)
        }
    }

    // MARK: Asking

    private mutating func ask(
        _ ride: Int, _ part: Part, _ seats: Int, waits: Bool, by person: Int
    ) throws(Refused) -> Answer {
        guard isSeen(ride, by: person) else { throw Refused(.notFound) }
        let legs = try legs(of: part, seats, in: ride, for: person)
        var place = Place(state: rides[ride].accepts == .everybody ? .accepted : .pending)
        if !hasRoom(in: ride, on: legs, for: seats) {
            guard waits, seats <= rides[ride].seats else { throw Refused(.soldOut) }
            place = Place(state: .waiting, isApproved: place.state == .accepted)
        }
        try checkFree(person, [(ride, legs)])
        let number = add(Request(ride: ride, rider: person, legs: legs, seats: seats, place: place))
        if place.state == .accepted { withdrawOthers(of: number) }
        return seen(number)
    }

    private mutating func askBoth(
        _ ride: Int, _ part: Part, _ otherPart: Part, _ seats: Int, waits: Bool, by person: Int
    ) throws(Refused) -> Answer {
        guard isSeen(ride, by: person) else { throw Refused(.notFound) }
        guard !waits, let back = rides[ride].other, rides[back].isThere else { throw Refused(.invalid) }
        let legs = try legs(of: part, seats, in: ride, for: person)
        let others = try self.legs(of: otherPart, seats, in: back, for: person)
        guard hasRoom(in: ride, on: legs, for: seats), hasRoom(in: back, on: others, for: seats) else {
            throw Refused(.soldOut)
        }
        try checkFree(person, [(ride, legs), (back, others)])
        let isAtOnce = rides[ride].accepts == .everybody && rides[back].accepts == .everybody
        let place = Place(state: isAtOnce ? .accepted : .pending)
        let own = add(Request(ride: ride, rider: person, legs: legs, seats: seats, place: place))
        let other = add(Request(ride: back, rider: person, legs: others, seats: seats, place: place))
        join(own, with: other)
        if isAtOnce { for number in [own, other] { withdrawOthers(of: number) } }
        return seen(own)
    }

    /// Where somebody would ride along, whether there is room or not.
    private func legs(of part: Part, _ seats: Int, in ride: Int, for person: Int) throws(Refused) -> Range<Int> {
        guard rides[ride].driver != person else { throw Refused(.forbidden) }
        guard rides[ride].isThere else { throw Refused(.wrongState) }
        guard open(person, in: ride) == nil else { throw Refused(.alreadyAsked) }
        let stops = rides[ride].times.indices
        guard stops.contains(part.from), stops.contains(part.to), part.from < part.to, (1...8).contains(seats) else {
            throw Refused(.invalid)
        }
        return part.from..<part.to
    }

    /// Nobody asks for two cars at one time; outward and return are asked for at once.
    private func checkFree(_ person: Int, _ parts: [(ride: Int, legs: Range<Int>)]) throws(Refused) {
        let own = Set(parts.map(\.ride))
        for (ride, legs) in parts where isElsewhere(person, during: time(legs, of: ride), besides: own) {
            throw Refused(.overlaps)
        }
    }

    // MARK: Acting

    private mutating func act(_ act: SeatAct, on number: Int, by person: Int) throws(Refused) -> Answer {
        let isDriver = rides[requests[number].ride].driver == person
        guard isDriver || requests[number].rider == person else { throw Refused(.notFound) }
        let both = joined(number)
        var after: [Place] = []
        for one in both {
            guard let place = requests[one].place.after(act, byDriver: isDriver) else { throw Refused(.wrongState) }
            let request = requests[one]
            if act == .accept, !hasRoom(in: request.ride, on: request.legs, for: request.seats) {
                throw Refused(.soldOut)
            }
            after.append(place)
        }
        if act == .accept, isElsewhere(with: both) { throw Refused(.wrongState) }
        keep(both, after)
        return seen(number)
    }

    /// With the one that is answered with it.
    private func joined(_ number: Int) -> [Int] {
        guard requests[number].place.state == .pending, let other = requests[number].together else { return [number] }
        return [number, other]
    }

    /// Whether who asked for these is in another car at one of their times.
    private func isElsewhere(with numbers: [Int]) -> Bool {
        let own = Set(numbers.map { requests[$0].ride })
        return numbers.contains {
            isElsewhere(requests[$0].rider, during: time(requests[$0].legs, of: requests[$0].ride), besides: own)
        }
    }

    /// What comes free goes to those who wait; who has a seat for sure asks for no other one at that time.
    private mutating func keep(_ numbers: [Int], _ places: [Place]) {
        let before = numbers.map { requests[$0].place }
        for (number, place) in zip(numbers, places) { put(place, at: number) }
        let roomier = numbers.indices.filter { before[$0].makesRoom(as: places[$0]) }.map { requests[numbers[$0]].ride }
        for ride in Set(roomier) { promote(in: ride) }
        for (index, number) in numbers.enumerated() where places[index].isSure && !before[index].isSure {
            withdrawOthers(of: number)
        }
    }

    private mutating func withdrawOthers(of number: Int) {
        let own = requests[number]
        let time = self.time(own.legs, of: own.ride)
        let overlapping = requests.indices.filter { other in
            let request = requests[other]
            return request.rider == own.rider && request.place.state == .pending && request.ride != own.ride
                && other != own.together && self.time(request.legs, of: request.ride).overlaps(time)
        }
        let all = Set(overlapping.flatMap { joined($0) }).sorted()
        keep(all, all.map { _ in Place(state: .withdrawn) })
    }

    /// In the order of asking. Who does not fit keeps their place, and so does who is let in and is in another car then. Who is still to be looked at
    /// counts while the list is walked.
    private mutating func promote(in ride: Int) {
        guard rides[ride].isThere else { return }
        let waiting = numbers(in: ride).filter { number in
            let request = requests[number]
            guard request.place.state == .waiting else { return false }
            let time = self.time(request.legs, of: ride)
            return !request.place.isApproved || !isElsewhere(request.rider, during: time, besides: [ride])
        }
        var free = free(in: ride)
        for number in waiting where requests[number].legs.allSatisfy({ free[$0] >= requests[number].seats }) {
            for leg in requests[number].legs { free[leg] -= requests[number].seats }
            let isApproved = requests[number].place.isApproved
            put(Place(state: isApproved ? .accepted : .pending, isConfirmed: !isApproved), at: number)
        }
    }

    // MARK: Driving

    private mutating func offer(_ seats: Int, in ride: Int, by person: Int) throws(Refused) -> Answer {
        try checkDriver(person, of: ride)
        guard (1...8).contains(seats) else { throw Refused(.invalid) }
        if seats != rides[ride].seats {
            guard seats >= taken(in: ride) else { throw Refused(.seatsTaken) }
            offer(seats, in: ride)
            promote(in: ride)
        }
        return .ride(seats: seats, free: free(in: ride))
    }

    private mutating func remove(_ ride: Int, withOther: Bool, by person: Int) throws(Refused) -> Answer {
        try checkDriver(person, of: ride)
        let other = withOther ? rides[ride].other.flatMap { rides[$0].isThere ? $0 : nil } : nil
        let gone = [ride] + (other.map { [$0] } ?? [])
        var halves: [Int] = []
        for ride in gone {
            close(ride)
            for number in numbers(in: ride) where requests[number].place.isOpen {
                halves += joined(number).dropFirst()
                put(Place(state: .removed), at: number)
            }
        }
        // Both ways or none.
        halves.removeAll { requests[$0].place.state != .pending }
        keep(halves, halves.map { _ in Place(state: .withdrawn) })
        return .done
    }

    private func checkDriver(_ person: Int, of ride: Int) throws(Refused) {
        guard isSeen(ride, by: person) else { throw Refused(.notFound) }
        guard rides[ride].driver == person else { throw Refused(.forbidden) }
        guard rides[ride].isThere else { throw Refused(.wrongState) }
    }
}
