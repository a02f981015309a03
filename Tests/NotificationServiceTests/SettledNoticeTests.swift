import DurableMessaging
import Foundation
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// What needs no telling any more, by what has come of it.
@Suite struct SettledNoticeTests {
    private let maya = InboxBench.maya
    private let ben = InboxBench.ben
    private let kim = InboxBench.kim
    private let spot = InboxBench.spot

    @Test func a_question_that_was_declined_or_taken_back_is_told_no_more() async throws {
        try await InboxBench.with { bench in
            try await bench.ask()
            try await bench.ask(kim)
            #expect(try await bench.unread() == 2)
            try await bench.tell(FriendQuestionEnded(asker: ben, asked: maya))
            let unread = try await bench.notices(of: maya, InboxQuery(unread: true))
            #expect(unread.map(\.actor?.id) == [kim])
            #expect(try await bench.notices(of: ben).isEmpty, "whoever asked hears nothing of it")
            let read = try await bench.published(NoticesRead.self)
            #expect(read.map(\.event.unread) == [1] && read.map(\.header.audience) == [.people([maya])])
            try await bench.tell(FriendQuestionEnded(asker: kim, asked: maya))
            bench.wait(601)
            #expect(try await bench.mails().isEmpty)
            // Who asks again is heard again.
            try await bench.ask()
            #expect(try await bench.unread() == 1)
        }
    }

    @Test func of_a_spot_the_latest_is_told() async throws {
        try await InboxBench.with { bench in
            func tell(_ change: ClaimChanged.Change, _ spot: SpotID, by claimer: PersonID) async throws {
                bench.wait(1)
                let claim = ClaimChanged(spot: spot, name: "x", owner: maya, claimer: claimer, change: change)
                try await bench.tell(claim, from: "listings")
            }
            let other = SpotID.new()
            try await tell(.made, other, by: ben)
            try await tell(.released, other, by: ben)
            try await tell(.made, spot, by: ben)
            try await tell(.released, spot, by: ben)
            try await tell(.made, spot, by: kim)
            let unread = try await bench.notices(of: maya, InboxQuery(unread: true))
            #expect(unread.map(\.kind) == [.spotClaimed, .spotReleased])
            #expect(unread.map(\.subject) == [Subject(spot), Subject(other)])
            try await tell(.released, spot, by: kim)
            let last = try await bench.notices(of: maya, InboxQuery(unread: true))
            #expect(last.map(\.kind) == [.spotReleased, .spotReleased] && last.first?.actor?.id == kim)
        }
    }
}
