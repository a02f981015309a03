import Foundation
import TestKit
import Testing
import WireProtocol

/// The audit of what people heard and saw of their rooms can fail: each kind of damage is found, and what is whole is not.
@Suite struct ChatterAuditTests {
    /// Two people, four messages of which one had no answer, marks that moved twice, and one device of each.
    private struct Talk {
        let room = RoomID.new()
        let ada = PersonID.new()
        let ben = PersonID.new()
        var drafts: [(author: PersonID, room: RoomID, draft: MessageDraft)] = []
        var messages: [RoomHistory.Message] = []
        var heard: [ChatterHistory.Heard] = []
        var pages: [ChatterHistory.Page] = []
        var glances: [GlanceHistory.Glance] = []
        var marks: [GlanceHistory.Mark] = []

        init() {
            for number in 1...4 {
                let author = number.isMultiple(of: 2) ? ada : ben
                let draft = MessageDraft(id: .new(), text: "\(number)")
                drafts.append((author: author, room: room, draft: draft))
                messages.append(.init(room: room, number: number, id: draft.id, author: author, text: draft.text))
            }
            // Nobody heard anything of this one, and it never arrived.
            drafts.append((author: ada, room: room, draft: MessageDraft(id: .new(), text: "Lost on its way")))
            let told = [(2, 1), (4, 3)].map { delivered, read in
                MessagesRead(room: room, by: ben, marks: RoomMarks(delivered: delivered, read: read))
            }
            for person in [ada, ben] {
                heard.append(.init(listener: person, messages: messages, marks: told))
                pages.append(.init(reader: person, room: room, messages: messages))
            }
            marks = [.init(room: room, of: ben, read: 1, delivered: 1, answeredAt: .seconds(1))]
            glance(read: 1, delivered: 2, asked: 2)
            glance(read: 3, delivered: 4, asked: 4)
        }

        mutating func glance(read: Int, delivered: Int? = nil, asked: Int) {
            glances.append(
                .init(
                    room: room, of: ben, read: read, delivered: delivered, askedAt: .seconds(asked),
                    answeredAt: .seconds(asked + 1)))
        }

        func rules() -> Set<Finding.Rule> {
            let members = [
                RoomHistory.Member(room: room, person: ada, delivered: 0, read: 0, unread: 2),
                RoomHistory.Member(room: room, person: ben, delivered: 4, read: 3, unread: 1),
            ]
            let history = ChatterHistory(
                drafts: drafts, members: members, messages: messages, heard: heard, pages: pages,
                glances: GlanceHistory(glances: glances, marks: marks))
            return Set(history.findings().map(\.rule))
        }
    }

    @Test func a_talk_in_which_all_is_well_has_no_findings() { #expect(Talk().rules() == []) }

    @Test func what_one_of_the_two_never_heard_is_found() {
        for person in 0...1 {
            for number in 0...3 {
                var talk = Talk()
                talk.heard[person].messages.remove(at: number)
                #expect(talk.rules() == [.gap])
            }
        }
        var talk = Talk()
        talk.heard[1].messages = []
        #expect(talk.rules() == [.gap])
        talk = Talk()
        talk.heard[0].troubles = ["told that events are gone"]
        #expect(talk.rules() == [.gap])
    }

    @Test func what_was_heard_again_or_in_another_order_is_found() {
        var talk = Talk()
        talk.heard[0].messages.append(talk.messages[3])
        #expect(talk.rules() == [.doubled])
        talk = Talk()
        // As where a line goes on too early.
        talk.heard[0].messages += talk.messages[2...]
        #expect(talk.rules() == [.doubled, .disorder])
        talk = Talk()
        talk.heard[1].messages.swapAt(1, 2)
        #expect(talk.rules() == [.disorder])
    }

    @Test func what_was_heard_and_is_not_there_is_found() {
        var talk = Talk()
        talk.heard[0].messages[2].text = "Other words"
        #expect(talk.rules() == [.rowsDiffer, .gap])
        talk = Talk()
        talk.heard[1].messages[3].number = 5
        #expect(talk.rules() == [.rowsDiffer, .gap])
        talk = Talk()
        // Somebody else's room.
        talk.heard[1].messages.append(
            .init(room: .new(), number: 1, id: .new(), author: talk.ada, text: "Not for Ben"))
        #expect(talk.rules() == [.rowsDiffer])
    }

    @Test func messages_that_are_there_twice_or_that_nobody_wrote_are_found() {
        var talk = Talk()
        talk.messages.append(talk.messages[0])
        #expect(talk.rules().contains(.doubled))
        talk = Talk()
        talk.drafts.remove(at: 1)
        #expect(talk.rules() == [.rowsDiffer])
        talk = Talk()
        talk.drafts[1].author = talk.ben
        #expect(talk.rules() == [.rowsDiffer])
    }

    @Test func pages_that_are_not_the_same_for_both_are_found() {
        var talk = Talk()
        talk.pages[0].messages.swapAt(0, 1)
        #expect(talk.rules() == [.rowsDiffer])
        talk = Talk()
        talk.pages[1].messages.removeLast()
        #expect(talk.rules() == [.rowsDiffer])
    }

    @Test func marks_that_were_heard_to_move_back_again_or_not_to_their_end_are_found() {
        var talk = Talk()
        talk.heard[0].marks.swapAt(0, 1)
        #expect(talk.rules() == [.disorder, .gap])
        talk = Talk()
        talk.heard[0].marks.append(talk.heard[0].marks[1])
        #expect(talk.rules() == [.doubled])
        talk = Talk()
        talk.heard[1].marks.removeLast()
        #expect(talk.rules() == [.gap])
    }

    @Test func marks_that_were_seen_to_move_back_are_found_and_what_was_asked_at_once_may_be_either() {
        for (read, delivered) in [(2, 4), (3, 3)] {
            var talk = Talk()
            talk.glance(read: read, delivered: delivered, asked: 6)
            #expect(talk.rules() == [.disorder])
        }
        var talk = Talk()
        // They themselves see only how far they have read.
        talk.glance(read: 2, asked: 6)
        #expect(talk.rules() == [.disorder])
        talk = Talk()
        talk.glance(read: 2, delivered: 2, asked: 4)
        #expect(talk.rules() == [])
        talk = Talk()
        talk.marks.append(.init(room: talk.room, of: talk.ben, read: 4, delivered: 4, answeredAt: .seconds(3)))
        #expect(talk.rules() == [.disorder])
    }
}
