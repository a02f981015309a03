import DurableMessaging
import FoundationEssentials
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import ChatService

/// Tom asks Maya about her spot, in a real PostgreSQL.
@Suite struct RoomStoreTests {
    @Test func a_conversation_as_either_of_them_sees_it() async throws {
        try await Chat.with { chat in
            let room = try await chat.opened()
            #expect(room.with.name == "Maya Tan" && room.title == "By the library" && room.photo == picture)
            #expect(room.writable && room.last == nil && room.state == .open)
            #expect(try await chat.rooms(of: maya).isEmpty, "nobody has written yet")
            #expect(try await chat.rooms(of: tom).map(\.id) == [room.id])
            let hello = try await chat.write("Is it long enough for a van?", in: room.id)
            chat.clock.advance(by: .seconds(60))
            let answer = try await chat.write("It is.", by: maya, in: room.id)
            #expect([hello.number, answer.number] == [1, 2])
            let mayas = try await chat.room(room.id, of: maya)
            #expect(mayas.with.name == "Tom" && mayas.last == answer && mayas.unread == 1 && mayas.read == 0)
            #expect(try await chat.chat.unread(for: Caller(person: maya)).rooms == 1)
            #expect(try await chat.messages(in: room.id) == [hello, answer])

            try await chat.chat.read(to: 2, in: room.id, .from(maya))
            #expect(try await chat.chat.unread(for: Caller(person: maya)).rooms == 0)
            let toms = try await chat.room(room.id, of: tom)
            #expect(toms.theirs == RoomMarks(delivered: 2, read: 2) && toms.unread == 1)
            #expect(toms.changedAt == after(1))
            let events = try await chat.events()
            #expect(events.map(\.header.type) == ["roomChanged", "message", "message", "read"])
            #expect(
                events.map(\.header.audience) == [.people([tom])] + Array(repeating: .people([tom, maya]), count: 3))
            #expect(events.allSatisfy { $0.header.aggregate == "room/\(room.id)" })
            #expect(events.dropFirst().map(\.header.concerns) == [[tom], [maya], [maya]])
            let sent = events[1].decoded(as: MessageSent.self)
            #expect(sent == MessageSent(message: hello, to: maya, subject: spot, title: "By the library"))
        }
    }

    @Test func whoever_opens_it_again_gets_the_same_room_from_either_side() async throws {
        try await Chat.with { chat in
            let room = try await chat.opened()
            #expect(try await chat.opened().id == room.id)
            #expect(try await chat.opened(by: maya, with: tom).id == room.id)
            #expect(try await chat.rooms(of: maya).map(\.id) == [room.id], "she has opened it, too")
            #expect(try await chat.opened(by: lin).id != room.id)
            let person = Subject(kind: .person, id: ID(tom.uuid))
            let two = try await chat.opened(by: maya, with: tom, about: person)
            #expect(two.id != room.id && two.title == nil && two.subject.id.uuid == maya.uuid)
            let same = Subject(kind: .person, id: ID(maya.uuid))
            #expect(try await chat.opened(by: tom, with: maya, about: same).id == two.id)
        }
    }

    @Test func nobody_opens_a_room_with_whom_they_have_nothing_to_do() async throws {
        try await Chat.with { chat in
            func tried(_ one: PersonID, _ other: PersonID, _ subject: Subject = spot) async -> ErrorCode? {
                await refusal { try await chat.opened(by: one, with: other, about: subject) }
            }
            #expect(await tried(maya, lin) == .notFound)
            #expect(await tried(lin, tom) == .notFound)
            #expect(await tried(tom, tom) == .invalid)
            #expect(await tried(tom, maya, Subject(kind: .spot, id: .new())) == .notFound)
            let stranger = PersonID.new()
            #expect(await tried(tom, stranger, Subject(kind: .person, id: ID(stranger.uuid))) == .notFound)
            chat.listings.say(facts(isOpen: false))
            #expect(await tried(lin, maya) == .wrongState)
            chat.listings.isAway.withLock { $0 = true }
            #expect(await tried(lin, maya) == .unavailable)
            let told = try await chat.events()
            #expect(told.isEmpty)
            #expect(
                await refusal { try await chat.chat.open(RoomDraft(subject: spot, with: maya), .from(nil)) }
                    == .unauthenticated)
        }
    }

    @Test func a_room_that_is_there_needs_nobody_to_be_asked() async throws {
        try await Chat.with { chat in
            let room = try await chat.opened()
            chat.listings.isAway.withLock { $0 = true }
            #expect(try await chat.opened().id == room.id)
            chat.listings.isAway.withLock { $0 = false }
            chat.listings.say(nil)
            #expect(try await chat.opened().id == room.id)
            // What was just heard is newer than what it knew.
            chat.listings.say(facts("Level 3", photo: nil))
            #expect(try await chat.opened().title == "Level 3")
            #expect(try await chat.room(room.id, of: maya).photo == nil)
        }
    }

    @Test func others_find_nothing() async throws {
        try await Chat.with { chat in
            let id = try await chat.opened().id
            try await chat.write(in: id)
            #expect(await refusal { try await chat.room(id, of: lin) } == .notFound)
            #expect(await refusal { try await chat.messages(in: id, of: lin) } == .notFound)
            #expect(await refusal { try await chat.write(by: lin, in: id) } == .notFound)
            #expect(await refusal { try await chat.chat.read(to: 1, in: id, .from(lin)) } == .notFound)
            #expect(await refusal { try await chat.chat.receive(to: 1, in: id, .from(lin)) } == .notFound)
            #expect(await refusal { try await chat.chat.archive(true, id, .from(lin)) } == .notFound)
            #expect(await refusal { try await chat.chat.type(in: id, .from(lin)) } == .notFound)
            #expect(try await chat.rooms(of: lin).isEmpty)
            #expect(try await chat.rooms(of: lin, RoomQuery(q: "Hello")).isEmpty)
        }
    }

    @Test func a_message_that_comes_again_is_that_message_however_late() async throws {
        try await Chat.with { chat in
            let id = try await chat.opened().id
            let words = draft("Once")
            let first = try await chat.chat.send(words, in: id, .from(tom))
            // Long after the request itself is forgotten, and in a room in which nobody may write any more.
            chat.clock.advance(by: .seconds(300 * 86_400))
            try await chat.tell(facts(isOpen: false))
            #expect(try await chat.chat.send(words, in: id, .from(tom)) == first)
            #expect(try await chat.messages(in: id) == [first])
            let other = MessageDraft(id: words.id, text: "Twice")
            #expect(await refusal { try await chat.chat.send(other, in: id, .from(tom)) } == .idempotencyMismatch)
            #expect(await refusal { try await chat.chat.send(words, in: id, .from(maya)) } == .idempotencyMismatch)
            #expect(await refusal { try await chat.chat.send(words, in: .new(), .from(tom)) } == .idempotencyMismatch)
            #expect(try await chat.events(of: "message").count == 1)
        }
    }

    @Test func limits_of_a_minute_and_a_day() async throws {
        var limits = ChatLimits()
        (limits.messagesPerMinute, limits.roomsPerDay) = (3, 2)
        try await Chat.with(limits: limits) { chat in
            let (one, two) = (
                try await chat.opened().id, try await chat.opened(by: tom, with: lin, about: person(lin)).id
            )
            for room in [one, two, one] { try await chat.write(in: room) }
            #expect(await refusal { try await chat.write(in: two) } == .tooManyRequests)
            #expect(await refusal { try await chat.write(by: maya, in: one) } == nil)
            chat.clock.advance(by: .seconds(61))
            try await chat.write(in: two)
            #expect(await refusal { try await chat.opened(by: tom, with: kim, about: person(kim)) } == .tooManyRequests)
            #expect(await refusal { try await chat.opened() } == nil, "that one is there")
            chat.clock.advance(by: .seconds(86_400))
            #expect(await refusal { try await chat.opened(by: tom, with: kim, about: person(kim)) } == nil)
        }
    }

    @Test func typing_is_told_to_the_other_one_once_in_three_seconds() async throws {
        try await Chat.with { chat in
            let id = try await chat.opened().id
            for _ in 0..<5 { try await chat.chat.type(in: id, .from(tom)) }
            try await chat.chat.type(in: id, .from(maya))
            let told = try await chat.events(of: "typing")
            #expect(told.map(\.header.audience) == [.people([maya]), .people([tom])])
            chat.clock.advance(by: .seconds(3))
            try await chat.chat.type(in: id, .from(tom))
            #expect(try await chat.events(of: "typing").count == 3)
            try await chat.tell(facts(isOpen: false))
            #expect(await refusal { try await chat.chat.type(in: id, .from(tom)) } == .wrongState)
        }
    }

    // MARK: Lists

    @Test func pages_of_messages_in_both_directions_without_gaps() async throws {
        try await Chat.with(limits: ChatLimits(messagesPerMinute: 1000)) { chat in
            let id = try await chat.opened().id
            for number in 1...7 { try await chat.write("\(number)", by: number.isMultiple(of: 3) ? maya : tom, in: id) }
            func asked(before: Int? = nil, after: Int? = nil) async throws -> MessageList {
                let query = MessageQuery(id: id, before: before, after: after, limit: 3)
                return try await chat.chat.messages(query, for: Caller(person: tom))
            }
            func numbers(before: Int? = nil, after: Int? = nil) async throws -> [Int] {
                try await asked(before: before, after: after).items.map(\.number)
            }
            #expect(try await numbers() == [5, 6, 7])
            #expect(try await numbers(before: 5) == [2, 3, 4])
            #expect(try await numbers(before: 2) == [1])
            #expect(try await numbers(before: 1) == [])
            #expect(try await numbers(after: 0) == [1, 2, 3])
            #expect(try await numbers(after: 6) == [7])
            #expect(try await numbers(after: 7) == [])
            // Whoever goes on for as long as the answers say so has all of them, in both directions, and asks no more than it takes.
            for isForward in [true, false] {
                var (found, answers, next): ([Int], Int, Int?) = ([], 0, isForward ? 0 : 8)
                while let place = next, answers < 10 {
                    let list = try await isForward ? asked(after: place) : asked(before: place)
                    found += list.items.map(\.number)
                    answers += 1
                    next = isForward ? list.after : list.before
                }
                #expect(found.sorted() == Array(1...7) && answers == 3, "\(found)")
            }
        }
    }

    @Test func a_page_of_messages_says_what_is_on_either_side() async throws {
        try await Chat.with { chat in
            let id = try await chat.opened().id
            func sides(before: Int? = nil, after: Int? = nil, limit: Int = 2) async throws -> [Int?] {
                let query = MessageQuery(id: id, before: before, after: after, limit: limit)
                let list = try await chat.chat.messages(query, for: Caller(person: maya))
                return [list.before, list.after]
            }
            for (before, after) in [(nil, nil), (1, nil), (9, nil), (nil, 0), (nil, 9)] as [(Int?, Int?)] {
                #expect(try await sides(before: before, after: after) == [nil, nil], "nobody has written")
            }
            for number in 1...5 { try await chat.write("\(number)", in: id) }
            #expect(try await sides() == [4, nil])
            #expect(try await sides(limit: 5) == [nil, nil])
            #expect(try await sides(before: 4) == [2, 3])
            #expect(try await sides(before: 2) == [nil, 1])
            #expect(try await sides(before: 1) == [nil, 0])
            #expect(try await sides(before: 99) == [4, nil])
            #expect(try await sides(after: 0) == [nil, 2])
            #expect(try await sides(after: 3) == [4, nil])
            #expect(try await sides(after: 5) == [6, nil])
            #expect(try await sides(after: 99) == [6, nil])
        }
    }

    @Test func shelves_and_pages_with_the_newest_message_first() async throws {
        try await Chat.with { chat in
            var ids: [RoomID] = []
            for number in 0..<7 {
                let subject = Subject(kind: .spot, id: .new())
                chat.listings.say(facts("Spot \(number)"), of: subject)
                ids.append(try await chat.opened(about: subject).id)
                chat.clock.advance(by: .seconds(1))
            }
            try await chat.write(in: ids[2])
            func all(_ query: RoomQuery, of person: PersonID = tom) async throws -> [RoomID] {
                var (found, query) = ([RoomID](), query)
                query.limit = 2
                repeat {
                    let page = try await chat.chat.rooms(query, for: Caller(person: person))
                    found += page.items.map(\.id)
                    query.cursor = page.next
                } while query.cursor != nil
                return found
            }
            #expect(try await all(RoomQuery()) == [2, 6, 5, 4, 3, 1, 0].map { ids[$0] })
            try await chat.chat.archive(true, ids[6], .from(tom))
            try await chat.tell(facts("Spot 5", isOpen: false), of: try await chat.room(ids[5], of: tom).subject)
            #expect(try await all(RoomQuery()) == [2, 4, 3, 1, 0].map { ids[$0] })
            #expect(try await all(RoomQuery(shelf: .archived)) == [ids[6]])
            #expect(try await all(RoomQuery(shelf: .closed)) == [ids[5]])
            #expect(try await all(RoomQuery(), of: maya) == [ids[2]])
            try await chat.write(by: maya, in: ids[6])
            #expect(try await all(RoomQuery(shelf: .archived)).isEmpty)
            #expect(try await all(RoomQuery()).first == ids[6])
        }
    }
}

/// A room about nothing but the two.
func person(_ id: PersonID) -> Subject { Subject(kind: .person, id: ID(id.uuid)) }
