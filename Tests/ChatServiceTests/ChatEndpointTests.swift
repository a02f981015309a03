import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import ChatService
@testable import Messaging

@Suite("The service as the bus sees it")
struct ChatEndpointTests {
    /// Asks as the request server does.
    private func ask<Parameters, Body, Reply>(
        _ chat: Chat, _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, _ body: Body,
        by person: PersonID? = nil
    ) async throws -> (reply: Reply, tag: String) {
        var router = RequestRouter(service: "chat")
        ChatEndpoint(chat: chat.chat).answer(on: &router)
        let route = try #require(router.routes[method.name])
        let envelope = RequestEnvelope(
            id: .version7(), method: method.name, deadline: Date() + 60, caller: Caller(person: person),
            parameters: try WireJSON.encode(parameters), body: try WireJSON.encode(body))
        let raw = try await route.handle(envelope, RequestContext(envelope, from: .gateway))
        return (try WireJSON.decode(from: raw.bytes), raw.tag)
    }

    @Test func every_method_of_the_contract_is_answered() async throws {
        try await Chat.with { chat in
            var router = RequestRouter(service: "chat")
            ChatEndpoint(chat: chat.chat).answer(on: &router)
            let methods = [
                "rooms", "room", "unread", "messages", "openRoom", "send", "markRead", "markDelivered", "archiveRoom",
                "typing", "message", "subject", "reported", "photosInUse", "photosToErase", "photosErased",
                "personalData", "ping",
            ]
            #expect(Set(router.routes.keys) == Set(methods.map { "chat.\($0)" }))
        }
    }

    @Test func a_whole_story() async throws {
        try await Chat.with { chat in
            let opened = try await ask(
                chat, ChatMethods.openRoom, Nothing(), RoomDraft(subject: spot, with: maya), by: tom
            ).reply
            let room = RoomReference(id: opened.id)
            let sent = try await ask(chat, ChatMethods.send, room, draft("Hello"), by: tom).reply
            _ = try await ask(chat, ChatMethods.typing, room, Nothing(), by: maya)
            _ = try await ask(chat, ChatMethods.markDelivered, room, MessageMark(number: 1), by: maya)
            let before = try await ask(chat, ChatMethods.room, room, Nothing(), by: tom)
            #expect(before.reply.theirs == RoomMarks(delivered: 1, read: 0))
            #expect(try await ask(chat, ChatMethods.unread, Nothing(), Nothing(), by: maya).reply.rooms == 1)
            _ = try await ask(chat, ChatMethods.markRead, room, MessageMark(number: 1), by: maya)
            let seen = try await ask(chat, ChatMethods.room, room, Nothing(), by: tom)
            #expect(seen.reply.theirs.read == 1 && seen.tag != before.tag && !seen.tag.isEmpty)
            #expect(try await ask(chat, ChatMethods.room, room, Nothing(), by: tom).tag == seen.tag)
            let page = try await ask(chat, ChatMethods.messages, MessageQuery(id: opened.id), Nothing(), by: maya).reply
            #expect(page.items == [sent])
            _ = try await ask(chat, ChatMethods.archiveRoom, room, RoomArchiving(archived: true), by: maya)
            let archived = try await ask(chat, ChatMethods.rooms, RoomQuery(shelf: .archived), Nothing(), by: maya)
                .reply
            #expect(archived.items.map(\.id) == [opened.id] && archived.items[0].archived)
        }
    }

    @Test func whoever_is_not_signed_in_is_told_so() async throws {
        try await Chat.with { chat in
            let room = RoomReference(id: try await chat.opened().id)
            let answers = [
                await refusal { try await ask(chat, ChatMethods.rooms, RoomQuery(), Nothing()) },
                await refusal { try await ask(chat, ChatMethods.room, room, Nothing()) },
                await refusal { try await ask(chat, ChatMethods.unread, Nothing(), Nothing()) },
                await refusal { try await ask(chat, ChatMethods.messages, MessageQuery(id: room.id), Nothing()) },
                await refusal { try await ask(chat, ChatMethods.send, room, draft()) },
                await refusal { try await ask(chat, ChatMethods.markRead, room, MessageMark(number: 0)) },
                await refusal { try await ask(chat, ChatMethods.markDelivered, room, MessageMark(number: 0)) },
                await refusal { try await ask(chat, ChatMethods.archiveRoom, room, RoomArchiving(archived: true)) },
                await refusal { try await ask(chat, ChatMethods.typing, room, Nothing()) },
            ]
            #expect(answers == Array(repeating: .unauthenticated, count: 9))
        }
    }

    @Test(
        arguments: [
            (ChatError.invalid([]), "invalid"), (.notFound, "not_found"), (.closed, "wrong_state"),
            (.silent, "wrong_state"), (.anotherMessage, "idempotency_mismatch"),
            (.tooManyRooms(limit: 3), "too_many_requests"), (.tooManyMessages(limit: 3), "too_many_requests"),
        ] as [(ChatError, ErrorCode)])
    func each_refusal_has_a_code_and_a_sentence(error: ChatError, code: ErrorCode) {
        let refusal = error.serviceError
        #expect(refusal.code == code)
        #expect(refusal.detail.hasSuffix("."))
        #expect((refusal.retryAfter != nil) == (code == .tooManyRequests))
    }
}
