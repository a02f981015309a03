import FoundationEssentials
import GatewayService
import HTTPTypes
import Testing
import WireProtocol

/// What `/v1/rooms` asks of chat, and what the stream leaves out.
@Suite struct ChatRouteTests {
    static let room = RoomID.new()

    @Test func lists_are_asked_for_with_their_types() async throws {
        try await TestDoor.run { door async throws in
            door.backend.answer(ChatMethods.rooms, Page(items: []))
            door.backend.answer(ChatMethods.messages, MessageList(items: [], before: 8))
            let me = door.bearer()
            #expect(try await door.get("/v1/rooms?shelf=closed&q=by+the+well&limit=5&cursor=c", [me]).status == 200)
            #expect(
                try WireJSON.decode(RoomQuery.self, from: door.backend.asked[0].parameters)
                    == RoomQuery(shelf: .closed, q: "by the well", limit: 5, cursor: "c"))
            let path = "/v1/rooms/\(Self.room)/messages"
            let list = try await door.get("\(path)?after=0&limit=100", [me])
            #expect(list.status == 200)
            // As the service says it: where there is more, and that there is none.
            #expect(list.body == Array(#"{"after":null,"before":8,"items":[]}"#.utf8))
            #expect(
                try WireJSON.decode(MessageQuery.self, from: door.backend.asked[1].parameters)
                    == MessageQuery(id: Self.room, after: 0, limit: 100))
            for (query, status) in [
                ("before=0", 422), ("after=-1", 422), ("before=x", 400), ("limit=101", 422),
                ("before=9007199254740992", 422), ("before=99999999999999999999", 400),
            ] {
                #expect(try await door.get("\(path)?\(query)", [me]).status == status, "\(query)")
            }
            #expect(try await door.get("/v1/rooms?shelf=attic", [me]).status == 422)
            #expect(door.backend.asked.count == 2)
        }
    }

    @Test func unread_is_no_id_and_nobody_asks_for_nobody() async throws {
        try await TestDoor.run { door async throws in
            door.backend.answer(ChatMethods.unread, UnreadCount(rooms: 3))
            #expect(try await door.get("/v1/rooms/unread", [door.bearer()]).json(UnreadCount.self).rooms == 3)
            for route in APIRoute.all where route.path.hasPrefix("/v1/rooms") {
                let path = route.path.replacing("{id}", with: "\(Self.room)")
                let answer = try await door.json(route.method.rawValue, path, "{}")
                #expect(answer.status == 401, "\(route.operation)")
            }
            #expect(door.backend.asked.count == 1)
        }
    }

    @Test func commands_go_to_their_room() async throws {
        try await TestDoor.run { door async throws in
            let me = door.bearer()
            let message = Message(
                id: .new(), room: Self.room, number: 1, by: .new(), text: "Hi", photo: nil, sentAt: Date())
            door.backend.answer(ChatMethods.send, message)
            door.backend.answer(ChatMethods.markRead, Nothing())
            door.backend.answer(ChatMethods.typing, Nothing())
            let sent = try await door.json("POST", "/v1/rooms/\(Self.room)/messages", "{\"text\":\"Hi\"}", [me])
            #expect(sent.status == 201)
            #expect(try sent.json(Message.self).id == message.id)
            #expect(try await door.json("PUT", "/v1/rooms/\(Self.room)/read", "{\"number\":1}", [me]).status == 204)
            #expect(try await door.send("POST", "/v1/rooms/\(Self.room)/typing", [me]).status == 204)
            #expect(door.backend.asked.map(\.method) == ["chat.send", "chat.markRead", "chat.typing"])
            for asked in door.backend.asked {
                #expect(try WireJSON.decode(RoomReference.self, from: asked.parameters).id == Self.room)
            }
        }
    }

    @Test func a_picture_that_was_never_uploaded_goes_into_no_message() async throws {
        try await TestDoor.run { door async throws in
            let digest = String(repeating: "0a", count: 32)
            let answer = try await door.json(
                "POST", "/v1/rooms/\(Self.room)/messages", "{\"text\":\"\",\"photo\":\"\(digest)\"}", [door.bearer()])
            #expect(answer.status == 422)
            #expect(try answer.problem().errors.map(\.code) == ["not_a_photo"])
            #expect(door.backend.asked.isEmpty)
        }
    }

    @Test(arguments: ["typing", "matchMoved"])
    func who_comes_back_is_not_told_that_somebody_was_writing_or_somewhere_else(type: String) async throws {
        try await TestDoor.run { door async throws in
            var publisher = FakePublisher("listings")
            door.relay.restart("listings", epoch: publisher.epoch, head: 0)
            let maya = PersonID.new()
            let reader = try StreamReader(door, "", [door.bearer(maya)])
            let last = try await reader.opened()
            door.relay.relay([publisher.publish(type, to: .people([maya]))])
            #expect(try await reader.next(1).map(\.name) == [type])
            reader.close()
            door.relay.relay([publisher.publish("message", to: .people([maya]))])
            let again = try StreamReader(door, "", [door.bearer(maya), ("Last-Event-ID", last)])
            #expect(try await again.next(1).map(\.name) == ["message"])
            again.close()
        }
    }
}
