import Foundation
import KampongClient
import TestKit
import WireProtocol

/// Many people who ask at one moment for seats of one ride, where whoever comes in time has one; and what is wrong with what came of it.
struct SeatRound: Sendable {
    struct Wish: Sendable {
        let person: RidePerson
        /// From one stop to another.
        let legs: Range<Int>
        let seats: Int
    }

    enum Told: Sendable {
        case given(SeatRequestID)
        case refused(ErrorCode)
        /// It may have been done.
        case unanswered
    }

    struct Row: Codable, Sendable {
        var id: SeatRequestID
        var rider: PersonID
        var state: SeatState
        var seats: Int
        var from: Int?
        var to: Int?
    }

    let ride: Ride
    let wishes: [Wish]
    /// As many as there are wishes, in their order.
    var told: [Told] = []
    var rows: [Row] = []

    /// All of them ask.
    mutating func ask() async {
        let ride = ride.id
        let answers = await atOnce(Array(wishes.enumerated())) { number, wish in (number, await wish.ask(in: ride)) }
        let known = Dictionary(uniqueKeysWithValues: answers.compactMap { try? $0.get() })
        told = wishes.indices.map { known[$0] ?? .unanswered }
    }

    mutating func look(in stack: Stack) async throws {
        rows = try await stack.rows(
            of: """
                SELECT id, rider, state, seats, board_stop AS from, leave_stop AS to FROM rides.seat_requests
                WHERE ride = '\(ride.id)'
                """, as: Row.self)
    }

    // MARK: What is wrong

    func problems() -> [String] {
        let free = ride.free.indices.map { leg in ride.seats - rows.filter { $0.has(leg) }.reduce(0) { $0 + $1.seats } }
        let byRider = Dictionary(grouping: rows, by: \.rider)
        var problems = zip(wishes, told).flatMap { Self.problems($0, $1, byRider[$0.person.id] ?? [], free: free) }
        if free.contains(where: { $0 < 0 }) { problems.append("\(free) seats are left") }
        let strangers = Set(rows.map(\.rider)).subtracting(wishes.map(\.person.id))
        if !strangers.isEmpty { problems.append("\(strangers) have never asked") }
        return problems.map { "ride \(ride.id): \($0)" }
    }

    /// - Parameter free: on each leg, in the end. Nobody gives a seat back, so whoever was refused would not fit in then either.
    private static func problems(_ wish: Wish, _ told: Told, _ rows: [Row], free: [Int]) -> [String] {
        let person = wish.person.id
        var problems = rows.filter { !$0.is(wish) }.map { "\($0) is not what \(person) asked for" }
        if rows.count > 1 { problems.append("\(person) has \(rows.count) requests") }
        switch told {
        case .given(let id):
            if rows.map(\.id) != [id] { problems.append("\(person) was told of \(id), and has \(rows)") }
        case .refused(.soldOut):
            if let row = rows.first { problems.append("\(person) was told that there is no room, and has \(row)") }
            if wish.legs.allSatisfy({ free[$0] >= wish.seats }) {
                problems.append("\(person) was told that there is no room for \(wish.seats) on \(wish.legs): \(free)")
            }
        case .refused(let code): problems.append("\(person) was told \(code.rawValue)")
        case .unanswered: break
        }
        return problems
    }

    var given: Int { told.count { if case .given = $0 { true } else { false } } }
    var unanswered: Int { told.count { if case .unanswered = $0 { true } else { false } } }
}

extension SeatRound.Wish {
    fileprivate func ask(in ride: RideID) async -> SeatRound.Told {
        let draft = SeatDraft(
            seats: seats, from: SeatPointDraft(stop: legs.lowerBound), to: SeatPointDraft(stop: legs.upperBound))
        do { return .given(try await person.client.requestSeat(in: ride, draft).id) } catch let problem as Problem
            where problem.status < 500 && ![401, 429].contains(problem.status)
        { return .refused(problem.code) } catch { return .unanswered }
    }
}

extension SeatRound.Row {
    fileprivate func has(_ leg: Int) -> Bool {
        guard state == .accepted, let from, let to else { return false }
        return from <= leg && leg < to
    }

    fileprivate func `is`(_ wish: SeatRound.Wish) -> Bool {
        state == .accepted && seats == wish.seats && from == wish.legs.lowerBound && to == wish.legs.upperBound
    }
}

extension SeatRound {
    /// A ride of four seats.
    /// - Parameter whole: Whether all want to go all the way; else from any stop to any later one, some with somebody else.
    init(of driver: RidePerson, for people: [RidePerson], whole: Bool, using dice: inout SeededGenerator) async throws {
        var place = Position(
            latitude: .random(in: -50...50, using: &dice), longitude: .random(in: -170...160, using: &dice))
        let stops = (0..<5).map { number in
            defer { place.longitude += 0.3 }
            return RideStopDraft(name: "Stop \(number)", position: place)
        }
        let leaves = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 5 * 86_400).rounded())
        ride = try await driver.client.postRide(
            RideDraft(
                stops: stops, departsAt: WireJSON.text(of: leaves), zone: "UTC", seats: 4, maxDetour: 0,
                accepts: .everybody))
        wishes = people.map { person in
            let from = whole ? 0 : Int.random(in: 0..<4, using: &dice)
            let to = whole ? 4 : Int.random(in: from + 1...4, using: &dice)
            let seats = whole || Int.random(in: 0..<4, using: &dice) > 0 ? 1 : 2
            return Wish(person: person, legs: from..<to, seats: seats)
        }
    }
}
