import DurableMessaging
import FoundationEssentials
import Messaging
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// What matching is told of whether somebody looks at what their searches find. Ben shares, Maya looks for it.
@Suite struct UnseenNoticeTests {
    private let maya = InboxBench.maya
    private let ben = InboxBench.ben
    private let kim = InboxBench.kim

    /// So many things are told to Maya and Kim.
    private func tell(_ count: Int, _ bench: InboxBench) async throws -> [Subject] {
        var subjects: [Subject] = []
        for _ in 0..<count {
            bench.wait(1)
            let thing = Searchable(
                Subject(ThingID.new()), of: ben, title: "Blue van", keys: [], isForOne: false, thing: .car)
            let notice = try #require(thing.raised(to: [maya, kim], at: bench.clock.now))
            try await bench.tell(notice, from: "matching")
            subjects.append(thing.subject)
        }
        return subjects
    }

    private func unseen(
        _ subjects: [Subject], of person: PersonID = InboxBench.maya, _ bench: InboxBench
    ) async throws -> Set<NoticeKey> {
        let keys = subjects.map { NoticeKey.found($0) }
        return Set(try await bench.inbox.unseen(UnseenQuery(of: person, keys)).keys)
    }

    private func keys(_ subjects: Subject...) -> Set<NoticeKey> { Set(subjects.map { NoticeKey.found($0) }) }

    @Test func those_are_said_that_stand_there_and_were_neither_seen_nor_read() async throws {
        try await InboxBench.with { bench in
            let subjects = try await tell(4, bench)
            #expect(try await unseen(subjects, bench).count == 4)
            #expect(try await unseen([], bench).isEmpty)
            // One is read where it is, one in the inbox, one was in a list.
            _ = try await bench.inbox.markRead(InboxMark(about: subjects[0]), bench.context())
            let notices = try await bench.notices()
            let read = try #require(notices.first { $0.subject == subjects[1] })
            _ = try await bench.inbox.markRead(InboxMark(ids: [read.id]), bench.context())
            let seen = try #require(notices.first { $0.subject == subjects[2] })
            _ = try await bench.inbox.markSeen(InboxMark(ids: [seen.id]), bench.context())
            #expect(try await unseen(subjects, bench) == keys(subjects[3]))
            #expect(try await unseen(subjects, of: kim, bench).count == 4, "of each person by themselves")
            #expect(try await unseen(subjects, of: ben, bench).isEmpty)
        }
    }

    @Test func what_is_not_in_the_inbox_is_not_said() async throws {
        try await InboxBench.with { bench in
            let subjects = try await tell(2, bench)
            let strange = Subject(ThingID.new())
            #expect(try await unseen([strange, subjects[1]], bench) == keys(subjects[1]))
            // It is gone, and its notice was taken back.
            try await bench.tell(NoticeSettled([.found(subjects[0])], for: .people([maya])), from: "matching")
            #expect(try await unseen(subjects, bench) == keys(subjects[1]))
            // They do not see it.
            try await bench.tell(PeopleBlocked(pair: BlockedPair(maya, ben)))
            #expect(try await unseen(subjects, bench).isEmpty)
            #expect(try await unseen(subjects, of: kim, bench).count == 2)
        }
    }

    @Test func no_more_is_asked_at_once_than_is_agreed() async throws {
        try await InboxBench.with { bench in
            let many = (0...UnseenQuery.largest).map { _ in Subject(SpotID.new()) }
            let error = await #expect(throws: ServiceError.self) { try await unseen(many, bench) }
            #expect(error?.code == .invalid && error?.errors.map(\.code) == ["too_many"])
            let rest = try await unseen(Array(many.dropFirst()), bench)
            #expect(rest.isEmpty)
        }
    }
}
