import DurableMessaging
import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// What moderators are told of an agreement about which its two, Ben and Maya, disagree.
extension RentalNoticeTests {
    private func appoint(_ bench: InboxBench, _ people: PersonID...) async throws {
        for person in people { try await bench.tell(RolesChanged(person: person, roles: [.moderator])) }
    }

    /// How often it was said on live streams, and on whose.
    private func live(_ bench: InboxBench) async throws -> [Audience] {
        try await bench.published(Noticed.self).filter { $0.event.kind == .rentalDisputed }.map(\.header.audience)
    }

    @Test func a_dispute_is_told_once_to_each_moderator_who_is_none_of_the_two() async throws {
        try await InboxBench.with { bench in
            try await appoint(bench, kim, ben)
            // However apart she is from them: she has to settle it.
            try await bench.tell(PeopleBlocked(pair: BlockedPair(kim, maya)))
            try await change(bench, .handedOver, by: maya)
            #expect(try await bench.notices(of: kim).isEmpty)
            try await change(bench, .disputed, by: maya)
            let told = try #require(try await bench.notices(of: kim).first)
            #expect(told.kind == .rentalDisputed && told.rental == .disputed && told.title == "Blue van")
            #expect(told.actor == nil && told.subject == Subject(Self.rental) && told.link == "/rentals/\(Self.rental)")
            #expect(try await unread(bench, ben) == ["rentalChanged.disputed"], "he moderates, and is one of the two")
            #expect(try await unread(bench, maya).isEmpty)
            #expect(try await live(bench) == [.people([kim])])

            // What the two add to it, and whatever comes again, also once she has read it.
            try await change(bench, .disputed, by: ben)
            #expect(try await bench.notices(of: kim) == [told])
            _ = try await bench.inbox.markRead(InboxMark(about: Subject(Self.rental)), bench.context(kim))
            for person in [maya, ben] { try await change(bench, .disputed, by: person) }
            #expect(try await bench.notices(of: kim).count == 1)
            #expect(try await bench.unread(of: kim) == 0)
            #expect(try await live(bench) == [.people([kim])])
        }
    }

    @Test func a_dispute_that_is_settled_waits_for_no_moderator() async throws {
        try await InboxBench.with { bench in
            let olga = PersonID.new()
            try await appoint(bench, kim, olga)
            try await change(bench, .disputed, by: ben)
            for person in [kim, olga] { #expect(try await unread(bench, person) == ["rentalDisputed.disputed"]) }
            try await change(bench, .settled, by: olga)
            for person in [kim, olga] { #expect(try await bench.unread(of: person) == 0) }
            let read = try await bench.published(NoticesRead.self).map(\.header.audience)
            #expect(read.filter { $0 == .people([kim]) }.count == 1 && read.contains(.people([olga])))
            bench.wait(601)
            #expect(Set(try await bench.mails().map(\.recipient.text)) == ["ben@example.org", "maya.tan@example.org"])
            // As of listings that was restored: told anew from the dispute on.
            for state in [RentalState.disputed, .settled, .disputed] {
                try await change(bench, state, by: ben)
                #expect(try await bench.unread(of: kim) == 0)
            }
            #expect(try await live(bench).count == 2)
        }
    }

    @Test func moderators_hear_of_it_by_mail_and_on_devices_as_they_have_chosen() async throws {
        try await InboxBench.with(devices: .some(of: InboxBench.kim)) { bench in
            func deliveries() async throws -> [InboxNoticeKind] {
                bench.wait(5)
                try await bench.rounds.push()
                let now = bench.clock.now
                return try await bench.deliveries.claimDeliveries(
                    atMost: 10, besides: [], now: now, lease: now + 3600
                ).map(\.notice.kind)
            }
            try await appoint(bench, kim)
            try await change(bench, .disputed, by: ben)
            #expect(try await deliveries() == [.rentalDisputed])
            bench.wait(601)
            let mails = try await bench.mails()
            let mail = try #require(mails.first { $0.recipient.text == "kim@example.org" })
            #expect(mail.subject == "A dispute at Testholm & <Sons> waits for a moderator")
            #expect(!mail.text.contains("Blue van") && mail.text.contains("to=/rentals/\(Self.rental)\n"))

            try await bench.choose(kim) { $0.kinds = [NoticeChoice(kind: .rentalDisputed, mail: false, push: false)] }
            var other = news(.disputed, by: ben)
            other.id = .new()
            try await bench.tell(RentalChanged(rental: other), from: "listings")
            #expect(try await deliveries().isEmpty)
            bench.wait(601)
            #expect(try await bench.mails().allSatisfy { $0.recipient.text != "kim@example.org" })
            #expect(try await bench.unread(of: kim) == 2, "it stands in her inbox")
        }
    }

    @Test func whoever_moderates_no_more_is_told_no_more() async throws {
        try await InboxBench.with { bench in
            let olga = PersonID.new()
            try await appoint(bench, kim)
            try await change(bench, .disputed, by: ben)
            try await bench.tell(RolesChanged(person: kim, roles: [.operator]))
            #expect(try await bench.unread(of: kim) == 0)
            // Who moderates by now hears of it with what is new in it.
            try await appoint(bench, olga)
            try await change(bench, .disputed, by: maya)
            #expect(try await bench.unread(of: olga) == 1)
            #expect(try await bench.unread(of: kim) == 0)

            try await bench.tell(PersonErased(erasure: .new(), person: olga))
            try await change(bench, .disputed, by: ben)
            for table in ["notices", "moderators"] {
                let rows = try await bench.database.read("SELECT FROM \(unescaped: table) WHERE person = \(olga)")
                #expect(rows.isEmpty, "\(table)")
            }
        }
    }
}
