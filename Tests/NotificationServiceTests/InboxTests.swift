import DurableMessaging
import Foundation
import Messaging
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// What events put into people's inboxes, and what people do with it, on a real PostgreSQL.
@Suite struct InboxTests {
    private let maya = InboxBench.maya
    private let ben = InboxBench.ben
    private let kim = InboxBench.kim
    private let spot = InboxBench.spot
    private var subject: Subject { Subject(kind: .spot, id: ID(InboxBench.spot.uuid)) }

    private func summary(_ person: PersonID) -> PersonSummary { PersonSummary(id: person, name: "x") }

    /// Two replicas, or events of two services at once: without waiting for each other, both would say that one is unread, or the later one first.
    @Test func what_is_said_of_an_inbox_is_said_in_order() async throws {
        try await InboxBench.with { bench in
            let (told, isTold) = AsyncStream<Void>.makeStream()
            let (end, mayEnd) = AsyncStream<Void>.makeStream()
            func notice(_ spot: SpotID, to people: [PersonID]) -> [NoticeNews] {
                let raised = NoticeRaised(
                    .spotClaimed, .claim(of: spot), to: .people(people), by: ben, Subject(spot), at: bench.clock.now)
                return [.raised(raised)]
            }
            let (one, other) = (notice(.new(), to: [maya, kim]), notice(.new(), to: [kim, maya]))
            async let first: Void = bench.database.transaction {
                try await bench.book.apply(one, in: $0)
                isTold.finish()
                for await _ in end {}
            }
            for await _ in told {}
            async let second: Void = bench.database.transaction {
                try await bench.book.apply(other, in: $0)
            }
            try await eventually("the second to wait for the first") {
                try await !bench.database.read(
                    """
                    SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                        AND objid = (hashtextextended(current_schema() || '/inbox/' || \(min(maya, kim)), 0) & 4294967295)::oid
                    """
                ).isEmpty
            }
            mayEnd.finish()
            _ = try await (first, second)
            let said: [String] = try await bench.database.read(
                """
                SELECT (header ->> 'aggregate') || ' ' || (payload ->> 'unread') AS said FROM outbox
                WHERE header ->> 'aggregate' LIKE 'inbox/%' ORDER BY id
                """
            ).map { try $0.get("said") }
            #expect(said.filter { $0.hasPrefix("inbox/\(maya)") } == ["inbox/\(maya) 1", "inbox/\(maya) 2"])
            #expect(said.filter { $0.hasPrefix("inbox/\(kim)") } == ["inbox/\(kim) 1", "inbox/\(kim) 2"])
        }
    }

    @Test func each_event_tells_the_right_person_once() async throws {
        try await InboxBench.with { bench in
            try await bench.ask()
            let claim = ClaimChanged(spot: spot, name: "By the library", owner: maya, claimer: ben, change: .made)
            for _ in 0..<3 { try await bench.tell(claim, from: "listings") }
            bench.wait(1)
            let people = [summary(ben), summary(maya)]
            try await bench.tell(FriendshipBegan(people: people))
            let met = EncounterCompleted(
                subject: subject, title: "By the library", people: [maya, ben], completedAt: bench.clock.now)
            for _ in 0..<2 { try await bench.tell(met, from: "listings") }
            bench.wait(1)
            try await bench.tell(ReviewWritten(author: summary(ben), about: maya, subject: subject))
            bench.wait(1)
            let notice = NoticeID.new()
            try await bench.tell(NoticeGiven(person: maya, notice: notice, kind: .hidden, title: "By the library"))

            let mayas = try await bench.notices()
            #expect(mayas.map(\.kind).prefix(3) == [.account, .reviewWritten, .reviewPossible])
            #expect(Set(mayas.map(\.kind).dropFirst(3)) == [.spotClaimed, .friendAsked])
            #expect(mayas[0].actor == nil && mayas[0].about == .hidden && mayas[0].link == "/me")
            #expect(mayas[1].actor?.name == "Ben" && mayas[2].title == "By the library")
            // She answered him: nothing is left to be done about that.
            let asked = try #require(mayas.first { $0.kind == .friendAsked })
            #expect(asked.readAt != nil && asked.link == "/me/friends?of=waiting")
            #expect(try await bench.unread() == 4)
            let bens = try await bench.notices(of: ben)
            // He has reviewed her already.
            #expect(bens.filter { $0.kind == .reviewPossible }.map { $0.readAt != nil } == [true])
            #expect(bens.filter { $0.kind == .friendAccepted }.map(\.actor?.name) == ["Maya Tan"])

            try await bench.tell(NoticeRead(person: maya, notice: notice))
            bench.wait(1)
            let review = Review(
                id: .new(), subject: subject, author: summary(ben), about: maya, rating: 5, text: "Kind.",
                writtenAt: bench.clock.now)
            try await bench.tell(ReviewPublished(review: review))
            try await bench.tell(ReviewReplied(review: review.id, author: ben, about: maya, at: bench.clock.now))
            let released = ClaimChanged(spot: spot, name: "x", owner: maya, claimer: ben, change: .released)
            try await bench.tell(released, from: "listings")
            let unread = try await bench.notices(of: maya, InboxQuery(unread: true))
            #expect(Set(unread.map(\.kind)) == [.spotReleased, .reviewPublished, .reviewPossible])
            let reply = try #require(try await bench.notices(of: ben).first { $0.kind == .reviewReplied })
            #expect(reply.link == "/people/\(maya)/reviews" && reply.actor?.id == maya)
            let dump = try await bench.database.read("SELECT string_agg(t::text, '') AS row FROM notices t")
            let text: String = try dump[0].get("row")
            #expect(!text.contains("Kind."))
        }
    }

    @Test func messages_of_one_room_are_one_notice_that_counts_and_is_told_late() async throws {
        try await InboxBench.with { bench in
            try await bench.write(1)
            try await bench.rounds.tell()
            #expect(try await bench.notices().isEmpty)
            try await bench.write(2)
            bench.wait(5)
            #expect(try await bench.rounds.tell() == 1)
            #expect(try await bench.rounds.tell() == 0)
            let told = try await bench.notices()
            #expect(told.map(\.count) == [2] && told[0].link == "/messages/\(InboxBench.room)")
            #expect(told[0].actor?.name == "Ben" && told[0].title == "By the library")
            bench.wait(60)
            try await bench.write(3)
            try await bench.write(3)
            #expect(try await bench.notices().map(\.count) == [3])
            #expect(try await bench.unread() == 1)
            // Read in part on another device, and then as a whole.
            try await bench.read(2)
            #expect(try await bench.notices().map(\.count) == [1])
            try await bench.read(3)
            #expect(try await bench.unread() == 0)
            let noticed = try await bench.published(Noticed.self)
            #expect(noticed.map(\.event.unread) == [1, 1])
            #expect(noticed.map(\.header.audience) == [.people([maya]), .people([maya])])
            #expect(noticed.map(\.header.concerns) == [[ben], [ben]])
            let read = try await bench.published(NoticesRead.self).map(\.event)
            #expect(read == [NoticesRead(notices: [told[0].id], unread: 0)])
            // The next one begins anew.
            try await bench.write(4)
            #expect(try await bench.notices().isEmpty)
            bench.wait(5)
            try await bench.rounds.tell()
            #expect(try await bench.notices().map(\.count) == [1])
            #expect(try await bench.notices().map(\.id) == [told[0].id])
        }
    }

    @Test func what_is_read_while_it_waits_is_never_told() async throws {
        try await InboxBench.with { bench in
            try await bench.write(1)
            try await bench.read(1)
            bench.wait(60)
            #expect(try await bench.rounds.tell() == 0)
            #expect(try await bench.notices().isEmpty)
            #expect(try await bench.published(Noticed.self).isEmpty)
            #expect(try await bench.published(NoticesRead.self).isEmpty)
        }
    }

    @Test func lists_go_on_where_they_were_and_marks_are_of_oneself_alone() async throws {
        try await InboxBench.with { bench in
            for number in 1...7 {
                let spot = SpotID.new()
                let claim = ClaimChanged(spot: spot, name: "\(number)", owner: maya, claimer: ben, change: .made)
                try await bench.tell(claim, from: "listings")
                if number % 2 == 0 { bench.wait(1) }
            }
            var (all, cursor): ([InboxNotice], String?) = ([], nil)
            repeat {
                let page = try await bench.inbox.notices(
                    InboxQuery(limit: 3, cursor: cursor), for: Caller(person: maya))
                all += page.items
                cursor = page.next
            } while cursor != nil
            #expect(all.count == 7 && Set(all.map(\.id)).count == 7)
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.at >= $1.at })
            let id = UUID.version7()
            let ids = InboxMark(ids: [all[0].id, .new()])
            for _ in 0..<2 {
                let left = try await bench.inbox.markRead(ids, bench.context(id: id))
                #expect(left == InboxCount(unread: 6, unseen: 6))
            }
            #expect(try await bench.inbox.markRead(ids, bench.context(ben)) == InboxCount(unread: 0, unseen: 0))
            let seen = try await bench.inbox.markSeen(InboxMark(upTo: all[3].id), bench.context())
            #expect(seen == InboxCount(unread: 6, unseen: 2))
            let left = try await bench.inbox.markRead(InboxMark(upTo: all[4].id), bench.context())
            #expect(left.unread == 3)
            let unread = try await bench.notices(of: maya, InboxQuery(unread: true))
            #expect(unread.map(\.id) == all[1...3].map(\.id))
            for query in [InboxQuery(limit: 0), InboxQuery(limit: 101), InboxQuery(cursor: "x")] {
                await #expect(throws: ServiceError.self) { try await bench.notices(of: maya, query) }
            }
            await #expect(throws: ServiceError.self) {
                try await bench.inbox.notices(InboxQuery(), for: .anonymous)
            }
        }
    }

    @Test func names_follow_people_and_who_is_apart_or_suspended_is_not_heard_of() async throws {
        try await InboxBench.with { bench in
            try await bench.ask()
            try await bench.ask(kim)
            try await bench.tell(PersonChanged(person: PersonSummary(id: ben, name: "Benno")))
            #expect(Set(try await bench.notices().map(\.actor?.name)) == ["Benno", "Kim"])
            try await bench.tell(PeopleBlocked(pair: BlockedPair(maya, ben)))
            #expect(try await bench.notices().map(\.actor?.name) == ["Kim"])
            #expect(try await bench.unread() == 1)
            // Nothing is written meanwhile, either.
            let claim = ClaimChanged(spot: spot, name: "x", owner: maya, claimer: ben, change: .made)
            try await bench.tell(claim, from: "listings")
            #expect(try await bench.database.read("SELECT FROM notices WHERE kind = 'spotClaimed'").isEmpty)
            let suspension = Suspension(since: bench.clock.now, until: bench.clock.now + 600, reason: "x")
            try await bench.tell(PersonSuspended(person: kim, suspension: suspension))
            #expect(try await bench.notices().isEmpty)
            bench.wait(601)
            try await bench.tell(PeopleUnblocked(pair: BlockedPair(maya, ben)))
            #expect(try await bench.notices().count == 2)
        }
    }

    @Test func an_erasure_leaves_nothing_of_the_person_and_nothing_comes_late() async throws {
        try await InboxBench.with { bench in
            try await bench.ask()
            try await bench.ask(maya, of: kim)
            try await bench.choose { $0.mail = .daily }
            try await bench.choose { $0.kinds[0].push = false }
            try await bench.inbox.noteSeen(Caller(person: maya))
            try await bench.tell(PersonErased(erasure: .new(), person: maya))
            try await bench.ask(kim, of: maya)
            try await bench.write(1)
            try await bench.write(2, to: kim, by: maya)
            try await bench.inbox.noteSeen(Caller(person: maya))
            await #expect(throws: ServiceError.self) { try await bench.choose { $0.mail = .never } }
            for table in ["notices", "notice_settings", "notice_choices", "presence"] {
                let rows = try await bench.database.read("SELECT t::text AS row FROM \(unescaped: table) t")
                let text = try rows.map { try $0.get("row", as: String.self) }.joined()
                #expect(!text.contains(maya.description), "\(table): \(text)")
            }
            let done = try await bench.published(PersonalDataErased.self).map(\.event)
            #expect(done.first?.records == [ErasedRecords(.notices, 1)])
        }
    }

    @Test func the_archive_has_what_was_told_and_what_is_wanted() async throws {
        try await InboxBench.with { bench in
            try await bench.ask()
            try await bench.choose { $0.digestHour = 7 }
            let sections = PersonalSections(bench.inbox.ownRecords)
            var (records, cursor): ([PersonalRecord], String?) = ([], nil)
            repeat {
                let page = try await sections.page(PersonalDataQuery(person: maya, cursor: cursor))
                records += page.items
                cursor = page.next
            } while cursor != nil
            #expect(records.map(\.kind) == ["notifications", "notification-settings"])
            #expect(records[0].json.contains("friendAsked") && records[1].json.contains("\"digestHour\":7"))
            #expect(try await sections.page(PersonalDataQuery(person: kim)).items.isEmpty)
        }
    }

    @Test func ten_thousand_people_are_told_of_one_thing_once_by_few_events() async throws {
        try await InboxBench.with { bench in
            let people = (0..<10_000).map { _ in PersonID.new() }
            let notice = NoticeRaised(
                .spotReleased, .release(of: spot), to: .people(people + people + [ben]), by: ben, Subject(spot),
                title: "x", at: bench.clock.now)
            try await bench.database.transaction { transaction in
                try await bench.book.apply([.raised(notice)], in: transaction)
            }
            let count = try await bench.database.read("SELECT count(*) AS count FROM notices")[0]
            #expect(try count.get("count", as: Int.self) == 10_000)
            let told = try await bench.published(Noticed.self)
            // The one who did it is nobody to be told: so there is a sixth statement, for one person.
            #expect(told.count == 21)
            #expect(told.allSatisfy { $0.event == Noticed(kind: .spotReleased, notice: nil, unread: nil) })
        }
    }

    @Test func what_is_old_goes() async throws {
        try await InboxBench.with { bench in
            try await bench.ask()
            try await bench.inbox.noteSeen(Caller(person: maya))
            bench.wait(89 * 86_400)
            try await bench.rounds.sweep()
            #expect(try await bench.notices().count == 1)
            bench.wait(2 * 86_400)
            #expect(try await bench.rounds.sweep() == 1)
            #expect(try await bench.notices().isEmpty)
            #expect(try await bench.database.read("SELECT FROM presence").isEmpty)
        }
    }
}
