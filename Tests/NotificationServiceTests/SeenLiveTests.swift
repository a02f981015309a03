import DurableMessaging
import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// What stood before somebody's eyes on a page: nothing outside of the pages tells of it, but of what came since.
@Suite struct SeenLiveTests {
    private func with(_ body: (InboxBench) async throws -> Void) async throws {
        try await InboxBench.with(devices: .some(of: InboxBench.maya), body)
    }

    /// As a page does when it has shown something.
    private func look(at shown: InboxNotice, _ bench: InboxBench) async throws -> InboxCount {
        try await bench.inbox.markSeen(InboxMark(ids: [shown.id], asOf: shown.at), bench.context())
    }

    private func rung(_ bench: InboxBench) async throws -> [Int] {
        try await bench.rounds.push()
        let now = bench.clock.now
        let taken = try await bench.deliveries.claimDeliveries(
            atMost: 10, besides: [], now: now, lease: now + 60)
        for delivery in taken { try await bench.deliveries.settle(delivery, again: nil) }
        return taken.map(\.notice.count)
    }

    @Test func what_was_shown_to_somebody_rings_and_is_mailed_nowhere() async throws {
        try await with { bench in
            try await bench.inbox.noteSeen(Caller(person: InboxBench.maya))
            try await bench.ask()
            let shown = try #require(try await bench.notices().first)
            bench.wait(8)
            #expect(try await look(at: shown, bench) == InboxCount(unread: 1, unseen: 0))
            bench.wait(90)
            #expect(try await rung(bench).isEmpty)
            bench.wait(600)
            #expect(try await bench.mails().isEmpty)
        }
    }

    @Test func what_came_while_the_page_said_so_is_told() async throws {
        try await with { bench in
            try await bench.write(1)
            bench.wait(5)
            try await bench.rounds.tell()
            try await bench.inbox.noteSeen(Caller(person: InboxBench.maya))
            let shown = try #require(try await bench.notices().first)
            try await bench.write(2)
            // For so long the page could not say it.
            bench.wait(60)
            #expect(try await look(at: shown, bench) == InboxCount(unread: 1, unseen: 1))
            bench.wait(30)
            #expect(try await rung(bench) == [2])
            let newer = try #require(try await bench.notices().first)
            #expect(try await look(at: newer, bench) == InboxCount(unread: 1, unseen: 0))
            bench.wait(600)
            #expect(try await bench.mails().isEmpty)
        }
    }

    @Test func moments_are_those_that_are_written_to_the_millisecond() async throws {
        try await with { bench in
            bench.clock.advance(by: .microseconds(123_456))
            try await bench.ask()
            let shown = try #require(try await bench.notices().first)
            let asked: InboxNotice = try WireJSON.decode(from: try WireJSON.encode(shown))
            #expect(try await look(at: asked, bench).unseen == 0)
        }
    }
}
