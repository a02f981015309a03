import Foundation
import Postgres
import Synchronization
import WireProtocol

@testable import NotificationService

extension PushSender {
    /// All that is due at once, and no more.
    /// - Returns: How many were taken.
    func deliver() async throws -> Int {
        let claimed = try await claim()
        await withTaskGroup(of: Void.self) { group in
            for one in claimed { group.addTask { await deliver(one, PushMetrics()) } }
        }
        return claimed.count
    }
}

/// What waits, in memory.
final class FakeDeliveries: DeliveryQueue {
    enum Settled: Hashable {
        case done
        case again(Date)
    }

    private let state = Mutex((waiting: [UUID: (PushDelivery, Date)](), settled: [Settled]()))
    var settled: [Settled] { state.withLock { $0.settled } }

    func add(_ delivery: PushDelivery) { state.withLock { $0.waiting[delivery.id] = (delivery, .distantPast) } }

    func claimDeliveries(atMost count: Int, besides busy: Set<UUID>, now: Date, lease: Date) async throws
        -> [PushDelivery]
    {
        state.withLock { state in
            var devices = busy
            let due = state.waiting.values.filter { $0.1 <= now }.map(\.0).sorted { $0.id < $1.id }
                .filter { devices.insert($0.device).inserted }.prefix(count)
            for delivery in due { state.waiting[delivery.id] = (delivery, lease) }
            return Array(due)
        }
    }

    func putBack(_ delivery: PushDelivery, until: Date) async throws {
        state.withLock { $0.waiting[delivery.id] = (delivery, until) }
    }

    func postponeDeliveries(to device: UUID, until: Date) async throws {
        state.withLock { state in
            for (id, (delivery, due)) in state.waiting where delivery.device == device && due < until {
                state.waiting[id] = (delivery, until)
            }
        }
    }

    func settle(_ delivery: PushDelivery, again: Date?) async throws {
        state.withLock { state in
            state.settled.append(again.map { .again($0) } ?? .done)
            state.waiting[delivery.id] = again.map { (delivery, $0) }
        }
    }

    func forgetDeliveries(to device: UUID) async throws {
        state.withLock { state in state.waiting = state.waiting.filter { $0.value.0.device != device } }
    }
}

extension PushDevices {
    /// Somebody's, of which nothing more is known.
    static func some(_ count: Int = 1, of person: PersonID) -> PushDevices {
        PushDevices(
            rows: """
                SELECT device AS id, \(person) AS person, NULL::timestamptz AS rests_until
                FROM unnest(\((0..<count).map { _ in UUID() })) AS device
                """)
    }
}
