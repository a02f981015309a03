import DurableMessaging
import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// Events and rows from before services said themselves what people are told.
@Suite struct EarlierEventTests {
    private let maya = InboxBench.maya
    private let ben = InboxBench.ben
    private let spot = InboxBench.spot

    private func claim(_ change: ClaimChanged.Change) -> ClaimChanged {
        ClaimChanged(spot: spot, name: "By the library", owner: maya, claimer: ben, change: change)
    }

    @Test func what_waited_in_an_outbox_is_told_as_ever() async throws {
        try await InboxBench.with { bench in
            try await bench.tellAlone(claim(.made), from: "listings")
            #expect(try await bench.notices().map(\.kind) == [.spotClaimed])
            bench.wait(1)
            // The next one is of the newer service.
            try await bench.tell(claim(.released), from: "listings")
            #expect(try await bench.notices(of: maya, InboxQuery(unread: true)).map(\.kind) == [.spotReleased])
            #expect(try await bench.published(Noticed.self).count == 2)
        }
    }

    @Test func what_was_said_by_both_is_told_once() async throws {
        try await InboxBench.with { bench in
            try await bench.tellAlone(claim(.made), from: "listings")
            try await bench.tell(claim(.made), from: "listings")
            #expect(try await bench.unread() == 1)
            #expect(try await bench.published(Noticed.self).count == 1)
            for number in 1...2 {
                try await bench.write(number)
                try await bench.write(number)
            }
            bench.wait(5)
            try await bench.rounds.tell()
            let told = try await bench.notices()
            #expect(told.first { $0.kind == .message }?.count == 2)
        }
    }

    @Test func an_event_that_is_told_of_beside_it_tells_nobody_by_itself() async throws {
        try await InboxBench.with { bench in
            try await bench.tellMarked(claim(.made), from: "listings")
            #expect(try await bench.notices().isEmpty)
        }
    }

    /// The column of each kind becomes one.
    @Test func rows_keep_what_they_tell_of() async throws {
        try await TestDatabase.with { test in
            let database = Database(
                pool: test.pool, service: "notification", digestKey: Array("a secret of this test".utf8),
                logger: .quiet)
            let index = try #require(NotificationSchema.migrations.firstIndex { $0.number == 21 })
            try await database.migrate(Array(NotificationSchema.migrations.prefix(index)))
            for (kind, rental, due, about) in [
                ("account", nil, nil, "hidden"), ("rentalChanged", "settled", nil, nil),
                ("rentalDue", "accepted", "beginning", nil), ("message", nil, nil, nil),
            ] as [(String, String?, String?, String?)] {
                _ = try await database.query(
                    """
                    INSERT INTO notices (id, person, kind, key, subject_kind, subject_id, rental, due, about, count, latest,
                        happened_at, shown_at, told)
                    VALUES (gen_random_uuid(), \(maya), \(kind), \(kind), 'rental', gen_random_uuid(), \(rental), \(due),
                        \(about), 1, 1, now(), now(), true)
                    """)
            }
            try await database.migrate(NotificationSchema.migrations)
            let rows = try await database.read("SELECT \(InboxSQL.columns) FROM notices ORDER BY kind")
                .map { try KeptInboxNotice($0, .all).notice }
            #expect(rows.map(\.variant) == ["hidden", nil, "settled", "beginning"])
            #expect(rows[0].about == .hidden && rows[2].rental == .settled)
            #expect(rows[3].due == .beginning && rows[3].rental == .accepted)
        }
    }
}
