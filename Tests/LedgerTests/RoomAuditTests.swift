import Foundation
import TestKit
import Testing
import WireProtocol

/// The audit of rooms can fail: each kind of damage is found, and what is whole is not.
@Suite struct RoomAuditTests {
    /// Two people, four messages, and marks that were told as they moved.
    private struct Talk {
        let room = RoomID.new()
        let ada = PersonID.new()
        let ben = PersonID.new()
        var messages: [RoomHistory.Message] = []
        var events: [PublishedEvent] = []
        var last = 4
        var marks = RoomMarks(delivered: 4, read: 3)
        var unread = 1
        var acknowledged: [Message] { messages.map(sent) }

        init() throws {
            for number in 1...4 {
                let author = number.isMultiple(of: 2) ? ada : ben
                messages.append(.init(room: room, number: number, id: .new(), author: author, text: "\(number)"))
                let subject = Subject(kind: .person, id: ID(ada.uuid))
                try tell(MessageSent(message: sent(messages[number - 1]), to: ada, subject: subject, title: nil))
            }
            try tell(MessagesRead(room: room, by: ben, marks: RoomMarks(delivered: 2, read: 2)))
            try tell(MessagesRead(room: room, by: ben, marks: marks))
        }

        func sent(_ message: RoomHistory.Message) -> Message {
            Message(
                id: message.id, room: room, number: message.number, by: message.author, text: message.text, photo: nil,
                sentAt: Date())
        }

        mutating func tell<E: Event>(_ event: E) throws {
            let number = Int64(events.count + 1)
            let header = EventHeader(
                id: UUID(), type: E.type, aggregate: "room/\(room)", audience: .nobody, occurredAt: Date())
            events.append(
                PublishedEvent(
                    number: number, position: number, mark: number, header: header,
                    payload: String(decoding: try WireJSON.encode(event), as: UTF8.self)))
        }

        func rules(acknowledged: [Message]? = nil) -> [Finding.Rule] {
            let members = [
                RoomHistory.Member(room: room, person: ada, delivered: 0, read: 0, unread: 2),
                RoomHistory.Member(
                    room: room, person: ben, delivered: marks.delivered, read: marks.read, unread: unread),
            ]
            let history = RoomHistory(
                rooms: [.init(id: room, last: last)], members: members, messages: messages, events: events)
            return (history.findings() + history.compare(acknowledged ?? self.acknowledged)).map(\.rule)
        }
    }

    @Test func a_talk_in_which_all_is_well_has_no_findings() throws {
        #expect(try Talk().rules() == [])
    }

    @Test func a_lost_message_a_gap_and_another_number_are_found() throws {
        var talk = try Talk()
        let all = talk.acknowledged
        talk.messages.remove(at: 1)
        #expect(Set(talk.rules(acknowledged: all)) == [.gap, .disorder, .lost])
        talk = try Talk()
        let told = talk.acknowledged
        talk.messages[3].text = "Other words"
        #expect(talk.rules(acknowledged: told) == [.disorder, .rowsDiffer])
        talk = try Talk()
        talk.last = 5
        #expect(talk.rules() == [.gap])
    }

    @Test func a_message_that_is_there_twice_is_found() throws {
        var talk = try Talk()
        let all = talk.acknowledged
        var copy = talk.messages[0]
        copy.number = 5
        talk.messages.append(copy)
        talk.last = 5
        #expect(Set(talk.rules(acknowledged: all)) == [.disorder, .rowsDiffer])
    }

    @Test func what_was_told_twice_or_in_another_order_is_found() throws {
        var talk = try Talk()
        talk.events.append(talk.events[0])
        #expect(talk.rules() == [.disorder])
        talk = try Talk()
        let first = talk.events[0]
        talk.events[0].payload = talk.events[1].payload
        talk.events[1].payload = first.payload
        #expect(talk.rules() == [.disorder])
    }

    @Test func marks_that_move_back_and_wrong_counts_are_found() throws {
        var talk = try Talk()
        talk.marks = RoomMarks(delivered: 3, read: 3)
        try talk.tell(MessagesRead(room: talk.room, by: talk.ben, marks: talk.marks))
        #expect(talk.rules() == [.disorder])
        talk = try Talk()
        talk.marks.read = 4
        #expect(Set(talk.rules()) == [.rowsDiffer])
        talk = try Talk()
        talk.unread = 0
        #expect(talk.rules() == [.rowsDiffer])
    }
}
