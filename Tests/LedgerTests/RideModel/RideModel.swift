import Foundation
import WireProtocol

/// What is true of a few rides and of the seats in them, where one command comes after the other, by counting who sits in the car on each leg.
/// Nothing of the service's own code is in it: it is written from the tables that are printed in `Services/Rides/README.md`.
struct RideModel: Sendable {
    struct Ride: Sendable {
        /// As all people here, by their number.
        let driver: Int
        /// When each of its stops is passed.
        let times: [Date]
        let accepts: RideAcceptance
        /// The number of the way back of this way there, or of the way there of this way back.
        var other: Int?
        var seats: Int
        var isThere = true

        var legs: Range<Int> { 0..<times.count - 1 }
        var whole: Range<Date> { times[0]..<times[times.count - 1] }
    }

    struct Request: Sendable {
        let ride: Int
        let rider: Int
        let legs: Range<Int>
        let seats: Int
        /// The number of the one that was made with it on the other way.
        var together: Int?
        var place: Place
    }

    struct Place: Hashable, Sendable {
        var state: SeatState
        /// Of one who waits.
        var isApproved = false
        var isConfirmed = true

        var isOpen: Bool { [.pending, .waiting, .accepted].contains(state) }
    }

    /// From one stop to another, or what somebody takes for that.
    struct Part: Hashable, Sendable {
        var from: Int
        var to: Int
    }

    struct Command: Sendable {
        enum Wish: Sendable {
            case ask(ride: Int, Part, seats: Int, waits: Bool)
            case askBoth(ride: Int, Part, other: Part, seats: Int, waits: Bool)
            case act(SeatAct, on: Int)
            case offer(ride: Int, seats: Int)
            case remove(ride: Int, withOther: Bool)
        }
        var person: Int
        var wish: Wish
    }

    /// What somebody is told.
    enum Answer: Hashable, Sendable {
        /// - Parameter ahead: how many wait before them, where they wait.
        case seat(Place, ahead: Int?)
        case ride(seats: Int, free: [Int])
        case done
        case refused(ErrorCode)
    }

    struct Refused: Error {
        let code: ErrorCode
        init(_ code: ErrorCode) { self.code = code }
    }

    private(set) var rides: [Ride]
    /// In the order in which they were made.
    private(set) var requests: [Request] = []

    init(_ rides: [Ride]) { self.rides = rides }

    // MARK: What is there

    func free(in ride: Int) -> [Int] { rides[ride].legs.map { rides[ride].seats - taken(in: ride, on: $0) } }

    private func taken(in ride: Int, on leg: Int) -> Int {
        requests.filter { $0.ride == ride && $0.place.state == .accepted && $0.legs.contains(leg) }
            .reduce(0) { $0 + $1.seats }
    }

    /// The most who ride along anywhere.
    func taken(in ride: Int) -> Int { rides[ride].legs.map { taken(in: ride, on: $0) }.max() ?? 0 }

    func hasRoom(in ride: Int, on legs: Range<Int>, for seats: Int) -> Bool {
        let free = free(in: ride)
        return legs.allSatisfy { free[$0] >= seats }
    }

    func numbers(in ride: Int) -> [Int] { requests.indices.filter { requests[$0].ride == ride } }

    /// What somebody has asked for there that is not over.
    func open(_ person: Int, in ride: Int) -> Int? {
        numbers(in: ride).first { requests[$0].rider == person && requests[$0].place.isOpen }
    }

    /// How many wait before this one; nil of one that does not wait.
    func ahead(of number: Int) -> Int? {
        guard requests[number].place.state == .waiting else { return nil }
        return numbers(in: requests[number].ride).count { $0 < number && requests[$0].place.state == .waiting }
    }

    func seen(_ number: Int) -> Answer { .seat(requests[number].place, ahead: ahead(of: number)) }

    /// What was removed is there for its driver alone, and for who has ever asked.
    func isSeen(_ ride: Int, by person: Int) -> Bool {
        rides[ride].isThere || rides[ride].driver == person
            || requests.contains { $0.ride == ride && $0.rider == person }
    }

    /// When somebody is in the car, or would be.
    func time(_ legs: Range<Int>, of ride: Int) -> Range<Date> {
        rides[ride].times[legs.lowerBound]..<rides[ride].times[legs.upperBound]
    }

    /// Whether somebody is in another car then.
    func isElsewhere(_ person: Int, during time: Range<Date>, besides own: Set<Int>) -> Bool {
        let rides = rides.indices.filter { !own.contains($0) }
        return rides.contains {
            self.rides[$0].isThere && self.rides[$0].driver == person && self.rides[$0].whole.overlaps(time)
        }
            || requests.contains { request in
                request.rider == person && request.place.state == .accepted && rides.contains(request.ride)
                    && self.time(request.legs, of: request.ride).overlaps(time)
            }
    }

    // MARK: What is changed

    mutating func add(_ request: Request) -> Int {
        requests.append(request)
        return requests.count - 1
    }

    mutating func put(_ place: Place, at number: Int) { requests[number].place = place }
    mutating func join(_ one: Int, with other: Int) {
        (requests[one].together, requests[other].together) = (other, one)
    }

    mutating func offer(_ seats: Int, in ride: Int) { rides[ride].seats = seats }
    mutating func close(_ ride: Int) { rides[ride].isThere = false }
}

extension RideModel.Place {
    /// Nil where that can't be done.
    func after(_ act: SeatAct, byDriver: Bool) -> RideModel.Place? {
        switch (act, byDriver, state) {
        case (.accept, true, .pending): RideModel.Place(state: .accepted)
        case (.reject, true, .pending), (.reject, true, .waiting): RideModel.Place(state: .rejected)
        case (.approve, true, .waiting) where !isApproved: RideModel.Place(state: .waiting, isApproved: true)
        case (.remove, true, .accepted): RideModel.Place(state: .removed)
        case (.withdraw, false, .pending), (.withdraw, false, .waiting): RideModel.Place(state: .withdrawn)
        case (.keep, false, .accepted) where !isConfirmed: RideModel.Place(state: .accepted)
        case (.leave, false, .accepted): RideModel.Place(state: .left)
        default: nil
        }
    }

    /// What one of the two is told that they may do.
    func possible(byDriver: Bool) -> Set<SeatAct> {
        Set(SeatAct.allCases.filter { after($0, byDriver: byDriver) != nil })
    }

    /// A seat came free, or whoever was promised a look does not get one.
    func makesRoom(as after: RideModel.Place) -> Bool {
        state == .accepted && after.state != .accepted || state == .pending && after.state.isOver
    }

    /// They have a seat, and need not say that they keep it.
    var isSure: Bool { state == .accepted && isConfirmed }
}
