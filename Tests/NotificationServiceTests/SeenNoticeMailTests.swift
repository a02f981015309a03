import DurableMessaging
import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// Mails of what was seen elsewhere, and of what comes again and again.
@Suite struct SeenNoticeMailTests {
    private func told(_ bench: InboxBench) async throws {
        bench.wait(5)
        try await bench.rounds.tell()
    }

    @Test func nothing_is_mailed_that_was_seen_meanwhile_until_there_is_something_new() async throws {
        try await InboxBench.with { bench in
            func see() async throws {
                let newest = try #require(try await bench.notices().first)
                let left = try await bench.inbox.markSeen(InboxMark(upTo: newest.id), bench.context())
                #expect(left == InboxCount(unread: 1, unseen: 0))
            }
            try await bench.write(1)
            try await told(bench)
            try await see()
            bench.wait(700)
            #expect(try await bench.mails().isEmpty)
            // What comes on top was not seen, and tells of both, since neither was read.
            try await bench.write(2)
            bench.wait(599)
            #expect(try await bench.mails().isEmpty)
            bench.wait(2)
            let mails = try await bench.mails()
            #expect(mails.count == 1 && mails[0].text.contains("@ben has written to you (2 messages)."))
            // Seen when the mail is written and waits for its delivery.
            try await see()
            try await bench.write(3)
            bench.wait(601)
            #expect(try await bench.mailer.round() == 1)
            #expect(try await bench.database.read("SELECT FROM mails WHERE state = 'waiting'").count == 1)
            try await see()
            #expect(try await bench.mails().isEmpty)
            // Seen while the mail is being written.
            try await bench.write(4)
            bench.wait(601)
            _ = try await bench.database.query("UPDATE notices SET seen_at = \(bench.clock.now)")
            #expect(try await bench.mails().isEmpty)
            #expect(try await bench.database.read("SELECT FROM notices WHERE mail_at IS NOT NULL").isEmpty)
        }
    }

    @Test func who_is_written_to_again_and_again_is_mailed_ten_minutes_after_the_first() async throws {
        try await InboxBench.with { bench in
            try await bench.write(1)
            try await told(bench)
            bench.wait(535)
            try await bench.write(2)
            bench.wait(59)
            #expect(try await bench.mails().isEmpty)
            bench.wait(2)
            let mails = try await bench.mails()
            #expect(mails.count == 1 && mails[0].text.contains("(2 messages)"))
            // Neither are they mailed again before those were seen.
            try await bench.write(3)
            bench.wait(601)
            #expect(try await bench.mails().isEmpty)
        }
    }
}
