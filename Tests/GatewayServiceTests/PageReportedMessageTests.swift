import FoundationEssentials
import NIOCore
import Testing
import WireProtocol

@testable import GatewayService

/// Messages that are reported and hidden, with links and forms alone; and what streams give again of them.
@Suite struct PageReportedMessageTests {
    @Test func one_is_reported_from_its_room_read_by_a_moderator_and_shown_as_hidden() async throws {
        try await PageDoor.run { door in
            let pair = try await PageChatTests.talk(door)
            let message = pair.talk.write("I know where you live.", by: pair.benID)
            let form = "/report?kind=message&amp;id=\(message.id)"
            #expect(try await pair.ada.get(pair.room).text.contains("href=\"\(form)\""))
            #expect(!(try await pair.ben.get(pair.room).text.contains("kind=message")), "one's own is not reported")
            let path = form.replacing("&amp;", with: "&")
            let page = try await pair.ada.get(path).text
            #expect(page.contains("Report a message") && page.contains("A message from Ben"))
            #expect(page.contains("I know where you live."))
            #expect(try await pair.ben.get(path)["Location"] == pair.room)
            let subject = Subject(kind: .message, id: ID(message.id.uuid))
            let report = Report(id: .new(), subject: subject, reason: .harassment, reportedAt: Date())
            door.services.answer(AuthMethods.report, report)
            let sent = try await pair.ada.post(path, ["reason": "harassment"])
            #expect(sent["Location"] == "\(pair.room)?done=reported")
            #expect(try door.services.asked(AuthMethods.report).map(\.content.subject) == [subject])

            let mod = try await door.join("Mod")
            #expect(try await mod.get(path).status == 404, "it is no chat of theirs")
            door.appoint("Mod", .moderator)
            let (author, reporter) = (try door.person("Ben"), try door.person("Ada"))
            let kept = PageCase(
                of: subject, about: author, title: "Ben", by: reporter, .harassment, possible: [.hide], at: door)
            let found = ReportedMessages(
                reported: message.id, items: [message], people: [author.summary, reporter.summary])
            door.services.on(AuthMethods.reportedMessages) { request in
                try request.caller.require(.moderator)
                return found
            }
            let one = kept.file.value.about.id
            let file = try await mod.get("/moderation/cases/\(one)").text
            #expect(file.contains("A message from Ben") && !file.contains("where you live"))
            #expect(file.contains("href=\"/moderation/cases/\(one)/messages\""))
            #expect(file.contains("href=\"/moderation/cases/\(one)/hide\""))
            let read = try await mod.get("/moderation/cases/\(one)/messages").text
            #expect(read.contains("I know where you live.") && read.contains("in the audit log"))
            #expect(try await pair.ada.get("/moderation/cases/\(one)/messages").status == 403)

            var hidden = message
            (hidden.text, hidden.hidden) = ("", true)
            pair.talk.messages.mutate { [hidden] in $0 = [hidden] }
            pair.talk.change { [hidden] in $0.last = hidden }
            for visitor in [pair.ada, pair.ben] {
                let room = try await visitor.get(pair.room).text
                #expect(room.contains("Moderators have hidden this message.") && !room.contains("kind=message"))
                #expect(try await visitor.get("/messages").text.contains("Moderators have hidden this message."))
            }
        }
    }

    @Test func hidden_words_leave_what_a_gateway_remembers() throws {
        let (room, ada, ben) = (RoomID.new(), PersonID.new(), PersonID.new())
        func item(_ position: Int64, _ text: String) throws -> (StreamItem, Message) {
            let message = Message(
                id: .new(), room: room, number: Int(position), by: ben, text: text, photo: "p", sentAt: Date())
            let event = MessageSent(
                message: message, to: ada, subject: Subject(kind: .person, id: ID(ada.uuid)), title: nil)
            let header = EventHeader(
                id: .version7(), type: MessageSent.type, aggregate: "room/\(room)", audience: .people([ada, ben]),
                occurredAt: Date())
            return (
                StreamItem(
                    publisher: "chat", position: position, header: header, payload: try WireJSON.encode(event)), message
            )
        }
        var log = StreamLog(epoch: UUID(), head: 0)
        let (first, _) = try item(1, "Harmless")
        let (second, message) = try item(2, "Canary seed")
        log.append(first)
        log.append(second)
        log.redact(MessageHidden(room: room, id: message.id, number: 2, hidden: true))
        guard case .replay(let items) = log.resume(from: .init(epoch: log.epoch, position: 0)) else {
            Issue.record("nothing is given again")
            return
        }
        let text = items.map { String(buffer: $0.frame) }.joined()
        #expect(items.map(\.position) == [1, 2] && text.contains("Harmless") && !text.contains("Canary seed"))
        #expect(text.contains("\"hidden\":true") && text.contains("\(message.id)"))
    }
}
