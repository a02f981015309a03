import DurableMessaging
import FoundationEssentials
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ChatService

/// Messages that are reported, and those that moderators hide. Tom and Maya have a room; he writes.
@Suite struct HiddenMessageTests {
    private func hide(_ message: Message, in chat: Chat) async throws {
        try await chat.tell(
            SubjectHidden(subject: subject(message), hiding: Hiding(at: chat.clock.now, reason: "Threats.")))
    }

    private func subject(_ message: Message) -> Subject { Subject(kind: .message, id: ID(message.id.uuid)) }

    private func told(_ chat: Chat) async throws -> String {
        try await chat.database.query("SELECT coalesce(string_agg(payload::text, ' '), '') AS all FROM outbox")[0].get(
            "all")
    }

    @Test func what_is_reported_is_told_to_the_two_and_without_its_words() async throws {
        try await Chat.with { chat in
            let room = try await chat.opened().id
            let message = try await chat.write("Canary seed", in: room)
            for viewer in [maya, tom, nil] {
                let found = try await chat.chat.subject(SubjectQuery(subject: subject(message), viewer: viewer))
                #expect(found == SubjectSnapshot(owner: tom, title: "Tom"))
            }
            #expect(
                await refusal { try await chat.chat.subject(SubjectQuery(subject: subject(message), viewer: lin)) }
                    == .notFound)
            #expect(try await chat.chat.message(message.id, for: Caller(person: maya)) == message)
            #expect(await refusal { try await chat.chat.message(message.id, for: Caller(person: lin)) } == .notFound)
        }
    }

    @Test func moderators_see_it_with_a_few_around_it() async throws {
        try await Chat.with { chat in
            let room = try await chat.opened().id
            var all: [Message] = []
            for number in 1...14 { all.append(try await chat.write("Number \(number)", in: room)) }
            let found = try await chat.chat.reported(all[7].id)
            #expect(found.reported == all[7].id && found.items.map(\.number) == Array(3...13))
            #expect(found.people.map(\.name) == ["Tom"])
            #expect(await refusal { try await chat.chat.reported(MessageID.new()) } == .notFound)
        }
    }

    @Test func a_hidden_one_is_told_to_nobody_and_its_words_leave_the_events() async throws {
        try await Chat.with { chat in
            let room = try await chat.opened().id
            let other = try await chat.write("Harmless", in: room)
            let message = try await chat.write("Canary seed", in: room)
            let before = try await told(chat)
            #expect(before.contains("Canary seed"))
            for _ in 0..<2 { try await hide(message, in: chat) }
            for viewer in [maya, tom] {
                let page = try await chat.chat.messages(MessageQuery(id: room), for: Caller(person: viewer)).items
                #expect(page.map(\.text) == ["Harmless", ""] && page.map(\.hidden) == [nil, true])
                let seen = try await chat.room(room, of: viewer)
                #expect(seen.last?.hidden == true && seen.last?.text == "")
                let found = try await chat.chat.rooms(RoomQuery(q: "Canary"), for: Caller(person: viewer)).items
                #expect(found.isEmpty)
                #expect(
                    try await chat.chat.rooms(RoomQuery(q: "Harmless"), for: Caller(person: viewer)).items.count == 1)
            }
            let after = try await told(chat)
            #expect(!after.contains("Canary seed") && after.contains("Harmless"))
            let hidden = try await chat.events(of: "messageHidden")
            #expect(hidden.count == 1 && hidden[0].header.audience == .people([maya, tom]))
            let own = try await chat.chat.ownRecords.page(PersonalDataQuery(person: tom))
            #expect(!own.items.contains { $0.json.contains("Canary seed") })
            // Nobody reports it once more; moderators find what it is about.
            #expect(
                await refusal { try await chat.chat.subject(SubjectQuery(subject: subject(message), viewer: maya)) }
                    == .notFound)
            #expect(try await chat.chat.reported(other.id).items.map(\.text) == ["Harmless", ""])

            try await chat.tell(SubjectRestored(subject: subject(message)))
            let back = try await chat.chat.messages(MessageQuery(id: room), for: Caller(person: maya)).items
            #expect(back.map(\.text) == ["Harmless", "Canary seed"])
            let restored = try await told(chat)
            #expect(!restored.contains("Canary seed"))
            #expect(try await chat.events(of: "messageHidden").count == 2)
        }
    }

    @Test func what_is_hidden_elsewhere_is_none_of_ours() async throws {
        try await Chat.with { chat in
            let message = try await chat.write(in: try await chat.opened().id)
            try await chat.tell(
                SubjectHidden(
                    subject: Subject(kind: .thing, id: ID(message.id.uuid)), hiding: Hiding(at: noon, reason: "x"))
            )
            try await chat.tell(
                SubjectHidden(
                    subject: Subject(kind: .message, id: .new()), hiding: Hiding(at: noon, reason: "x")))
            #expect(try await chat.events(of: "messageHidden").isEmpty)
        }
    }
}
