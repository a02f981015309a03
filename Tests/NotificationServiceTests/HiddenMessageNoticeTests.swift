import Foundation
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// What moderators hide is told no more.
@Suite struct HiddenMessageNoticeTests {
    private func hide(_ bench: InboxBench, _ number: Int, _ hidden: Bool = true, by author: PersonID = InboxBench.ben)
        async throws
    {
        try await bench.tell(
            MessageHidden(room: InboxBench.room, id: .new(), number: number, hidden: hidden, by: author), from: "chat")
    }

    @Test func it_is_counted_no_more_and_where_it_was_all_nothing_is_told() async throws {
        try await InboxBench.with { bench in
            for number in 1...3 { try await bench.write(number) }
            bench.wait(5)
            try await bench.rounds.tell()
            #expect(try await bench.notices().first?.count == 3)
            // Her own, one that was there before, and one that is not there.
            try await hide(bench, 2, by: InboxBench.maya)
            try await hide(bench, 4)
            #expect(try await bench.notices().first?.count == 3)
            try await hide(bench, 2)
            try await hide(bench, 3)
            #expect(try await bench.notices().first?.count == 1)
            try await hide(bench, 3, false)
            #expect(try await bench.notices().first?.count == 2)
            try await hide(bench, 1)
            try await hide(bench, 3)
            #expect(try await bench.unread() == 0)
            bench.wait(700)
            #expect(try await bench.mails().isEmpty)
        }
    }

    @Test func a_mail_of_it_is_not_sent() async throws {
        try await InboxBench.with { bench in
            try await bench.write(1)
            try await hide(bench, 1)
            bench.wait(5)
            try await bench.rounds.tell()
            #expect(try await bench.unread() == 0)
            bench.wait(700)
            #expect(try await bench.mails().isEmpty)
            // What comes then is told.
            try await bench.write(2)
            bench.wait(5)
            try await bench.rounds.tell()
            #expect(try await bench.notices().first?.count == 1)
        }
    }
}
