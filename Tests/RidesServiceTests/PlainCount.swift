import WireProtocol

/// Who has a seat on the way there and on the way back, by counting who sits in the car on each leg.
struct PlainCount {
    struct Place: Equatable {
        var state: SeatState
        var isApproved = false
        var isSure = true
    }

    struct Somebody {
        var way: Int
        var legs: Range<Int>
        var seats: Int
        var place: Place
        /// The number of what they asked for with it on the other way.
        var other: Int?
    }

    var seats: [Int]
    let accepts: [RideAcceptance]
    var people: [Somebody] = []
    private var isThere = [true, true]

    init(seats: [Int], accepts: [RideAcceptance]) { (self.seats, self.accepts) = (seats, accepts) }

    func free(_ way: Int) -> [Int] { (0..<4).map { seats[way] - taken(way, on: $0) } }

    private func taken(_ way: Int, on leg: Int) -> Int {
        people.filter { $0.way == way && $0.place.state == .accepted && $0.legs.contains(leg) }
            .map(\.seats).reduce(0, +)
    }

    private func hasRoom(_ way: Int, _ legs: Range<Int>, for wanted: Int) -> Bool {
        legs.allSatisfy { free(way)[$0] >= wanted }
    }

    mutating func does(_ command: Command) -> Bool {
        let isDone = follow(command)
        if isDone {
            promote(0)
            promote(1)
        }
        return isDone
    }

    private mutating func follow(_ command: Command) -> Bool {
        switch command {
        case .ask(let way, let stops, let wanted, let waitlist):
            return ask(way, stops.lowerBound..<stops.upperBound, wanted, waitlist)
        case .askBoth(let first, let stops, let wanted):
            return askBoth(first, stops.map { $0.lowerBound..<$0.upperBound }, wanted)
        case .act(let act, let number): return acts(act, on: number)
        case .wait(let number):
            let place = people[number].place
            guard place.state == .pending || place.state == .accepted && !place.isSure else { return false }
            for number in together(number) {
                people[number].place = Place(
                    state: .expired, isApproved: people[number].place.isApproved, isSure: place.state == .pending)
            }
            return true
        case .offer(let way, let offered):
            guard isThere[way], (0..<4).allSatisfy({ taken(way, on: $0) <= offered }) else { return false }
            seats[way] = offered
            return true
        case .remove(let way):
            guard isThere[way] else { return false }
            isThere[way] = false
            removeAll(way)
            return true
        }
    }

    private mutating func ask(_ way: Int, _ legs: Range<Int>, _ wanted: Int, _ waitlist: Bool) -> Bool {
        guard isThere[way] else { return false }
        let atOnce = accepts[way] == .everybody
        var place = Place(state: atOnce ? .accepted : .pending)
        if !hasRoom(way, legs, for: wanted) {
            guard waitlist, wanted <= seats[way] else { return false }
            place = Place(state: .waiting, isApproved: atOnce)
        }
        people.append(Somebody(way: way, legs: legs, seats: wanted, place: place))
        return true
    }

    private mutating func askBoth(_ first: Int, _ legs: [Range<Int>], _ wanted: Int) -> Bool {
        let ways = [first, 1 - first]
        guard isThere == [true, true], zip(ways, legs).allSatisfy({ hasRoom($0, $1, for: wanted) }) else {
            return false
        }
        let place = Place(state: accepts.allSatisfy { $0 == .everybody } ? .accepted : .pending)
        for (way, legs) in zip(ways, legs) {
            let other = way == first ? people.count + 1 : people.count - 1
            people.append(Somebody(way: way, legs: legs, seats: wanted, place: place, other: other))
        }
        return true
    }

    /// With what goes with it while both are pending.
    private func together(_ number: Int) -> [Int] {
        guard people[number].place.state == .pending, let other = people[number].other else { return [number] }
        return [number, other]
    }

    private mutating func acts(_ act: SeatAct, on number: Int) -> Bool {
        let numbers = together(number)
        let places = numbers.compactMap { place(of: people[$0], after: act) }
        guard places.count == numbers.count else { return false }
        for (number, place) in zip(numbers, places) { people[number].place = place }
        return true
    }

    private mutating func removeAll(_ way: Int) {
        for number in people.indices where people[number].way == way {
            guard [.pending, .waiting, .accepted].contains(people[number].place.state) else { continue }
            for other in together(number) where other != number { people[other].place.state = .withdrawn }
            (people[number].place.state, people[number].place.isSure) = (.removed, true)
        }
    }

    private func place(of person: Somebody, after act: SeatAct) -> Place? {
        var place = person.place
        place.isSure = true
        switch (act, person.place.state) {
        case (.accept, .pending):
            guard hasRoom(person.way, person.legs, for: person.seats) else { return nil }
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

    private mutating func promote(_ way: Int) {
        guard isThere[way] else { return }
        var free = free(way)
        for number in people.indices where people[number].way == way && people[number].place.state == .waiting {
            let person = people[number]
            guard person.legs.allSatisfy({ free[$0] >= person.seats }) else { continue }
            for leg in person.legs { free[leg] -= person.seats }
            let isApproved = person.place.isApproved
            people[number].place = Place(
                state: isApproved ? .accepted : .pending, isApproved: isApproved, isSure: !isApproved)
        }
    }
}
