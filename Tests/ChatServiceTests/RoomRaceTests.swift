import DurableMessaging
import FoundationEssentials
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import ChatService

@Suite("At the same moment", .serialized)
struct RoomRaceTests {
    @Test func two_who_open_a_room_at_once_have_one() async throws {
        try await Chat.with { chat in
            for _ in 0..<10 {
                let subject = Subject(kind: .spot, id: .new())
                chat.listings.say(facts(), of: subject)
                let sides = (0..<20).map { $0.isMultiple(of: 2) ? (tom, maya) : (maya, tom) }
                let rooms = await atOnce(sides) { try await chat.opened(by: $0.0, with: $0.1, about: subject).id }
                #expect(rooms.allSatisfy { $0.isSuccess })
                #expect(Set(rooms.compactMap { try? $0.get() }).count == 1)
            }
            let told = try await chat.events(of: "roomChanged")
            #expect(told.count == 10)
        }
    }

    @Test func what_20_send_at_once_is_numbered_without_a_gap_and_the_same_for_both() async throws {
        try await Chat.with(limits: ChatLimits(messagesPerMinute: 1000)) { chat in
            let id = try await chat.opened().id
            let sent = await atOnce(Array(0..<100)) { number in
                try await chat.write("\(number)", by: number.isMultiple(of: 2) ? tom : maya, in: id)
            }
            #expect(sent.allSatisfy { $0.isSuccess })
            let answered = sent.compactMap { try? $0.get() }.sorted { $0.number < $1.number }
            #expect(answered.map(\.number) == Array(1...100))
            var read: [Message] = []
            for start in [0, 50] {
                let page = MessageQuery(id: id, after: start)
                read += try await chat.chat.messages(page, for: Caller(person: maya)).items
            }
            #expect(read == answered)
            // Events are in the order of the numbers.
            let told = try await chat.events(of: "message").compactMap { $0.decoded(as: MessageSent.self)?.message }
            #expect(told == answered)
            let rooms = [try await chat.room(id, of: tom), try await chat.room(id, of: maya)]
            #expect(rooms.map(\.unread) == [50, 50])
        }
    }

    @Test func one_message_sent_ten_times_is_one() async throws {
        try await Chat.with { chat in
            let id = try await chat.opened().id
            for _ in 0..<5 {
                let words = draft("Once")
                let sent = await atOnce(Array(0..<10)) { _ in try await chat.chat.send(words, in: id, .from(tom)) }
                #expect(Set(sent.compactMap { try? $0.get() }).count == 1 && sent.allSatisfy { $0.isSuccess })
            }
            #expect(try await chat.messages(in: id).map(\.number) == Array(1...5))
            #expect(try await chat.events(of: "message").count == 5)
        }
    }

    @Test func one_id_of_two_people_is_one_message() async throws {
        try await Chat.with { chat in
            let (one, two) = (try await chat.opened().id, try await chat.opened(by: lin).id)
            for _ in 0..<10 {
                let words = draft("Mine")
                let tries = await atOnce([(one, tom), (two, lin)]) {
                    try await chat.chat.send(words, in: $0.0, .from($0.1))
                }
                #expect(tries.count { $0.isSuccess } == 1)
                #expect(tries.compactMap { $0.error as? ChatError } == [.anotherMessage])
            }
            let counts = [try await chat.messages(in: one).count, try await chat.messages(in: two, of: lin).count]
            #expect(counts[0] + counts[1] == 10)
        }
    }

    @Test func marks_of_many_devices_end_where_the_farthest_is() async throws {
        try await Chat.with(limits: ChatLimits(messagesPerMinute: 1000)) { chat in
            let id = try await chat.opened().id
            for _ in 0..<30 { try await chat.write(in: id) }
            let marks = (1...30).flatMap { [($0, true), ($0, false)] }.shuffled()
            let done = await atOnce(marks) { number, isRead in
                if isRead {
                    try await chat.chat.read(to: number, in: id, .from(maya))
                } else {
                    try await chat.chat.receive(to: number, in: id, .from(maya))
                }
            }
            #expect(done.allSatisfy { $0.isSuccess })
            #expect(try await chat.room(id, of: tom).theirs == RoomMarks(delivered: 30, read: 30))
            #expect(try await chat.room(id, of: maya).unread == 0)
            let told = try await chat.events(of: "read").compactMap { $0.decoded(as: MessagesRead.self)?.marks }
            for (one, next) in zip(told, told.dropFirst()) {
                #expect(next.read >= one.read && next.delivered >= one.delivered && next != one)
            }
        }
    }

    @Test func reading_while_it_is_written_leaves_what_is_unread_right() async throws {
        try await Chat.with(limits: ChatLimits(messagesPerMinute: 1000)) { chat in
            let id = try await chat.opened().id
            try await chat.write(in: id)
            _ = await atOnce(Array(0..<60)) { number in
                if number.isMultiple(of: 3) {
                    let last = try await chat.room(id, of: maya).last?.number ?? 0
                    try await chat.chat.read(to: last, in: id, .from(maya))
                } else {
                    try await chat.write(by: number % 3 == 1 ? tom : maya, in: id)
                }
            }
            let seen = try await chat.room(id, of: maya)
            let unread = try await chat.database.query(
                "SELECT count(*) AS count FROM messages WHERE room = \(id) AND author = \(tom) AND number > \(seen.read)"
            )
            #expect(try seen.unread == unread[0].get("count"))
        }
    }

    /// The answer about the spot was made before it was taken back; the news of that came while the room was being opened.
    @Test func a_spot_that_goes_while_a_room_is_opened_leaves_none_open() async throws {
        try await Chat.with { chat in
            chat.listings.meanwhile.withLock { hook in
                hook = {
                    chat.listings.meanwhile.withLock { $0 = nil }
                    try await chat.tell(facts(isOpen: false))
                }
            }
            #expect(await refusal { try await chat.opened() } == .wrongState)
            let found = try await chat.rooms(of: tom, RoomQuery(q: "library"))
            #expect(found.isEmpty)
        }
    }

    @Test func a_table_takes_no_mark_back_and_none_beyond_the_last() async throws {
        try await Chat.with { chat in
            let id = try await chat.opened().id
            try await chat.write(in: id)
            try await chat.chat.read(to: 1, in: id, .from(maya))
            for change in ["read = 0", "delivered = 0, read = 0", "delivered = 2", "unread = 5", "last = 0"] {
                await #expect(throws: (any Error).self, "\(change)") {
                    try await chat.database.query("UPDATE members SET \(unescaped: change) WHERE person = \(maya)")
                }
            }
        }
    }
}
