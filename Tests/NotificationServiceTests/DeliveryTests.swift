import DurableMessaging
import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// What is due for push, and when; without any device but two that Maya has.
@Suite struct DeliveryTests {
    private static let devices = ["00000000-0000-4000-8000-0000000000d1", "00000000-0000-4000-8000-0000000000d2"]
        .compactMap { UUID(uuidString: $0) }

    private func with(_ body: (InboxBench) async throws -> Void) async throws {
        let devices = PushDevices(
            rows: """
                SELECT device AS id, \(InboxBench.maya) AS person, NULL::timestamptz AS rests_until
                FROM unnest(\(Self.devices)) AS device
                """)
        try await InboxBench.with(devices: devices, body)
    }

    private func claim(_ bench: InboxBench, atMost count: Int = 10, besides busy: Set<UUID> = []) async throws
        -> [PushDelivery]
    {
        let now = bench.clock.now
        return try await bench.deliveries.claimDeliveries(atMost: count, besides: busy, now: now, lease: now + 60)
    }

    @Test func what_is_not_read_goes_to_each_device_once() async throws {
        try await with { bench in
            try await bench.ask()
            try await bench.ask(InboxBench.kim, of: InboxBench.ben)
            #expect(try await bench.rounds.push() == 0)
            bench.wait(5)
            #expect(try await bench.rounds.push() == 2)
            #expect(try await bench.rounds.push() == 0)
            let taken = try await claim(bench)
            #expect(Set(taken.map(\.device)) == Set(Self.devices) && taken.map(\.unread) == [1, 1])
            #expect(taken.allSatisfy { $0.notice.actor?.name == "Ben" && $0.person == InboxBench.maya })
            #expect(try await claim(bench).isEmpty)
            try await bench.deliveries.settle(taken[0], again: nil)
            try await bench.deliveries.settle(taken[1], again: bench.clock.now + 10)
            bench.wait(10)
            let again = try await claim(bench)
            #expect(again.map(\.id) == [taken[1].id] && again.map(\.attempts) == [2])
            try await bench.deliveries.forgetDeliveries(to: taken[1].device)
            bench.wait(600)
            #expect(try await claim(bench).isEmpty)
        }
    }

    @Test func reading_takes_it_back_and_growing_sends_it_anew() async throws {
        try await with { bench in
            try await bench.writeAndHandOver(1)
            let first = try await claim(bench)
            #expect(first.count == 2)
            try await bench.write(2)
            bench.wait(5)
            try await bench.rounds.push()
            // What was under way is not the last word.
            for delivery in first { try await bench.deliveries.settle(delivery, again: nil) }
            let second = try await claim(bench)
            #expect(second.map(\.notice.count) == [2, 2])
            for delivery in second { try await bench.deliveries.settle(delivery, again: bench.clock.now) }
            try await bench.read(2)
            #expect(try await claim(bench).isEmpty)
            #expect(try await bench.database.read("SELECT FROM deliveries").isEmpty)
        }
    }

    @Test func seeing_takes_it_back_too_until_there_is_something_new() async throws {
        try await with { bench in
            func see() async throws {
                let newest = try #require(try await bench.notices().first)
                _ = try await bench.inbox.markSeen(InboxMark(upTo: newest.id), bench.context())
            }
            // Before it is handed over.
            try await bench.ask()
            try await see()
            bench.wait(5)
            #expect(try await bench.rounds.push() == 0)
            // While it waits for its devices, and while it is tried again.
            try await bench.write(1)
            bench.wait(5)
            try await bench.rounds.tell()
            #expect(try await bench.rounds.push() == 1)
            let taken = try await claim(bench)
            #expect(taken.count == 2)
            for delivery in taken { try await bench.deliveries.settle(delivery, again: bench.clock.now) }
            try await see()
            #expect(try await claim(bench).isEmpty)
            #expect(try await bench.database.read("SELECT FROM deliveries").isEmpty)
            #expect(try await bench.unread() == 2)
            // Seen between the look at what is due and the handing over.
            try await bench.write(2)
            bench.wait(5)
            _ = try await bench.database.query("UPDATE notices SET seen_at = \(bench.clock.now)")
            #expect(try await bench.rounds.push() == 1)
            #expect(try await claim(bench).isEmpty)
            try await bench.write(3)
            bench.wait(5)
            #expect(try await bench.rounds.push() == 1)
            let news = try await claim(bench)
            #expect(news.map(\.notice.count) == [3, 3] && news.map(\.unread) == [2, 2])
        }
    }

    @Test func what_is_due_before_it_is_shown_rings_when_it_is() async throws {
        try await with { bench in
            try await bench.write(1)
            bench.wait(5)
            #expect(try await bench.rounds.push() == 0)
            try await bench.rounds.tell()
            #expect(try await bench.rounds.push() == 1)
            #expect(try await claim(bench).count == 2)
        }
    }

    @Test func what_nobody_may_be_told_any_more_stands_in_nobodys_way() async throws {
        try await with { bench in
            try await bench.ask()
            try await bench.ask(InboxBench.kim)
            bench.wait(5)
            #expect(try await bench.rounds.push() == 2)
            try await bench.tell(PeopleBlocked(pair: BlockedPair(InboxBench.maya, InboxBench.ben)))
            var taken: [PushDelivery] = []
            for _ in 0..<3 { taken += try await claim(bench, atMost: 1) }
            #expect(Set(taken.map(\.device)) == Set(Self.devices))
            #expect(taken.map(\.notice.actor?.id) == [InboxBench.kim, InboxBench.kim])
            #expect(try await bench.database.read("SELECT FROM deliveries").count == 2)
        }
    }

    @Test func what_else_waits_for_a_device_is_tried_no_sooner_than_what_failed_there() async throws {
        try await with { bench in
            try await bench.ask()
            try await bench.ask(InboxBench.kim)
            bench.wait(5)
            #expect(try await bench.rounds.push() == 2)
            let until = bench.clock.now + 300
            let first = try #require(try await claim(bench, atMost: 1).first)
            try await bench.deliveries.postponeDeliveries(to: first.device, until: until)
            try await bench.deliveries.settle(first, again: until)
            var others: [PushDelivery] = []
            for _ in 0..<3 { others += try await claim(bench) }
            #expect(others.count == 2 && others.allSatisfy { $0.device != first.device })
            for delivery in others { try await bench.deliveries.settle(delivery, again: nil) }
            bench.wait(300)
            let later = [try await claim(bench), try await claim(bench)].map { $0.map(\.device) }
            #expect(later == [[first.device], [first.device]])
        }
    }

    @Test func of_each_device_one_is_taken_and_none_where_something_is_under_way() async throws {
        try await with { bench in
            try await bench.ask()
            bench.wait(1)
            try await bench.ask(InboxBench.kim)
            bench.wait(5)
            #expect(try await bench.rounds.push() == 2)
            let first = try await claim(bench)
            #expect(Set(first.map(\.device)) == Set(Self.devices) && first.count == 2)
            #expect(try await claim(bench, besides: Set(Self.devices)).isEmpty)
            let next = try await claim(bench, besides: [Self.devices[0]])
            let other = try #require(next.first)
            #expect(next.map(\.device) == [Self.devices[1]] && !first.map(\.id).contains(other.id))
            // What was put back was not tried.
            try await bench.deliveries.putBack(other, until: bench.clock.now + 5)
            #expect(try await claim(bench, besides: [Self.devices[0]]).isEmpty)
            bench.wait(5)
            let again = try await claim(bench, besides: [Self.devices[0]])
            #expect(again == next && again.map(\.attempts) == [1])
        }
    }

    @Test func who_is_there_or_asleep_is_not_rung() async throws {
        try await with { bench in
            try await bench.inbox.noteSeen(Caller(person: InboxBench.maya))
            try await bench.ask()
            bench.wait(80)
            try await bench.rounds.push()
            #expect(try await claim(bench).isEmpty)
            bench.wait(10)
            try await bench.rounds.push()
            let first = try await claim(bench)
            #expect(first.count == 2)
            for delivery in first { try await bench.deliveries.settle(delivery, again: nil) }
            try await bench.choose {
                $0.quiet = QuietHours(from: "12:00", to: "13:00")
                $0.timeZone = "UTC"
            }
            bench.wait(60)
            try await bench.ask(InboxBench.kim)
            bench.wait(60)
            try await bench.rounds.push()
            let asked = { try await self.claim(bench).filter { $0.notice.actor?.id == InboxBench.kim } }
            #expect(try await asked().isEmpty)
            bench.wait(3600)
            try await bench.rounds.push()
            #expect(try await asked().count == 2)
            try await bench.choose { settings in
                for index in settings.kinds.indices { settings.kinds[index].push = false }
            }
            try await bench.tell(NoticeGiven(person: InboxBench.maya, notice: .new(), kind: .warning, title: nil))
            bench.wait(60)
            try await bench.rounds.push()
            let loud = try await claim(bench).filter { $0.notice.kind == .account }
            #expect(loud.isEmpty)
        }
    }

    @Test func what_is_of_use_for_a_moment_rings_at_once_in_quiet_hours_too_and_not_later() async throws {
        try await with { bench in
            try await bench.choose {
                $0.quiet = QuietHours(from: "11:00", to: "13:00")
                $0.timeZone = "UTC"
            }
            let news = MatchNews(
                id: .new(), order: .new(), state: .offered, orderState: .offered,
                orderer: PersonSummary(id: InboxBench.ben, name: "Ben"),
                deliverer: PersonSummary(id: InboxBench.maya, name: "Maya"), restaurant: "Unicafe", dropOff: "Exactum")
            try await bench.tell(NewMatch(match: news), from: "matching")
            #expect(try await bench.rounds.push() == 1)
            let taken = try await claim(bench)
            #expect(taken.count == 2 && taken.allSatisfy { $0.expiresAt == bench.clock.now + 120 })
            for delivery in taken { try await bench.deliveries.settle(delivery, again: bench.clock.now + 119) }
            bench.wait(119)
            #expect(try await claim(bench).count == 2)
            bench.wait(60)
            #expect(try await claim(bench).isEmpty, "it is over")
        }
    }

    @Test func what_comes_again_in_quiet_hours_waits_for_their_end() async throws {
        try await with { bench in
            try await bench.choose {
                $0.quiet = QuietHours(from: "12:01", to: "13:00")
                $0.timeZone = "UTC"
            }
            try await bench.ask()
            bench.wait(5)
            #expect(try await bench.rounds.push() == 1)
            let first = try await claim(bench)
            #expect(first.count == 2)
            try await bench.deliveries.settle(first[0], again: nil)
            try await bench.deliveries.settle(first[1], again: bench.clock.now + 60)
            for seconds in [60, 3490] {
                bench.wait(seconds)
                #expect(try await claim(bench).isEmpty)
            }
            // 13:00:05, and counted as what is handed over at 13:00.
            bench.wait(50)
            let again = try await claim(bench)
            #expect(again.map(\.id) == [first[1].id] && again.map(\.attempts) == [1])
            #expect(again.map(\.expiresAt) == [InboxBench.start + 3600 + NoticePolicy().pushLifetime])
            // Who wants no push any more gets none of what is tried again either.
            try await bench.deliveries.settle(again[0], again: bench.clock.now + 10)
            try await bench.choose { settings in
                for index in settings.kinds.indices { settings.kinds[index].push = false }
            }
            bench.wait(10)
            #expect(try await claim(bench).isEmpty)
            #expect(try await bench.database.read("SELECT FROM deliveries").isEmpty)
        }
    }
}
