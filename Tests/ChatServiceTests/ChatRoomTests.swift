import FoundationEssentials
import Testing
import WireProtocol

@testable import ChatService

@Suite("What is true of a room")
struct ChatRoomTests {
    private func words(_ text: String = "Hello", photo: String? = nil) throws -> MessageWords {
        try MessageWords(draft(text, photo: photo))
    }

    @Test func a_new_room_is_among_the_rooms_of_who_opened_it_alone() {
        let room = room()
        #expect(room.isWritable && room.last == 0)
        #expect(room.me.isListed && !room.other.isListed)
    }

    @Test func messages_are_numbered_and_take_the_room_out_of_both_archives() throws {
        var room = room {
            $0.me.isArchived = true
            $0.other.isArchived = true
        }
        for number in 1...3 {
            let (decision, message) = try room.write(words(), at: after(Double(number)))
            room = decision.room
            #expect(message.number == number && message.ordinal == number && message.by == tom)
            #expect(room.changedAt == after(Double(number)) && decision.events == [.written(message)])
        }
        #expect(room.other.unread == 3 && room.me.unread == 0 && room.last == 3)
        #expect(!room.me.isArchived && !room.other.isArchived && room.other.isListed)
    }

    @Test func a_clock_that_goes_back_does_not_take_a_room_down() throws {
        let (decision, message) = try room().write(words(), at: after(-5))
        #expect(decision.room.changedAt == noon && message.sentAt == noon)
    }

    @Test func nobody_writes_where_it_is_over_or_silent_or_nobody_is_there() throws {
        let hello = try words()
        #expect(throws: ChatError.closed) { try room { $0.state = .closed }.write(hello, at: noon) }
        #expect(throws: ChatError.silent) { try room { $0.isSilent = true }.write(hello, at: noon) }
        let alone = room { $0.other = RoomMember(person: .nobody) }
        #expect(!alone.isWritable)
        #expect(throws: ChatError.silent) { try alone.write(hello, at: noon) }
    }

    /// Of seven messages Maya wrote 1, 2, 4 and 7: what Tom has not read is counted from where he is.
    @Test(arguments: [(1, 3), (2, 2), (3, 2), (4, 1), (5, 1), (6, 1), (7, 0)])
    func what_is_unread_follows_from_how_far_one_is(number: Int, unread: Int) throws {
        let (mayas, toms) = ([1, 2, 4, 7], [3, 5, 6])
        let room = room {
            $0.last = 7
            ($0.me.written, $0.other.written, $0.me.unread) = (3, 4, 4)
        }
        let isHers = mayas.contains(number)
        let message = ChatMessage(
            id: .new(), room: room.id, number: number, by: isHers ? maya : tom, text: "x", photo: nil, sentAt: noon,
            ordinal: (isHers ? mayas : toms).count { $0 <= number })
        let read = try room.read(to: number, message).room
        #expect(read.me.unread == unread)
        #expect(read.me.marks == RoomMarks(delivered: number, read: number))
    }

    @Test func marks_never_move_back_and_never_beyond_the_last() throws {
        let room = room {
            $0.last = 5
            $0.me.marks = RoomMarks(delivered: 4, read: 3)
        }
        #expect(try room.read(to: 2, nil).events.isEmpty)
        #expect(try room.receive(to: 4).room == room)
        #expect(try room.receive(to: 5).room.me.marks == RoomMarks(delivered: 5, read: 3))
        for number in [-1, 6] {
            #expect(throws: ChatError.self) { try room.read(to: number, nil) }
            #expect(throws: ChatError.self) { try room.receive(to: number) }
        }
    }

    // MARK: Words

    @Test(
        arguments: [
            ("", nil, "text: required"), (" \n\t ", nil, "text: required"), ("\u{200B}", nil, "text: not_allowed"),
            ("a\u{0}b", nil, "text: not_allowed"), ("a\u{202E}b", nil, "text: not_allowed"),
            (String(repeating: "x", count: 4001), nil, "text: too_long"),
            ("a" + String(repeating: "\u{301}", count: 20_000), nil, "text: too_long"),
            ("Look", "../etc/passwd", "photo: not_a_photo"),
            ("Look", String(repeating: "A", count: 64), "photo: not_a_photo"),
        ] as [(String, String?, String)])
    func what_a_message_may_not_be(text: String, photo: String?, expected: String) {
        #expect(fields(of: #expect(throws: ChatError.self) { try words(text, photo: photo) }) == [expected])
    }

    @Test func what_a_message_may_be() throws {
        #expect(try words("  two\r\nlines\rand three  ").text == "two\nlines\nand three")
        #expect(try words(String(repeating: "🏳️‍🌈", count: 1000)).text.count == 1000)
        #expect(try words(String(repeating: "x", count: 4000)).text.count == 4000)
        #expect(try words("", photo: picture).text == "")
        #expect(try words("شكرا\tתודה").text == "شكرا\tתודה")
    }

    // MARK: Opening

    @Test func everybody_who_sees_a_thing_may_write_to_whose_it_is_and_they_to_whom_they_have_to_do_with() throws {
        func about(_ one: PersonID, _ other: PersonID, _ facts: RoomSubjectFacts, _ news: SubjectNews? = nil) throws
            -> RoomAbout
        {
            try Opening(RoomDraft(subject: spot, with: other), by: one).about(facts, news)
        }
        #expect(try about(lin, maya, facts()).title == "By the library")
        #expect(try about(maya, tom, facts()).owner == maya)
        #expect(throws: ChatError.notFound) { try about(maya, lin, facts()) }
        #expect(throws: ChatError.notFound) { try about(lin, tom, facts()) }
        #expect(throws: ChatError.closed) { try about(lin, maya, facts(isOpen: false)) }
        let over = SubjectNews(title: "Level 3", photo: nil, isOpen: false)
        #expect(throws: ChatError.closed) { try about(lin, maya, facts(), over) }
        let renamed = try about(lin, maya, facts(), SubjectNews(title: "Level 3", photo: nil, isOpen: true))
        #expect(renamed.title == "Level 3" && renamed.photo == nil)
        // What was hidden a moment ago is not called what it was when it was asked about.
        let hidden = try about(lin, maya, facts(), SubjectNews(title: nil, photo: nil, isOpen: true))
        #expect(hidden.title == nil && hidden.photo == nil)
        // What is shared no more is open to those who have to do with it.
        #expect(try about(tom, maya, facts(isOpenToAll: false)).owner == maya)
        #expect(try about(maya, tom, facts(isOpenToAll: false)).owner == maya)
        #expect(throws: ChatError.closed) { try about(lin, maya, facts(isOpenToAll: false)) }
        let some = SubjectNews(title: "Level 3", photo: nil, isOpen: true, isOpenToAll: false, partners: [tom])
        #expect(try about(tom, maya, facts(), some).title == "Level 3")
        #expect(throws: ChatError.closed) { try about(lin, maya, facts(), some) }
    }

    @Test func a_room_of_two_people_is_the_same_from_either_side() throws {
        func opening(_ one: PersonID, _ other: PersonID, _ id: PersonID) throws -> Opening {
            try Opening(RoomDraft(subject: Subject(kind: .person, id: ID(id.uuid)), with: other), by: one)
        }
        let canonical = Subject(kind: .person, id: ID(maya.uuid))
        #expect(try opening(maya, tom, tom).subject == canonical)
        #expect(try opening(tom, maya, maya).subject == canonical)
        #expect(try opening(maya, tom, maya).subject == canonical)
        #expect(throws: ChatError.self) { try opening(maya, tom, lin) }
        #expect(throws: ChatError.self) { try opening(maya, maya, maya) }
        #expect(throws: ChatError.notFound) { try opening(maya, .nobody, .nobody) }
    }

    // MARK: Queries

    @Test(
        arguments: [
            (RoomQuery(q: "x"), "q: length"), (RoomQuery(q: " x "), "q: length"),
            (RoomQuery(q: String(repeating: "x", count: 101)), "q: length"),
            (RoomQuery(q: "a\u{0}b"), "q: not_allowed"),
            (RoomQuery(limit: 0), "limit: out_of_range"), (RoomQuery(limit: 101), "limit: out_of_range"),
            (RoomQuery(cursor: "x"), "cursor: not_a_cursor"),
        ] as [(RoomQuery, String)])
    func what_may_not_be_asked_of_rooms(query: RoomQuery, expected: String) {
        #expect(fields(of: #expect(throws: ChatError.self) { try RoomPage(query) }) == [expected])
    }

    @Test func the_inbox_is_what_is_meant_where_nothing_is_said_and_all_where_something_is_looked_for() throws {
        #expect(try RoomPage(RoomQuery()).shelf == .inbox)
        #expect(try RoomPage(RoomQuery(q: "library")).shelf == nil)
        #expect(try RoomPage(RoomQuery(shelf: .archived, q: "library")).shelf == .archived)
    }

    @Test(
        arguments: [
            (MessageQuery(id: .new(), before: -1), "before: out_of_range"),
            (MessageQuery(id: .new(), after: -1), "after: out_of_range"),
            (MessageQuery(id: .new(), before: 2, after: 1), "after: not_both"),
            (MessageQuery(id: .new(), limit: 101), "limit: out_of_range"),
        ] as [(MessageQuery, String)])
    func what_may_not_be_asked_of_messages(query: MessageQuery, expected: String) {
        #expect(fields(of: #expect(throws: ChatError.self) { try MessagePage(query) }) == [expected])
    }
}
