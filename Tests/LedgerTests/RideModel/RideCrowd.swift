import Foundation
import KampongClient
import Synchronization
import TestKit
import WireProtocol

/// People who share rides: many lanes at once, each of a few rides to which one command comes after the other. Rides of different lanes are on
/// days of their own, so that what happens in one is nothing to the others.
final class RideCrowd: Sendable {
    struct Report: Sendable {
        var commands = 0
        var told: [String: Int] = [:]
        var problems: [String] = []
        var lanes: [RideLane] = []
    }

    /// Rides are taken back after so many commands, so that what has to be remembered of one stays small.
    private static let patience = 110
    private static let looks = 30

    let people: [RidePerson]
    /// Waits until the rounds of the service have done with new rides: these lock them now and then.
    private let settle: @Sendable ([RideID]) async throws -> Void
    private let report = Mutex(Report())

    init(_ people: [RidePerson], settle: @escaping @Sendable ([RideID]) async throws -> Void) {
        (self.people, self.settle) = (people, settle)
    }

    /// So many commands are given, by each of the workers as many; ends early where something is wrong.
    func run(commands: Int, workers: Int, seed: UInt64) async -> Report {
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<workers {
                let share = commands / workers + (worker < commands % workers ? 1 : 0)
                group.addTask { [self] in
                    do { try await work(worker, share, seed: seed) } catch {
                        report.withLock { $0.problems.append("worker \(worker): \(error)") }
                    }
                }
            }
            await group.waitForAll()
        }
        return report.withLock { $0 }
    }

    private var isWrong: Bool { report.withLock { !$0.problems.isEmpty } }

    private func work(_ worker: Int, _ commands: Int, seed: UInt64) async throws {
        var dice = SeededGenerator(seed: seed &* 1000 &+ UInt64(worker))
        var (given, generation) = (0, 0)
        while given < commands, !isWrong {
            var lane = try await open(worker, generation, using: &dice)
            var own = 0
            while given < commands, own < Self.patience, !lane.isOver, !isWrong {
                let told = try await lane.turn(using: &dice)
                (given, own) = (given + 1, own + 1)
                report.withLock {
                    $0.commands += 1
                    $0.told[told, default: 0] += 1
                }
                if own % Self.looks == 0 { try await lane.look(using: &dice) }
            }
            try await lane.look(using: &dice)
            // The last ones stay as they are, to be looked at in the tables.
            if given < commands {
                try await lane.close()
                try await lane.look(using: &dice)
            }
            report.withLock { [lane] in $0.lanes.append(lane) }
            generation += 1
        }
    }

    // MARK: Rides

    /// By turns a ride alone; one with its way back; one with its way back and another one at about the same time; and two at about the same time.
    private func open(_ worker: Int, _ generation: Int, using dice: inout SeededGenerator) async throws -> RideLane {
        let crowd = Array(people.indices.shuffled(using: &dice).prefix(20))
        let day = Date(
            timeIntervalSince1970: (Date().timeIntervalSince1970 + Double(5 + 4 * worker) * 86_400).rounded())
        let kind = (worker + generation) % 4
        var (rides, models) = ([Ride](), [RideModel.Ride]())
        let first = try await post(crowd[0], at: day, hasReturn: [1, 2].contains(kind), using: &dice)
        rides += first
        models += first.indices.map { number in
            RideModel.Ride(first[number], crowd[0], other: first.count > 1 ? 1 - number : nil)
        }
        if kind > 1 {
            let near = first[first.count - 1].departsAt + Double.random(in: -5400...5400, using: &dice).rounded()
            let rival = try await post(crowd[1], at: near, hasReturn: false, using: &dice)[0]
            rides.append(rival)
            models.append(RideModel.Ride(rival, crowd[1], other: nil))
        }
        try await settle(rides.map(\.id))
        return RideLane(rides, RideModel(models), crowd: crowd, of: people)
    }

    /// One of five stops, and its way back a day later.
    private func post(
        _ driver: Int, at time: Date, hasReturn: Bool, using dice: inout SeededGenerator
    ) async throws -> [Ride] {
        var place = Position(
            latitude: .random(in: -50...50, using: &dice), longitude: .random(in: -170...160, using: &dice))
        let stops = (0..<5).map { number in
            defer { place.longitude += .random(in: 0.2...0.4, using: &dice) }
            return RideStopDraft(name: "Stop \(number)", position: place)
        }
        let seats = [Int.random(in: 1...3, using: &dice), .random(in: 1...3, using: &dice)]
        let back = hasReturn ? ReturnDraft(departsAt: WireJSON.text(of: time + 86_400), seats: seats[1]) : nil
        let client = people[driver].client
        let there = try await client.postRide(
            RideDraft(
                stops: stops, departsAt: WireJSON.text(of: time), zone: "UTC", seats: seats[0], maxDetour: 0,
                accepts: Bool.random(using: &dice) ? .everybody : .nobody, returnRide: back))
        guard let other = there.other else { return [there] }
        return [there, try await client.ride(other.id)]
    }
}

extension RideModel.Ride {
    fileprivate init(_ ride: Ride, _ driver: Int, other: Int?) {
        self.init(driver: driver, times: ride.stops.map(\.time), accepts: ride.accepts, other: other, seats: ride.seats)
    }
}

extension RideCrowd.Report {
    /// How often somebody was told this, whatever they wanted.
    func told(_ what: String) -> Int { told.filter { $0.key.hasSuffix(": \(what)") }.values.reduce(0, +) }
}
