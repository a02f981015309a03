import DurableMessaging
import FoundationEssentials
import Logging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ChatService

/// Moderators suspend Tom while chats of his are open.
@Suite struct SuspensionNewsTests {
    private func watch(_ chat: Chat, rooms: Int = ChatLimits.roomsTold) -> SuspensionNews {
        var news = SuspensionNews(store: chat.store, logger: .quiet)
        news.rooms = rooms
        return news
    }

    private func suspend(_ person: PersonID = tom, until: Date?, on chat: Chat) async throws {
        try await chat.tell(
            PersonSuspended(person: person, suspension: Suspension(since: noon, until: until, reason: "Threats.")))
    }

    /// What is told by that, in order.
    private func told(_ chat: Chat, by body: () async throws -> Void) async throws -> [Chat.Published] {
        let before = try await chat.events(of: "roomChanged").count
        try await body()
        return Array(try await chat.events(of: "roomChanged").dropFirst(before))
    }

    /// Tom's room with Maya about a spot of hers that nobody else has asked for.
    private func another(_ chat: Chat, _ title: String = "Level 3") async throws -> RoomID {
        let subject = Subject(kind: .spot, id: .new())
        chat.listings.say(facts(title), of: subject)
        return try await chat.opened(about: subject).id
    }

    @Test func both_hear_that_they_cannot_write_and_that_they_can_again() async throws {
        try await Chat.with { chat in
            let (id, news) = (try await chat.opened().id, watch(chat))
            try await chat.write(in: id)
            _ = try await another(chat)
            #expect(try await told(chat) { _ = try await news.round() }.isEmpty)

            try await suspend(until: nil, on: chat)
            let first = try await told(chat) { _ = try await news.round() }
            // Of what Tom has not written in yet, Maya knows nothing.
            #expect(first.count == 2)
            #expect(Set(first.map(\.header.audience)) == [.people([maya, tom]), .people([tom])])
            // Nobody who is apart from Tom hears of him, and nobody hears why.
            #expect(first.allSatisfy { $0.header.concerns == [tom] })
            #expect(first.allSatisfy { $0.decoded(as: RoomChanged.self)?.state == .open })
            for one in [tom, maya] {
                let seen = try await chat.room(id, of: one)
                #expect(!seen.writable && seen.state == .open)
            }
            #expect(try await told(chat) { _ = try await news.round() }.isEmpty)

            try await chat.tell(PersonReinstated(person: tom))
            let second = try await told(chat) { _ = try await news.round() }
            #expect(Set(second.map(\.header.aggregate)) == Set(first.map(\.header.aggregate)) && second.count == 2)
            for one in [tom, maya] { #expect(try await chat.room(id, of: one).writable) }
            #expect(try await told(chat) { _ = try await news.round() }.isEmpty)
        }
    }

    @Test func what_ends_by_its_time_is_told_once_it_is_over_by_every_clock() async throws {
        try await Chat.with { chat in
            let (id, news) = (try await chat.opened().id, watch(chat))
            try await chat.write(in: id)
            try await suspend(until: after(60), on: chat)
            #expect(try await told(chat) { _ = try await news.round() }.count == 1)
            chat.clock.advance(by: .seconds(3605))
            #expect(try await chat.room(id, of: maya).writable)
            #expect(try await told(chat) { _ = try await news.round() }.isEmpty)
            chat.clock.advance(by: .seconds(10))
            #expect(try await told(chat) { _ = try await news.round() }.count == 1)
            #expect(try await told(chat) { _ = try await news.round() }.isEmpty)
        }
    }

    /// Who has looked between the two has a page in which one can write.
    @Test func another_suspension_right_after_one_is_told() async throws {
        try await Chat.with { chat in
            let news = watch(chat)
            try await chat.write(in: try await chat.opened().id)
            try await suspend(until: after(60), on: chat)
            _ = try await news.round()
            chat.clock.advance(by: .seconds(3605))
            try await suspend(until: after(600), on: chat)
            #expect(try await told(chat) { _ = try await news.round() }.count == 1)
        }
    }

    @Test func replicas_tell_it_once() async throws {
        try await Chat.with { chat in
            let news = watch(chat)
            try await chat.write(in: try await chat.opened().id)
            for isSuspended in [true, false] {
                if isSuspended {
                    try await suspend(until: nil, on: chat)
                } else {
                    try await chat.tell(PersonReinstated(person: tom))
                }
                let events = try await told(chat) {
                    let rounds = await atOnce(Array(0..<6)) { _ in try await news.round() }
                    #expect(rounds.allSatisfy { $0.isSuccess })
                }
                #expect(events.count == 1)
            }
        }
    }

    @Test func of_many_rooms_the_newest_are_told_wherever_they_are_put_and_none_that_is_closed() async throws {
        try await Chat.with { chat in
            var rooms: [RoomID] = []
            for number in 0..<5 {
                chat.clock.advance(by: .seconds(60))
                rooms.append(try await another(chat, "Spot \(number)"))
                try await chat.write(in: rooms[number])
            }
            chat.clock.advance(by: .seconds(60))
            try await chat.write(in: rooms[0])
            try await chat.chat.archive(true, rooms[4], .from(tom))
            let closed = try await chat.opened().id
            try await chat.write(in: closed)
            // Tom has not read it, so it stays in his inbox.
            try await chat.write(by: maya, in: closed)
            try await chat.tell(facts(isOpen: false))
            try await suspend(until: nil, on: chat)
            let events = try await told(chat) { _ = try await watch(chat, rooms: 3).round() }
            let expected = [rooms[0], rooms[3], rooms[4]]
            #expect(Set(events.compactMap { $0.decoded(as: RoomChanged.self)?.room }) == Set(expected))
            #expect(events.count == 3)
        }
    }

    /// Thousands of rooms cost no more than those that are told.
    @Test func somebody_with_thousands_of_rooms_has_the_newest_told_by_an_index() async throws {
        try await Chat.with { chat in
            let id = try await chat.opened().id
            try await chat.write(in: id)
            _ = try await chat.database.query(
                """
                INSERT INTO rooms (id, subject_kind, subject_id, first_member, second_member, title, owner, state, opened_by,
                    created_at, changed_at, last)
                SELECT gen_random_uuid(), subject_kind, gen_random_uuid(), first_member, second_member, title, owner, state,
                    opened_by, created_at, changed_at + n * interval '1 second', last
                FROM rooms, generate_series(1, 3000) AS n
                """)
            _ = try await chat.database.query(
                """
                INSERT INTO members (room, person, delivered, read, written, unread, archived, listed, closed, last, changed_at)
                SELECT rooms.id, person, delivered, read, written, unread, archived, listed, closed, members.last,
                    rooms.changed_at
                FROM rooms, members WHERE members.room = \(id) AND rooms.id <> \(id)
                """)
            _ = try await chat.database.query("ANALYZE rooms, members")
            let statement = RoomTransaction.newestOpenRooms(of: tom, atMost: ChatLimits.roomsTold)
            let plan = try await chat.database.query("EXPLAIN " + statement)
                .map { try $0.get("QUERY PLAN", as: String.self) }.joined(separator: "\n")
            #expect(plan.contains("members_newest") && !plan.contains("Seq Scan"), "\(plan)")

            try await suspend(until: nil, on: chat)
            let events = try await told(chat) { _ = try await watch(chat).round() }
            let newest = try await chat.database.query("SELECT id FROM rooms ORDER BY changed_at DESC LIMIT 200")
            let expected = Set(try newest.map { try $0.get("id", as: RoomID.self) })
            #expect(events.count == 200)
            #expect(Set(events.compactMap { $0.decoded(as: RoomChanged.self)?.room }) == expected)
        }
    }

    @Test func whoever_erases_themselves_is_forgotten_here_as_well() async throws {
        try await Chat.with { chat in
            try await chat.write(in: try await chat.opened().id)
            try await suspend(until: nil, on: chat)
            _ = try await watch(chat).round()
            #expect(try await chat.database.query("SELECT FROM suspensions_told").count == 1)
            try await chat.tell(PersonErased(erasure: .new(), person: tom))
            #expect(try await chat.database.query("SELECT FROM suspensions_told").isEmpty)
            #expect(try await told(chat) { _ = try await watch(chat).round() }.isEmpty)
        }
    }
}
