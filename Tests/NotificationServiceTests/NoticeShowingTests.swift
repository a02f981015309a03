import DurableMessaging
import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// Showing what waited, with others at the same inboxes.
@Suite struct NoticeShowingTests {
    private let maya = InboxBench.maya
    private let kim = InboxBench.kim

    /// Else whoever reads what is about to be shown would wait for its row, and who shows it for the inbox.
    @Test func whoever_shows_holds_the_inbox_before_its_rows() async throws {
        try await InboxBench.with { bench in
            try await bench.write(1)
            bench.wait(5)
            let (held, isHeld) = AsyncStream<Void>.makeStream()
            let (end, mayRead) = AsyncStream<Void>.makeStream()
            async let free: Int = bench.database.transaction { transaction in
                _ = try await transaction.query(PostgresNoticeBook.holding([maya]))
                isHeld.finish()
                for await _ in end {}
                let rows = try await transaction.query("SELECT id FROM notices FOR UPDATE SKIP LOCKED")
                try await bench.book.read(where: "person = \(maya)", of: maya, in: transaction)
                return rows.count
            }
            for await _ in held {}
            async let shown = bench.rounds.tell()
            try await eventually("who shows to wait for the inbox") {
                try await !bench.database.read(
                    """
                    SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                        AND objid = (hashtextextended(current_schema() || '/inbox/' || \(maya), 0) & 4294967295)::oid
                    """
                ).isEmpty
            }
            // Another replica does not wait for the first.
            #expect(try await bench.rounds.tell() == 0)
            mayRead.finish()
            let (rows, told) = try await (free, shown)
            #expect(rows == 1 && told == 0)
            #expect(try await bench.published(Noticed.self).isEmpty)
        }
    }

    @Test func replicas_show_each_thing_once() async throws {
        try await InboxBench.with { bench in
            for number in 0..<40 {
                try await bench.write(1, in: .new(), to: number.isMultiple(of: 2) ? maya : kim)
            }
            bench.wait(5)
            var rounds = bench.rounds
            rounds.batch = 7
            try await withThrowingTaskGroup(of: Int.self) { [rounds] group in
                for _ in 0..<3 {
                    group.addTask {
                        var told = 0
                        while try await !bench.database.read("SELECT FROM notices WHERE NOT told LIMIT 1").isEmpty {
                            told += try await rounds.tell()
                        }
                        return told
                    }
                }
                var told = 0
                for try await some in group { told += some }
                #expect(told == 40)
            }
            let said = try await bench.published(Noticed.self).map(\.event.notice)
            #expect(said.count == 40 && Set(said).count == 40)
        }
    }
}
