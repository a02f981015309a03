import DurableMessaging
import Foundation
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// What operators see of pushes that were given up, and do about them.
@Suite struct DeadPushTests {
    private let maya = InboxBench.maya

    private struct Bench {
        let inbox: InboxBench
        let pushes: DeadPushUseCases
        let store: PostgresDeviceStore

        func all(_ query: DeadPushQuery = DeadPushQuery(), by person: PersonID = InboxBench.kim) async throws
            -> [DeadPush]
        {
            try await pushes.pushes(query, for: Caller(person: person)).items
        }

        /// Whatever waits is given up.
        func giveUp() async throws -> Int {
            let now = inbox.clock.now
            var count = 0
            while case let taken = try await inbox.deliveries.claimDeliveries(
                atMost: 10, besides: [], now: now, lease: now + 60), !taken.isEmpty
            {
                let devices = try await store.reached(taken.map { PushDeviceID($0.device) })
                for delivery in taken {
                    guard let device = devices[delivery.device] else { continue }
                    try await store.note(
                        .dead(reason: "It answers 400."), of: Push(delivery: delivery, device: device), now: now)
                    try await inbox.deliveries.settle(delivery, again: nil)
                }
                count += taken.count
            }
            return count
        }

        func waiting() async throws -> Int { try await inbox.database.read("SELECT FROM deliveries").count }
    }

    private func with(_ body: (Bench) async throws -> Void) async throws {
        try await InboxBench.with(devices: PostgresDeviceStore.devices) { inbox in
            let store = PostgresDeviceStore(
                database: inbox.database, seal: DeviceSeal(secret: Array("a secret of this test".utf8)))
            let access = OperatorAccess(
                require: { caller in
                    guard caller.person == InboxBench.kim else { throw ServiceError(.forbidden, "Only operators.") }
                }, note: { _, _, _ in })
            let now = inbox.clock.now
            _ = try await inbox.database.query(
                """
                INSERT INTO devices (id, person, session, kind, address, sealed, label, language, added_at, seen_at)
                VALUES (\(UUID.version7()), \(maya), \(UUID.version7()), 'webPush', \([UInt8](repeating: 7, count: 32)),
                    \([UInt8](repeating: 1, count: 8)), 'Firefox', 'en', \(now), \(now))
                """)
            let clock = inbox.clock
            try await body(
                Bench(
                    inbox: inbox,
                    pushes: DeadPushUseCases(
                        database: inbox.database, access: access, lifetime: 3600, now: { clock.now }),
                    store: store))
        }
    }

    @Test func what_was_given_up_is_listed_tried_again_and_forgotten() async throws {
        try await with { bench in
            try await bench.inbox.ask()
            try await bench.inbox.ask(InboxBench.kim)
            bench.inbox.wait(5)
            #expect(try await bench.inbox.rounds.push() == 2)
            #expect(try await bench.giveUp() == 2)
            let dead = try await bench.all()
            #expect(dead.count == 2 && dead.map(\.kind) == [.friendAsked, .friendAsked])
            let whole = dead.map { $0.canRetry && $0.device == .webPush && $0.reason == "It answers 400." }
            #expect(whole == [true, true])
            let first = try await bench.pushes.pushes(DeadPushQuery(limit: 1), for: Caller(person: InboxBench.kim))
            let rest = try await bench.all(DeadPushQuery(limit: 1, cursor: first.next))
            #expect(first.items + rest == dead)

            // Whoever tries it again does not wait until its device is tried by itself.
            _ = try await bench.inbox.database.query("UPDATE devices SET rests_until = \(bench.inbox.clock.now + 900)")
            try await bench.pushes.retry(dead[0].id, bench.inbox.context(InboxBench.kim))
            #expect(try await bench.waiting() == 1)
            #expect(try await bench.inbox.database.read("SELECT FROM devices WHERE rests_until IS NOT NULL").isEmpty)
            try await bench.pushes.forget(dead[1].id, bench.inbox.context(InboxBench.kim))
            #expect(try await bench.all().isEmpty)
            let gone = await #expect(throws: ServiceError.self) {
                try await bench.pushes.retry(dead[1].id, bench.inbox.context(InboxBench.kim))
            }
            #expect(gone?.code == .notFound)
        }
    }

    @Test func what_was_seen_meanwhile_is_not_tried_again() async throws {
        try await with { bench in
            try await bench.inbox.ask()
            bench.inbox.wait(5)
            try await bench.inbox.rounds.push()
            _ = try await bench.giveUp()
            let notice = try #require(try await bench.inbox.notices().first)
            _ = try await bench.inbox.inbox.markSeen(InboxMark(ids: [notice.id]), bench.inbox.context())
            let dead = try #require(try await bench.all().first)
            #expect(!dead.canRetry)
            let refused = await #expect(throws: ServiceError.self) {
                try await bench.pushes.retry(dead.id, bench.inbox.context(InboxBench.kim))
            }
            #expect(refused?.code == .wrongState)
            #expect(try await bench.waiting() == 0)
        }
    }

    @Test func they_are_for_operators_alone() async throws {
        try await with { bench in
            let refused = await #expect(throws: ServiceError.self) { try await bench.all(by: maya) }
            #expect(refused?.code == .forbidden)
            for act in [bench.pushes.retry, bench.pushes.forget] {
                let refused = await #expect(throws: ServiceError.self) {
                    try await act(.new(), bench.inbox.context(maya))
                }
                #expect(refused?.code == .forbidden)
            }
        }
    }
}
