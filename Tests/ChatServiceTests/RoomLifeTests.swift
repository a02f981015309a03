import DurableMessaging
import FoundationEssentials
import Logging
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ChatService

/// What becomes of Tom's and Maya's room by what happens elsewhere.
@Suite struct RoomLifeTests {
    @Test func a_room_follows_what_it_is_about() async throws {
        try await Chat.with { chat in
            let (toms, lins) = (try await chat.opened().id, try await chat.opened(by: lin).id)
            try await chat.write(in: toms)
            try await chat.tell(facts("Level 3", photo: nil))
            var seen = try await chat.room(toms, of: maya)
            #expect(seen.title == "Level 3" && seen.photo == nil && seen.state == .open)
            #expect(try await chat.events(of: "roomChanged").count == 2, "only that they were opened")

            try await chat.tell(facts(isOpen: false))
            seen = try await chat.room(toms, of: maya)
            #expect(seen.state == .closed && !seen.writable && seen.last?.text == "Hello")
            #expect(await refusal { try await chat.write(in: toms) } == .wrongState)
            #expect(try await chat.chat.unread(for: Caller(person: maya)).rooms == 1, "it is still to be read")
            #expect(try await chat.rooms(of: maya).map(\.id) == [toms])
            #expect(try await chat.rooms(of: tom).isEmpty)
            let told = try await chat.events(of: "roomChanged").suffix(2)
            #expect(Set(told.map(\.header.audience)) == [.people([maya, tom]), .people([maya, lin])])
            #expect(told.allSatisfy { $0.decoded(as: RoomChanged.self)?.state == .closed })
            #expect(await refusal { try await chat.opened() } == nil, "it can be read")
            // What can be read can be read to its end.
            try await chat.chat.read(to: 1, in: toms, .from(maya))
            #expect(try await chat.chat.unread(for: Caller(person: maya)).rooms == 0)
            #expect(try await chat.rooms(of: maya).isEmpty)
            #expect(try await chat.rooms(of: maya, RoomQuery(shelf: .closed)).map(\.id) == [toms])

            try await chat.tell(facts(isOpen: true))
            #expect(try await chat.room(lins, of: lin).writable)
            try await chat.write(in: toms)
            #expect(try await chat.room(toms, of: maya).unread == 1)
        }
    }

    @Test func a_room_about_a_thing_lives_as_long_as_it_is_let() async throws {
        try await Chat.with { chat in
            let thing = Subject(kind: .thing, id: ID("00000000-0000-7000-8000-0000000000bb")!)
            chat.listings.say(facts("Blue van", with: []), of: thing)
            let id = try await chat.opened(about: thing).id
            let (seen, again) = (try await chat.room(id, of: tom), try await chat.opened(about: thing).id)
            #expect(seen.subject == thing && seen.title == "Blue van" && again == id)
            #expect(await refusal { try await chat.opened(by: maya, with: lin, about: thing) } == .notFound)
            try await chat.write(in: id)
            try await chat.tell(facts("Blue van", with: [], isOpen: false), of: thing)
            #expect(try await chat.room(id, of: maya).state == .closed)
        }
    }

    @Test func what_is_shared_no_more_is_open_to_those_who_have_to_do_with_it() async throws {
        try await Chat.with { chat in
            let (toms, lins) = (try await chat.opened().id, try await chat.opened(by: lin).id)
            try await chat.write(in: toms)
            try await chat.write(by: lin, in: lins)
            try await chat.tell(facts(isOpenToAll: false))
            #expect(try await chat.room(toms, of: maya).writable)
            try await chat.write(by: maya, in: toms)
            for person in [lin, maya] { #expect(try await chat.room(lins, of: person).state == .closed) }
            #expect(await refusal { try await chat.write(by: lin, in: lins) } == .wrongState)
            #expect(await refusal { try await chat.opened(by: kim) } == .wrongState)
            let told = try await chat.events(of: "roomChanged").dropFirst(2)
            #expect(told.map(\.header.audience) == [.people([maya, lin])])
            #expect(told.first?.decoded(as: RoomChanged.self)?.state == .closed)
            // Lin rents it next, and Tom does no more.
            try await chat.tell(facts(with: [lin], isOpenToAll: false))
            #expect(try await chat.room(lins, of: lin).writable)
            #expect(try await chat.room(toms, of: tom).state == .closed)
            try await chat.tell(facts(with: [lin], isOpenToAll: true))
            #expect(try await chat.room(toms, of: tom).writable)
        }
    }

    @Test func what_moderators_hide_is_not_named_in_its_rooms() async throws {
        try await Chat.with { chat in
            let (toms, lins) = (try await chat.opened().id, try await chat.opened(by: lin).id)
            try await chat.tell(PeopleBlocked(pair: BlockedPair(maya, lin)))
            try await chat.tell(facts(nil, photo: nil))
            for (room, person) in [(toms, tom), (toms, maya), (lins, lin)] {
                let seen = try await chat.room(room, of: person)
                #expect(seen.title == nil && seen.photo == nil)
            }
            #expect(try await chat.rooms(of: tom, RoomQuery(q: "library")).isEmpty)
            try await chat.write(in: toms)
            let sent = try await chat.events(of: "message").last?.decoded(as: MessageSent.self)
            #expect(sent != nil && sent?.title == nil)
            try await chat.tell(facts())
            let seen = try await chat.room(toms, of: tom)
            #expect(seen.title == "By the library" && seen.photo == picture)
        }
    }

    @Test func whoever_is_apart_is_told_no_new_names_and_pictures() async throws {
        try await Chat.with { chat in
            let (toms, lins) = (try await chat.opened().id, try await chat.opened(by: lin).id)
            try await chat.tell(PeopleBlocked(pair: BlockedPair(maya, tom)))
            let other = String(repeating: "b", count: 64)
            try await chat.tell(facts("My new address", photo: other))
            for person in [tom, maya] {
                let seen = try await chat.room(toms, of: person)
                #expect(seen.title == "By the library" && seen.photo == picture)
            }
            let seen = try await chat.room(lins, of: lin)
            #expect(seen.title == "My new address" && seen.photo == other)
            // That it is over, both hear.
            try await chat.tell(facts("My new address", isOpen: false, photo: other))
            #expect(try await chat.room(toms, of: tom).state == .closed)
        }
    }

    @Test func campuses_that_are_kept_apart_are_told_no_new_names() async throws {
        try await Chat.with(campuses: CampusSeparation(isOn: true)) { chat in
            let id = try await chat.opened().id
            try await chat.tell(PersonChanged(person: PersonSummary(id: maya, name: "Maya Tan", campus: "kumpula")))
            try await chat.tell(facts("Level 3"))
            #expect(try await chat.room(id, of: tom).title == "By the library")
            try await chat.tell(PersonChanged(person: PersonSummary(id: tom, name: "Tom", campus: "kumpula")))
            try await chat.tell(facts("Level 4"))
            #expect(try await chat.room(id, of: tom).title == "Level 4")
        }
    }

    @Test func the_same_said_again_changes_nothing() async throws {
        try await Chat.with { chat in
            let id = try await chat.opened().id
            for _ in 0..<3 { try await chat.tell(facts(isOpen: false)) }
            #expect(try await chat.events(of: "roomChanged").count == 2)
            chat.clock.advance(by: .seconds(60))
            try await chat.tell(facts("Renamed", isOpen: false))
            let closed = try await chat.database.query("SELECT closed_at FROM rooms WHERE id = \(id)")
            #expect(try closed[0].get("closed_at", as: Date.self) == noon)
        }
    }

    @Test func a_block_silences_both_and_takes_nothing_away() async throws {
        try await Chat.with { chat in
            let id = try await chat.opened().id
            try await chat.write(in: id)
            let quiet = Subject(kind: .spot, id: .new())
            chat.listings.say(facts("Level 3"), of: quiet)
            try await chat.opened(about: quiet)
            let before = try await chat.events(of: "roomChanged").count
            try await chat.tell(PeopleBlocked(pair: BlockedPair(maya, tom)))
            // Whoever has one open hears of it; of what Tom has not written in yet, Maya knows nothing.
            let news = try await chat.events(of: "roomChanged").dropFirst(before)
            #expect(Set(news.map(\.header.audience)) == [.people([maya, tom]), .people([tom])])
            #expect(news.count == 2 && news.allSatisfy { $0.decoded(as: RoomChanged.self)?.state == .open })
            for (one, other) in [(maya, tom), (tom, maya)] {
                let seen = try await chat.room(id, of: one)
                #expect(!seen.writable && seen.state == .open && seen.with.name == "Someone")
                #expect(seen.last?.text == "Hello")
                #expect(await refusal { try await chat.write(by: one, in: id) } == .wrongState)
                #expect(await refusal { try await chat.chat.type(in: id, .from(one)) } == .wrongState)
                #expect(try await chat.rooms(of: one, RoomQuery(q: other == tom ? "Tom" : "Maya")).isEmpty)
                #expect(
                    await refusal { try await chat.opened(by: one, with: other, about: person(other)) } == .notFound)
                #expect(try await chat.messages(in: id, of: one).count == 1)
            }
            try await chat.tell(PeopleUnblocked(pair: BlockedPair(maya, tom)))
            #expect(try await chat.events(of: "roomChanged").count == before + 4)
            try await chat.write(by: maya, in: id)
            #expect(try await chat.room(id, of: tom).with.name == "Maya Tan")
        }
    }

    @Test func whoever_is_suspended_reads_and_does_not_write() async throws {
        try await Chat.with { chat in
            let id = try await chat.opened().id
            try await chat.write(in: id)
            let suspension = Suspension(since: noon, until: after(60), reason: "x")
            try await chat.tell(PersonSuspended(person: tom, suspension: suspension))
            #expect(await refusal { try await chat.write(in: id) } == .suspended)
            #expect(await refusal { try await chat.opened(by: tom, with: lin, about: person(lin)) } == .suspended)
            #expect(await refusal { try await chat.opened(by: lin, with: tom, about: person(tom)) } == .notFound)
            #expect(await refusal { try await chat.write(by: maya, in: id) } == .wrongState)
            for one in [tom, maya] { #expect(try await chat.room(id, of: one).writable == false) }
            try await chat.chat.read(to: 1, in: id, .from(tom))
            chat.clock.advance(by: .seconds(3601))
            try await chat.write(in: id)
            try await chat.tell(
                PersonSuspended(person: tom, suspension: Suspension(since: noon, until: nil, reason: "x")))
            #expect(await refusal { try await chat.write(in: id) } == .suspended)
            try await chat.tell(PersonReinstated(person: tom))
            try await chat.write(in: id)
        }
    }

    @Test func campuses_that_are_kept_apart_do_not_write_to_each_other() async throws {
        try await Chat.with(campuses: CampusSeparation(isOn: true)) { chat in
            func moves(_ id: PersonID, to campus: String?) async throws {
                try await chat.tell(PersonChanged(person: PersonSummary(id: id, name: "A name", campus: campus)))
            }
            try await moves(maya, to: "kumpula")
            #expect(await refusal { try await chat.opened() } == .notFound)
            try await moves(tom, to: "kumpula")
            let id = try await chat.opened().id
            try await chat.write(in: id)
            try await moves(maya, to: "otaniemi")
            for one in [tom, maya] {
                let seen = try await chat.room(id, of: one)
                #expect(!seen.writable && seen.with.name == "Someone")
                #expect(await refusal { try await chat.write(by: one, in: id) } == .wrongState)
            }
            // Who belongs nowhere is together with others who belong nowhere.
            #expect(await refusal { try await chat.opened(by: lin, with: kim, about: person(kim)) } == nil)
            #expect(await refusal { try await chat.opened(by: .new(), with: kim, about: person(kim)) } == .unavailable)
        }
    }

    @Test func rooms_go_a_year_after_they_were_closed_or_last_written_in() async throws {
        var limits = ChatLimits()
        limits.retention = 10 * 86_400
        try await Chat.with(limits: limits) { chat in
            var sweep = ChatSweep(store: chat.store, limits: limits, logger: .quiet)
            (sweep.rooms, sweep.messages) = (1, 2)
            let (over, quiet) = (
                try await chat.opened().id, try await chat.opened(by: lin, with: tom, about: person(tom)).id
            )
            for _ in 0..<5 { try await chat.write(in: over) }
            try await chat.tell(facts(isOpen: false))
            chat.clock.advance(by: .seconds(5 * 86_400))
            try await chat.write(in: quiet)
            chat.clock.advance(by: .seconds(6 * 86_400))
            while try await sweep.round() {}
            #expect(await refusal { try await chat.room(over, of: tom) } == .notFound)
            #expect(try await chat.room(quiet, of: tom).last?.number == 1)
            for table in ["rooms": 1, "members": 2, "messages": 1, "leftovers": 0, "subject_news": 0] {
                let rows = try await chat.database.query("SELECT FROM \(unescaped: table.key)")
                #expect(rows.count == table.value, "\(table.key)")
            }
            // The pair may begin anew.
            chat.listings.say(facts())
            #expect(try await chat.opened().id != over)
            chat.clock.advance(by: .seconds(11 * 86_400))
            while try await sweep.round() {}
            #expect(try await chat.database.query("SELECT FROM messages").isEmpty)
        }
    }

    @Test func pictures_of_rooms_that_are_gone_are_the_gateways_to_delete() async throws {
        var limits = ChatLimits()
        limits.retention = 10 * 86_400
        try await Chat.with(limits: limits) { chat in
            var sweep = ChatSweep(store: chat.store, limits: limits, logger: .quiet)
            sweep.messages = 2
            let other = String(repeating: "b", count: 64)
            let (old, young) = (
                try await chat.opened().id, try await chat.opened(by: lin, with: tom, about: person(tom)).id
            )
            for photo in [picture, other, nil, picture] {
                _ = try await chat.chat.send(draft("See", photo: photo), in: old, .from(tom))
            }
            chat.clock.advance(by: .seconds(5 * 86_400))
            _ = try await chat.chat.send(draft("", photo: picture), in: young, .from(tom))
            #expect(try await chat.chat.photosToErase().items.isEmpty)

            chat.clock.advance(by: .seconds(6 * 86_400))
            _ = try await sweep.round()
            #expect(try await chat.database.query("SELECT FROM messages WHERE room = \(old)").count == 2)
            #expect(try await chat.chat.photosToErase().items.isEmpty, "another of its messages may show the same")
            while try await sweep.round() {}
            let left = LeftPhotos(room: old, photos: [picture, other])
            #expect(try await chat.chat.photosToErase().items == [left])
            // The other room's message shows one of them still, and leaves it behind in its turn.
            #expect(try await chat.chat.photosInUse(PhotoUse(photos: left.photos)).photos == [picture])
            try await chat.chat.photosErased(LeftPhotos(room: old, photos: [picture]), .from(nil))
            #expect(try await chat.chat.photosToErase().items == [LeftPhotos(room: old, photos: [other])])
            for _ in 0..<2 { try await chat.chat.photosErased(left, .from(nil)) }
            #expect(try await chat.chat.photosToErase().items.isEmpty)
            chat.clock.advance(by: .seconds(10 * 86_400))
            while try await sweep.round() {}
            #expect(try await chat.chat.photosToErase().items == [LeftPhotos(room: young, photos: [picture])])
        }
    }
}
