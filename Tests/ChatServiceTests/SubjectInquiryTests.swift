import DurableMessaging
import FoundationEssentials
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import ChatService

/// Rooms whose subject was withdrawn while chat heard nothing of it.
@Suite struct SubjectInquiryTests {
    private func inquiries(_ chat: Chat, batch: Int = 50) -> SubjectInquiries {
        let listings = chat.listings
        var inquiries = SubjectInquiries(
            store: chat.store, logger: .quiet, askForSubject: { try await listings.answer($0) }, clock: chat.clock.read)
        inquiries.batch = batch
        return inquiries
    }

    @Test func what_was_withdrawn_unheard_closes_its_rooms() async throws {
        try await Chat.with { chat in
            let (toms, lins) = (try await chat.opened().id, try await chat.opened(by: lin).id)
            try await chat.write(in: toms)
            chat.listings.say(facts(isOpen: false))
            chat.clock.advance(by: .seconds(3600))
            let inquiries = inquiries(chat)
            _ = try await inquiries.round()
            for (room, person) in [(toms, tom), (toms, maya), (lins, lin)] {
                let state = try await chat.room(room, of: person).state
                #expect(state == .closed)
            }
            #expect(try await chat.events(of: "roomChanged").count == 4, "opened, and closed")
            _ = try await inquiries.round()
            #expect(try await chat.events(of: "roomChanged").count == 4)
        }
    }

    @Test func what_is_not_there_any_more_is_over() async throws {
        try await Chat.with { chat in
            let room = try await chat.opened().id
            let title = try await chat.room(room, of: tom).title
            chat.listings.say(nil)
            chat.clock.advance(by: .seconds(3600))
            _ = try await inquiries(chat).round()
            let seen = try await chat.room(room, of: tom)
            #expect(seen.state == .closed && seen.title == title)
        }
    }

    @Test func what_became_of_it_for_some_alone_is_learnt_too() async throws {
        try await Chat.with { chat in
            let (toms, lins) = (try await chat.opened().id, try await chat.opened(by: lin).id)
            chat.listings.say(facts(isOpenToAll: false))
            chat.clock.advance(by: .seconds(3600))
            _ = try await inquiries(chat).round()
            #expect(try await chat.room(toms, of: tom).state == .open)
            #expect(try await chat.room(lins, of: lin).state == .closed)
        }
    }

    @Test func what_a_new_room_knows_the_older_ones_learn_with_it() async throws {
        try await Chat.with { chat in
            let toms = try await chat.opened().id
            chat.clock.advance(by: .seconds(3600))
            let inquiries = inquiries(chat)
            _ = try await inquiries.round()
            chat.listings.say(facts("Level 3"))
            let lins = try await chat.opened(by: lin)
            #expect(lins.title == "Level 3")
            #expect(try await chat.room(toms, of: tom).title == "By the library")
            _ = try await inquiries.round()
            #expect(try await chat.room(toms, of: tom).title == "Level 3")
        }
    }

    @Test func what_two_who_were_apart_were_not_told_is_asked_about_once_they_are_together() async throws {
        try await Chat.with { chat in
            let room = try await chat.opened().id
            chat.clock.advance(by: .seconds(3600))
            let inquiries = inquiries(chat)
            _ = try await inquiries.round()
            try await chat.tell(PeopleBlocked(pair: BlockedPair(maya, tom)))
            try await chat.tell(facts("Level 3"))
            _ = try await inquiries.round()
            #expect(try await chat.room(room, of: tom).title == "By the library")
            try await chat.tell(PeopleUnblocked(pair: BlockedPair(maya, tom)))
            // What is heard within a few minutes wins over what is asked.
            chat.clock.advance(by: .seconds(3600))
            _ = try await inquiries.round()
            #expect(try await chat.room(room, of: tom).title == "Level 3")
        }
    }

    @Test func whoever_does_not_answer_is_asked_again() async throws {
        try await Chat.with { chat in
            let room = try await chat.opened().id
            chat.listings.say(facts(isOpen: false))
            chat.clock.advance(by: .seconds(3600))
            let inquiries = inquiries(chat)
            chat.listings.isAway.withLock { $0 = true }
            await #expect(throws: ServiceError.self) { try await inquiries.round() }
            #expect(try await chat.room(room, of: tom).state == .open)
            chat.listings.isAway.withLock { $0 = false }
            _ = try await inquiries.round()
            #expect(try await chat.room(room, of: tom).state == .closed)
        }
    }

    @Test func what_cannot_be_asked_does_not_hold_up_the_others() async throws {
        try await Chat.with { chat in
            let rooms = try await openRooms(chat)
            chat.clock.advance(by: .seconds(3600))
            let isFirst = Mutex(true)
            chat.listings.meanwhile.withLock {
                $0 = {
                    let fails = isFirst.withLock { first in
                        defer { first = false }
                        return first
                    }
                    if fails { throw ServiceError(.internalError, "Broken.") }
                }
            }
            let inquiries = inquiries(chat, batch: 1)
            while try await inquiries.round() {}
            #expect(try await asked(chat) == rooms)
            #expect(try await open(chat) == rooms)
        }
    }

    @Test func once_after_a_start_and_once_a_day_so_many_at_a_time() async throws {
        try await Chat.with { chat in
            let rooms = try await openRooms(chat)
            chat.clock.advance(by: .seconds(3600))
            let inquiries = inquiries(chat, batch: 2)
            let first = try await inquiries.round()
            let asked = try await asked(chat)
            #expect(first && asked == 2)
            while try await inquiries.round() {}
            #expect(try await self.asked(chat) == rooms)
            // Nothing more until a day has passed, or it starts again.
            for subject in 0..<rooms { chat.listings.say(facts(isOpen: false), of: spots[subject]) }
            chat.clock.advance(by: .seconds(60))
            _ = try await inquiries.round()
            #expect(try await open(chat) == rooms)
            chat.clock.advance(by: .seconds(86_400))
            while try await inquiries.round() {}
            #expect(try await open(chat) == 0)
        }
    }

    @Test func news_that_came_meanwhile_win() async throws {
        try await Chat.with { chat in
            let room = try await chat.opened().id
            chat.listings.say(facts(isOpen: false))
            chat.clock.advance(by: .seconds(3600))
            chat.listings.meanwhile.withLock {
                $0 = { try await chat.tell(facts("Again", isOpen: true)) }
            }
            _ = try await inquiries(chat).round()
            let seen = try await chat.room(room, of: tom)
            #expect(seen.state == .open && seen.title == "Again")
        }
    }

    private let spots = (0..<5).map { _ in Subject(kind: .spot, id: .new()) }

    private func openRooms(_ chat: Chat) async throws -> Int {
        for subject in spots {
            chat.listings.say(facts(), of: subject)
            try await chat.opened(about: subject)
        }
        return spots.count
    }

    private func asked(_ chat: Chat) async throws -> Int {
        try await chat.database.query("SELECT count(*) AS count FROM rooms WHERE asked_at IS NOT NULL")[0].get("count")
    }

    private func open(_ chat: Chat) async throws -> Int {
        try await chat.database.query("SELECT count(*) AS count FROM rooms WHERE state = 'open'")[0].get("count")
    }
}
