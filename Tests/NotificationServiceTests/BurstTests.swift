import DurableMessaging
import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// When a device rings of what comes again and again.
@Suite struct BurstTests {
    private func with(_ body: (InboxBench) async throws -> Void) async throws {
        try await InboxBench.with(devices: .some(2, of: InboxBench.maya), body)
    }

    private func claim(_ bench: InboxBench) async throws -> [PushDelivery] {
        let now = bench.clock.now
        return try await bench.deliveries.claimDeliveries(atMost: 10, besides: [], now: now, lease: now + 60)
    }

    @Test func who_is_written_to_again_and_again_is_rung_all_the_same() async throws {
        try await with { bench in
            var rung: [Int] = []
            // A line every four seconds, for a minute: between two of them there are never the five after which one is told.
            for number in 1...15 {
                try await bench.write(number)
                bench.wait(4)
                try await bench.rounds.tell()
                try await bench.rounds.push()
                let taken = try await claim(bench)
                if !taken.isEmpty { rung.append(number) }
                for delivery in taken { try await bench.deliveries.settle(delivery, again: nil) }
            }
            #expect(rung == [2, 4, 6, 8, 10, 12, 14])
            // What somebody looks at meanwhile waits, and is told after that, however much comes on top.
            try await bench.inbox.noteSeen(Caller(person: InboxBench.maya))
            for number in 16...38 {
                try await bench.write(number)
                bench.wait(4)
                try await bench.rounds.push()
                #expect(try await claim(bench).isEmpty == (number < 38), "\(number)")
            }
        }
    }

    @Test func what_grows_while_its_delivery_waits_rings_once_for_all_of_it() async throws {
        try await with { bench in
            try await bench.writeAndHandOver(1)
            let first = try await claim(bench)
            #expect(first.count == 2)
            // Their server is busy.
            for delivery in first { try await bench.deliveries.settle(delivery, again: bench.clock.now + 3) }
            try await bench.write(2)
            bench.wait(4)
            #expect(try await claim(bench).isEmpty)
            // Nothing else has to wait for it.
            try await RentalNoticeTests().change(bench, .handedOver, by: InboxBench.ben)
            bench.wait(5)
            try await bench.rounds.tell()
            try await bench.rounds.push()
            var told = [InboxNoticeKind: Int]()
            for _ in 1...3 {
                for delivery in try await claim(bench) {
                    told[delivery.notice.kind, default: 0] += 1
                    try await bench.deliveries.settle(delivery, again: nil)
                }
            }
            #expect(told[.message] == 2 && told.count == 2 && told.values.allSatisfy { $0 == 2 }, "\(told)")
        }
    }

    @Test func what_comes_to_something_else_or_is_not_wanted_any_more_waits_anew_or_not_at_all() async throws {
        try await with { bench in
            func due() async throws -> [Date?] {
                try await bench.database.read("SELECT push_at FROM notices").map { try $0.get("push_at") }
            }
            func change(_ state: RentalState) async throws {
                try await RentalNoticeTests().change(bench, state, by: InboxBench.ben)
            }
            try await change(.handedOver)
            bench.wait(2)
            try await change(.returned)
            #expect(try await due() == [bench.clock.now + 5])
            try await bench.choose { settings in
                for index in settings.kinds.indices { settings.kinds[index].push = false }
            }
            try await change(.returned)
            #expect(try await due() == [nil])
        }
    }
}
