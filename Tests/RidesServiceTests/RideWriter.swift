import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import WireProtocol

@testable import RidesService

/// Somebody who writes of their own rides, so that it is known in which order.
struct RideWriter: Sendable {
    let rides: Rides
    let chronicle: RideChronicle
    private let seed: UInt64
    private let own: [OfferedRide]

    init(rides: Rides, _ chronicle: RideChronicle, seed: UInt64, _ own: [OfferedRide]) {
        (self.rides, self.chronicle, self.seed, self.own) = (rides, chronicle, seed, own)
    }

    /// - Parameter pace: changes in a second.
    func write(_ pace: Int, while goesOn: @Sendable () -> Bool) async throws {
        var (random, kept) = (RandomRides(seed: seed), own)
        var next = ContinuousClock.now
        while goesOn() {
            try await Task.sleep(until: next, clock: .continuous)
            try await change(&kept, &random)
            next = max(next + .seconds(1) / pace, .now - .milliseconds(200))
        }
    }

    private func change(_ kept: inout [OfferedRide], _ random: inout RandomRides) async throws {
        let place = random.number(0...kept.count - 1)
        var ride = kept[place]
        switch random.number(0...9) {
        case 0...2:
            let new = random.empty()
            try await write(new, new.insertion)
            kept.append(new)
        case 3...5:
            let other = random.empty()
            (ride.departsAt, ride.leavesBy, ride.luggage) = (other.departsAt, other.leavesBy, other.luggage)
            if ride.load.marks.isEmpty { (ride.way, ride.maxDetour) = (other.way, other.maxDetour) }
            try await write(ride, ride.update)
            kept[place] = ride
        case 6:
            (ride.state, ride.changedAt) = (.removed, noon)
            try await write(ride, ride.update)
            kept.remove(at: place)
        default:
            let (id, last) = (ride.id, ride.way.stops.count - 1)
            let (first, count) = (random.number(0...last - 1), random.number(1...2))
            try await chronicle.write(id) {
                let refusal = await rideRefusal {
                    try await rides.ask(id, by: .new(), first...last) { $0.seats = count }
                }
                // What comes of it is made by the database.
                return refusal == nil ? try await rides.stored(id) : nil
            }
            kept[place] = try await rides.stored(id) ?? ride
        }
    }

    private func write(_ ride: OfferedRide, _ statement: SQLQuery) async throws {
        try await chronicle.write(ride.id) {
            try await rides.store.transaction { _ = try await $0.transaction.query(statement) }
            return ride
        }
    }
}

extension RandomRides {
    /// One that has not left, in which nobody rides along, and in which everybody gets a seat at once.
    mutating func empty() -> OfferedRide {
        var ride = lasting()
        (ride.load, ride.accepts) = (SeatLoad(), .everybody)
        return ride
    }
}

extension Rides {
    /// Rides to begin with, and by whom each will be written of.
    func fill(
        _ count: Int, for writers: Int, _ chronicle: RideChronicle
    ) async throws -> [[OfferedRide]] {
        var random = RandomRides(seed: 99)
        let all = (0..<count).map { _ in random.empty() }
        for start in stride(from: 0, to: count, by: 200) {
            let some = all[start..<min(start + 200, count)]
            try await store.transaction { _ = try await $0.transaction.pipeline(some.map(\.insertion)) }
        }
        for ride in all { try await chronicle.write(ride.id) { ride } }
        return (0..<writers).map { writer in
            stride(from: writer, to: count, by: writers).map { all[$0] }
        }
    }
}
