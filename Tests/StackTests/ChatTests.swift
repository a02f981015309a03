import Foundation
import KampongClient
import Testing
import WireProtocol

extension StackTests {
    /// Two people about one spot, through the door and the live stream, as an app does it.
    @Suite(.serialized) struct ChatTests {
        private struct Pair {
            let ada: KampongClient
            let ben: KampongClient
            let room: RoomID

            /// Ben asks about a spot of Ada's.
            init() async throws {
                (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
                let spot = try await ada.postSpot(Community.draft())
                let subject = Subject(kind: .spot, id: ID(spot.id.uuid))
                room = try await ben.openRoom(about: subject, with: spot.postedBy.id).id
                #expect(try await ben.openRoom(about: subject, with: spot.postedBy.id).id == room)
            }
        }

        private func texts(_ client: KampongClient, _ room: RoomID) async throws -> [String] {
            try await client.messages(in: room).items.map(\.text)
        }

        @Test func two_talk_live_and_nobody_else_hears_of_it() async throws {
            let pair = try await Pair()
            let eve = try await Community.newcomer("Eve")
            let (atAda, atBen, atEve) = (Listener(pair.ada), Listener(pair.ben), Listener(eve))
            for listener in [atAda, atBen, atEve] { try await listener.connect() }
            let draft = MessageDraft(id: .new(), text: "Is it free? 🅿️")
            // However often and under whatever key: it is one message.
            for _ in 0..<3 { #expect(try await pair.ben.send(draft, to: pair.room).number == 1) }
            for listener in [atAda, atBen] {
                #expect(await eventually { listener.events.contains { $0.name == "message" } })
            }
            #expect(try await pair.ada.unreadRooms().rooms == 1)
            try await pair.ada.showTyping(in: pair.room)
            #expect(await eventually { atBen.events.contains { $0.name == "typing" } })
            try await pair.ada.markRead(pair.room, upTo: 1)
            #expect(await eventually { atBen.events.contains { $0.name == "read" } })
            #expect(try await pair.ben.room(pair.room).theirs == RoomMarks(delivered: 1, read: 1))
            #expect(try await pair.ada.unreadRooms().rooms == 0)
            let answer = try await pair.ada.send(MessageDraft(id: .new(), text: "Yes."), to: pair.room)
            #expect(answer.number == 2)
            for client in [pair.ada, pair.ben] {
                #expect(try await texts(client, pair.room) == ["Is it free? 🅿️", "Yes."])
            }
            #expect(atBen.events.filter { $0.name == "message" && $0.data.contains("Is it free?") }.count == 1)
            #expect(!atAda.events.contains { $0.name == "typing" })
            for kind in ["message", "read", "typing", "roomChanged"] {
                #expect(!atEve.events.contains { $0.name == kind })
            }
            #expect(await Result { try await eve.room(pair.room) }.refusal == .notFound)
            #expect(await Result { try await eve.messages(in: pair.room) }.refusal == .notFound)
        }

        @Test(.onProcesses) func who_comes_back_gets_what_was_said_and_not_that_somebody_was_writing() async throws {
            let pair = try await Pair()
            let listener = Listener(pair.ada)
            try await listener.connect()
            listener.cut()
            try await pair.ben.showTyping(in: pair.room)
            for number in 1...3 { _ = try await pair.ben.send(.init(id: .new(), text: "No. \(number)"), to: pair.room) }
            try await listener.connect()
            #expect(await eventually { listener.events.filter { $0.name == "message" }.count == 3 })
            #expect(!listener.events.contains { $0.name == "typing" })
        }

        @Test func a_room_is_put_away_found_and_closed_with_its_spot() async throws {
            let pair = try await Pair()
            _ = try await pair.ben.send(MessageDraft(id: .new(), text: "About the xylophone"), to: pair.room)
            try await pair.ada.archive(pair.room)
            #expect(try await pair.ada.rooms().items.isEmpty)
            #expect(try await pair.ada.rooms(on: .archived).items.map(\.id) == [pair.room])
            #expect(try await pair.ada.rooms(q: "xylophone").items.map(\.id) == [pair.room])
            _ = try await pair.ben.send(MessageDraft(id: .new(), text: "Still there?"), to: pair.room)
            #expect(try await pair.ada.rooms().items.map(\.id) == [pair.room])
            let room = try await pair.ada.room(pair.room)
            try await pair.ada.removeSpot(SpotID(room.subject.id.uuid))
            let isClosed = await eventually { (try? await pair.ben.room(pair.room).state) == .closed }
            #expect(isClosed)
            let late = MessageDraft(id: .new(), text: "Too late")
            #expect(await Result { try await pair.ben.send(late, to: pair.room) }.refusal == .wrongState)
            #expect(try await texts(pair.ada, pair.room) == ["About the xylophone", "Still there?"])
        }
    }
}
