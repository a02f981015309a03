import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// What becomes of a room when its people part, or one of them goes.
    @Suite(.serialized, .onProcesses) struct ChatLifeTests {
        @Test func who_blocks_and_who_goes_leave_what_was_written() async throws {
            let (maya, tom) = (try await Community.newcomer("Maya"), try await Community.newcomer("Tom"))
            let (mayas, toms) = (try await maya.me().id, try await tom.me().id)
            let room = try await tom.openRoom(about: Subject(kind: .person, id: ID(mayas.uuid)), with: mayas).id
            _ = try await tom.send(MessageDraft(id: .new(), text: "Hello"), to: room)
            _ = try await maya.block(toms)
            #expect(try await eventually { try await tom.room(room).writable == false })
            let late = await Result { try await tom.send(MessageDraft(id: .new(), text: "Hello?"), to: room) }
            #expect(late.refusal == .wrongState)
            try await maya.unblock(toms)
            #expect(try await eventually { try await tom.room(room).writable })
            let same = Subject(kind: .person, id: ID(toms.uuid))
            #expect(try await maya.openRoom(about: same, with: toms).id == room)
            _ = try await maya.send(MessageDraft(id: .new(), text: "Hello, Tom"), to: room)

            let erasure = try await maya.eraseMe(password: "eight or more")
            #expect(try await eventually { try await tom.room(room).with.name == "Someone" })
            #expect(try await tom.messages(in: room).items.map(\.text) == ["Hello", "Hello, Tom"])
            let part = { try await tom.erasure(erasure.id).parts.first { $0.service == "chat" } }
            #expect(try await eventually { try await part()?.doneAt != nil })
            #expect(try await part()?.records == [ErasedRecords(.rooms, 1), ErasedRecords(.messages, 1)])
        }

        @Test func an_archive_has_what_one_wrote_and_not_what_others_did() async throws {
            let (maya, tom) = (try await Community.newcomer("Maya"), try await Community.newcomer("Tom"))
            let mayas = try await maya.me().id
            let room = try await tom.openRoom(about: Subject(kind: .person, id: ID(mayas.uuid)), with: mayas).id
            _ = try await tom.send(MessageDraft(id: .new(), text: "Mine alone"), to: room)
            _ = try await maya.send(MessageDraft(id: .new(), text: "Hers alone"), to: room)
            _ = try await tom.requestExport()
            #expect(try await eventually { try await tom.export().readyAt != nil })
            let part = try await tom.export().parts.first { $0.service == "chat" }
            #expect(part?.records == 2)
        }
    }
}
