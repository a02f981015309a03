import DurableMessaging
import FoundationEssentials
import Logging
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ChatService

/// Maya erases herself.
@Suite struct RoomErasureTests {
    private func erase(_ person: PersonID, on chat: Chat) async throws {
        try await chat.tell(PersonErased(erasure: .new(), person: person))
    }

    @Test func what_others_received_stays_without_her_name_and_her_pictures() async throws {
        try await Chat.with { chat in
            let hers = String(repeating: "b", count: 64)
            let id = try await chat.opened().id
            let empty = try await chat.opened(by: lin).id
            try await chat.write("Is it free?", in: id)
            _ = try await chat.chat.send(draft("It is.", photo: hers), in: id, .from(maya))
            _ = try await chat.chat.send(draft("", photo: hers), in: id, .from(maya))
            _ = try await chat.chat.send(draft("Mine", photo: picture), in: id, .from(tom))
            try await chat.chat.read(to: 2, in: id, .from(maya))
            let two = try await chat.opened(by: maya, with: tom, about: person(tom)).id
            try await chat.write("Hi", in: two)

            // Of what she rents, her name is among those of its partners; and once more by news that come late.
            let hired = Subject(kind: .thing, id: ID("00000000-0000-7000-8000-0000000000cc")!)
            let news = facts(of: tom, with: [maya, lin], isOpenToAll: false)
            try await chat.tell(RoomSubjectChanged(subject: hired, facts: news), from: "listings")

            try await erase(maya, on: chat)
            try await chat.tell(RoomSubjectChanged(subject: hired, facts: news), from: "listings")

            let seen = try await chat.room(id, of: tom)
            #expect(seen.with.id == .nobody && seen.with.name == "Someone" && seen.photo == nil)
            #expect(seen.state == .closed && !seen.writable && seen.theirs.read == 2 && seen.unread == 2)
            let messages = try await chat.messages(in: id)
            #expect(messages.map(\.text) == ["Is it free?", "It is.", "", "Mine"])
            #expect(messages.map(\.photo) == [nil, nil, nil, picture])
            #expect(messages.map(\.by) == [tom, .nobody, .nobody, tom])
            #expect(await refusal { try await chat.room(empty, of: lin) } == .notFound)
            #expect(await refusal { try await chat.write(in: id) } == .wrongState)
            try await chat.chat.read(to: 4, in: id, .from(tom))
            #expect(try await chat.room(id, of: tom).unread == 0)
            #expect(try await chat.rooms(of: tom, RoomQuery(shelf: .closed)).count == 2)

            for table in [
                "rooms", "members", "messages", "people", "blocks", "suspensions", "suspensions_told", "subject_news",
            ] {
                let rows = try await chat.database.query("SELECT t::text AS row FROM \(unescaped: table) t")
                #expect(
                    try rows.allSatisfy { try !$0.get("row", as: String.self).contains(maya.description) }, "\(table)")
            }
            let partners = try await chat.database.query(
                "SELECT partners FROM subject_news WHERE subject_id = \(hired.id)")
            #expect(try partners.map { try $0.get("partners", as: [PersonID].self) } == [[lin]])
            let done = try await chat.events(of: PersonalDataErased.type).compactMap {
                $0.decoded(as: PersonalDataErased.self)
            }
            #expect(done.map(\.photos) == [[hers]])
            #expect(done.flatMap(\.records).map { "\($0.count) \($0.kind.rawValue)" } == ["3 rooms", "2 messages"])
            let closed = try await chat.events(of: "roomChanged").suffix(2)
            #expect(closed.allSatisfy { $0.header.audience == .people([tom]) })
            let used = try await chat.chat.photosInUse(PhotoUse(photos: [hers, picture]))
            #expect(used.photos == [picture])
        }
    }

    @Test func several_of_one_subject_may_be_gone_and_when_both_are_nothing_is_left() async throws {
        try await Chat.with { chat in
            for person in [tom, lin, kim] {
                let id = try await chat.opened(by: person).id
                try await chat.write(by: person, in: id)
            }
            for person in [tom, lin] { try await erase(person, on: chat) }
            let unread = try await chat.rooms(of: maya)
            #expect(unread.count == 3 && unread.count { $0.with.id == .nobody && $0.state == .closed } == 2)
            try await erase(maya, on: chat)
            let left = try await chat.database.query("SELECT first_member, second_member FROM rooms")
            #expect(try left.map { try $0.get("second_member", as: PersonID.self) } == [kim])
            while try await ChatSweep(store: chat.store, limits: ChatLimits(), logger: .quiet).round() {}
            #expect(try await chat.database.query("SELECT FROM messages").count == 1)
        }
    }

    @Test func a_token_that_still_lives_leaves_nothing_behind() async throws {
        try await Chat.with { chat in
            let id = try await chat.opened().id
            try await chat.write(in: id)
            try await erase(maya, on: chat)
            // What comes late brings nobody back: not into the table of people, and so into no room.
            #expect(await refusal { try await chat.opened() } == .notFound)
            #expect(await refusal { try await chat.write(by: maya, in: id) } == .notFound)
            #expect(
                await refusal { try await chat.opened(by: maya, with: lin, about: person(lin)) } == .unauthenticated)
            #expect(await refusal { try await chat.room(id, of: maya) } == .notFound)
        }
    }

    @Test func whoever_opens_and_writes_at_that_moment_does_so_before_or_not_at_all() async throws {
        try await Chat.with(limits: ChatLimits(messagesPerMinute: 1000)) { chat in
            let id = try await chat.opened().id
            async let erasing: Void = erase(maya, on: chat)
            _ = await atOnce(Array(0..<30)) { number in
                switch number % 3 {
                case 0: _ = try await chat.write(by: maya, in: id)
                case 1: _ = try await chat.opened(by: [lin, kim][number % 2])
                default: _ = try await chat.write(by: tom, in: id)
                }
            }
            try await erasing
            for table in ["rooms", "members", "messages"] {
                let rows = try await chat.database.query("SELECT t::text AS row FROM \(unescaped: table) t")
                #expect(
                    try rows.allSatisfy { try !$0.get("row", as: String.self).contains(maya.description) }, "\(table)")
            }
        }
    }

    // MARK: One's own archive

    @Test func an_archive_has_ones_rooms_and_what_one_wrote_page_by_page() async throws {
        try await Chat.with(limits: ChatLimits(roomsPerDay: 1000, messagesPerMinute: 1000)) { chat in
            for number in 0..<120 {
                let subject = Subject(kind: .spot, id: .new())
                chat.listings.say(facts("Spot \(number)"), of: subject)
                let id = try await chat.opened(about: subject).id
                _ = try await chat.chat.send(
                    draft("Mine \(number)", photo: number == 7 ? picture : nil), in: id, .from(tom))
                try await chat.write("Not mine", by: maya, in: id)
                if number.isMultiple(of: 10) { chat.clock.advance(by: .seconds(1)) }
            }
            var (records, cursor): ([PersonalRecord], String?) = ([], nil)
            repeat {
                let page = try await chat.chat.ownRecords.page(PersonalDataQuery(person: tom, cursor: cursor))
                #expect(page.items.count <= 100)
                records += page.items
                cursor = page.next
            } while cursor != nil
            #expect(records.count { $0.kind == "rooms" } == 120)
            let messages = records.filter { $0.kind == "messages" }
            #expect(Set(messages.map(\.json)).count == 120 && messages.flatMap(\.photos) == [picture])
            #expect(records.allSatisfy { !$0.json.contains("Not mine") })
        }
    }
}
