import Foundation
import KampongClient
import TestKit
import WireProtocol

/// A few rides to which one command after the other is given, each held to what the model answers.
struct RideLane: Sendable {
    /// What people are told is not what the model says, or nobody has answered.
    struct Wrong: Error, CustomStringConvertible {
        var description: String
    }

    let people: [RidePerson]
    private(set) var model: RideModel
    let rides: [RideID]
    /// By their numbers in the model.
    private(set) var seats: [SeatRequestID] = []
    /// Who has to do with these rides.
    private let crowd: [Int]
    private var history: [String] = []

    init(_ rides: [Ride], _ model: RideModel, crowd: [Int], of people: [RidePerson]) {
        (self.rides, self.model, self.crowd, self.people) = (rides.map(\.id), model, crowd, people)
        for (ride, known) in zip(rides, model.rides) {
            history.append("ride \(ride.id): \(known.seats) seats, \(known.accepts), other \(known.other ?? -1)")
        }
    }

    var isOver: Bool { model.rides.allSatisfy { !$0.isThere } }

    /// Somebody gives a command; now and then they send it twice, which is as if they had sent it once.
    /// - Returns: what it was, and what came of it.
    mutating func turn(using dice: inout SeededGenerator) async throws -> String {
        let command = model.command(by: crowd, using: &dice)
        let repeats = Int.random(in: 0..<15, using: &dice) == 0
        return try await give(command, again: repeats)
    }

    /// Their drivers take back all rides that are there.
    mutating func close() async throws {
        for (number, ride) in model.rides.enumerated() where model.rides[number].isThere {
            _ = try await give(.init(person: ride.driver, wish: .remove(ride: number, withOther: false)), again: false)
        }
    }

    private mutating func give(_ command: RideModel.Command, again: Bool) async throws -> String {
        let (known, key) = (model.requests.count, UUID().uuidString)
        let expected = model.answer(command)
        history.append("\(command): \(expected)")
        for _ in 0...(again ? 1 : 0) {
            let (told, made) = try await send(command, key: key)
            guard told == expected else { throw wrong("they were told \"\(told)\"") }
            if seats.count == known { seats += made }
        }
        guard seats.count == model.requests.count else { throw wrong("another number of requests was made") }
        return "\(command.wish.name): \(expected.kind)"
    }

    private func wrong(_ what: String) -> Wrong {
        Wrong(description: ([what] + history.suffix(60)).joined(separator: "\n    "))
    }

    // MARK: What is asked of the service

    private func send(
        _ command: RideModel.Command, key: String
    ) async throws -> (RideModel.Answer, made: [SeatRequestID]) {
        do {
            return try await sent(command, as: people[command.person].client, key: key)
        } catch let problem as Problem where problem.status < 500 && ![401, 429].contains(problem.status) {
            return (.refused(problem.code), [])
        } catch {
            throw wrong("\(error)")
        }
    }

    private func sent(
        _ command: RideModel.Command, as client: KampongClient, key: String
    ) async throws -> (RideModel.Answer, made: [SeatRequestID]) {
        switch command.wish {
        case .ask(let ride, let part, let seats, let waits):
            let draft = SeatDraft(seats: seats, from: part.start, to: part.end, waitlist: waits)
            let made = try await client.requestSeat(in: rides[ride], draft, key: key)
            return (.init(made), [made.id])
        case .askBoth(let ride, let part, let other, let seats, let waits):
            let draft = SeatDraft(
                seats: seats, from: part.start, to: part.end, waitlist: waits ? true : nil,
                together: TogetherDraft(from: other.start, to: other.end))
            let made = try await client.requestSeat(in: rides[ride], draft, key: key)
            return (.init(made), [made.id] + (made.together.map { [$0] } ?? []))
        case .act(let act, let number): return (.init(try await client.act(act, on: seats[number], key: key)), [])
        case .offer(let ride, let seats):
            let changed = try await client.changeRide(rides[ride], with: RideDraft(seats: seats), key: key)
            return (.ride(seats: changed.seats, free: changed.free), [])
        case .remove(let ride, let withOther):
            try await client.removeRide(rides[ride], withOther: withOther, key: key)
            return (.done, [])
        }
    }

    // MARK: What is looked at now and then

    /// What rides and requests say of themselves: to their drivers, and to somebody else.
    func look(using dice: inout SeededGenerator) async throws {
        for ride in rides.indices {
            do {
                try await look(at: ride, as: people[model.rides[ride].driver].client)
                try await look(at: ride, as: crowd[Int.random(in: crowd.indices, using: &dice)])
            } catch let problem as Problem {
                throw wrong("\(problem)")
            }
        }
    }

    private func look(at number: Int, as driver: KampongClient) async throws {
        let (seen, known) = (try await driver.ride(rides[number]), model.rides[number])
        try check("state of ride \(number)", seen.state, known.isThere ? .open : .removed)
        try check("seats of ride \(number)", seen.seats, known.seats)
        try check("what is free in ride \(number)", seen.free, model.free(in: number))
        let riding = model.numbers(in: number).filter { model.requests[$0].place.state == .accepted }
        let passengers = Set(seen.passengers.map { "\($0.seats) of \($0.person.id)" })
        try check(
            "who rides along in \(number)", passengers,
            Set(riding.map { "\(model.requests[$0].seats) of \(people[model.requests[$0].rider].id)" }))
        var all: [SeatRequest] = []
        var cursor: String?
        repeat {
            let page = try await driver.seatRequests(for: rides[number], limit: 20, cursor: cursor)
            (all, cursor) = (all + page.items, page.next)
        } while cursor != nil
        let expected = model.numbers(in: number).reversed().map { seats[$0] }
        try check("the list of requests in ride \(number)", all.map(\.id), expected)
        for (request, other) in zip(all, model.numbers(in: number).reversed()) { try check(request, as: other) }
    }

    private func check(_ request: SeatRequest, as number: Int) throws {
        try check("request \(number)", RideModel.Answer(request), model.seen(number))
        try check("the other half of \(number)", request.together, model.requests[number].together.map { seats[$0] })
        let possible = model.requests[number].place.possible(byDriver: true)
        try check("what may be done to \(number)", Set(request.possible), possible)
    }

    private func look(at number: Int, as person: Int) async throws {
        guard model.isSeen(number, by: person) else {
            do { _ = try await people[person].client.ride(rides[number]) } catch let problem as Problem
                where problem.code == .notFound
            { return }
            throw wrong("\(person) sees ride \(number)")
        }
        let seen = try await people[person].client.ride(rides[number])
        let own = model.open(person, in: number)
        try check("what \(person) has in ride \(number)", seen.request, own.map { seats[$0] })
        try check("what is free in ride \(number) to \(person)", seen.free, model.free(in: number))
        try check("the button of \(person) in ride \(number)", seen.action, action(of: person, own, in: number))
    }

    private func action(of person: Int, _ own: Int?, in ride: Int) -> RideAction {
        if model.rides[ride].driver == person { return .own }
        guard model.rides[ride].isThere else { return .unavailable }
        guard let own else { return model.free(in: ride).contains { $0 > 0 } ? .ask : .wait }
        return model.requests[own].place.state == .accepted ? .leave : .withdraw
    }

    private func check<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) throws {
        if found != expected { throw wrong("\(what): \(found), and ought to be \(expected)") }
    }
}

/// Somebody of the crowd.
struct RidePerson: Sendable {
    let id: PersonID
    let client: KampongClient
}

extension RideModel.Answer {
    init(_ request: SeatRequest) {
        self = .seat(
            .init(state: request.state, isApproved: request.isApproved, isConfirmed: request.isConfirmed),
            ahead: request.ahead)
    }

    /// Without numbers, to be counted.
    var kind: String {
        switch self {
        case .seat(let place, _): place.state.rawValue
        case .ride, .done: "done"
        case .refused(let code): code.rawValue
        }
    }
}

extension RideModel.Part {
    fileprivate var start: SeatPointDraft { SeatPointDraft(stop: from) }
    fileprivate var end: SeatPointDraft { SeatPointDraft(stop: to) }
}
