import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// When it is not asked once more what was there as a search began, and when it has to be.
@Suite struct WantedHeardTests {
    @Test func where_nothing_was_heard_meanwhile_nobody_is_asked_again() async throws {
        try await Searches.with { searches in
            try await searches.listen()
            searches.car("Red pram car")
            let id = try await searches.post(cars("pram")).id
            _ = try await searches.catchUp().round()
            #expect(try await searches.isSettled(id))
            #expect(searches.stock.asked(.look) == 1)
            // It goes on, and looks for something else, in the same way, once all is known that is there.
            try await searches.look()
            try await searches.change(id, WantedChange(isPaused: true))
            try await searches.change(id, WantedChange(isPaused: false))
            _ = try await searches.catchUp().round()
            try await searches.change(id, WantedChange(query: cars("red")))
            _ = try await searches.catchUp().round()
            #expect(try await searches.isSettled(id))
            #expect(searches.stock.asked(.look) == 3)
            // What is heard of from then on finds it.
            try await searches.run()
            let next = searches.car("Red bike car")
            try await searches.say(next)
            try await searches.run()
            #expect(try await searches.told() == [ToldFind(person: tom, subject: next)])
        }
    }

    enum Meanwhile: CaseIterable {
        /// Something was to be looked at before it was asked what fits.
        case looks
        /// Something of its service was heard before the search was listed, or since, before it was settled.
        case heard
        /// Its service has begun anew.
        case anew
        /// Its person may find what they did not before.
        case together
        /// Another process made it, or this one was started anew.
        case restart
        /// Nobody has heard of its service yet.
        case never
    }

    @Test(arguments: Meanwhile.allCases) func where_something_may_have_passed_by_it_is_asked_again(
        _ meanwhile: Meanwhile
    ) async throws {
        try await Searches.with { searches in
            if meanwhile != .never { try await searches.listen() }
            if meanwhile == .looks { try await searches.say(searches.car("Blue car")) }
            let id = try await searches.post(cars("pram")).id
            let missed = searches.car("Red pram car")
            switch meanwhile {
            case .heard: try await searches.appeared(missed)
            case .anew: _ = try await searches.database.query("UPDATE offsets SET epoch = gen_random_uuid()")
            case .together: try await searches.store.transaction { try await $0.lookOnceMore(for: [tom]) }
            case .looks, .restart, .never: break
            }
            if meanwhile == .together { searches.clock.advance(by: .seconds(10)) }
            _ = try await (meanwhile == .restart ? searches.replica : searches).catchUp().round()
            #expect(try await searches.isSettled(id))
            #expect(searches.stock.asked(.look) == 2)
            #expect(try await searches.newFinds(id) == (meanwhile == .heard ? [missed] : []))
        }
    }

    @Test func what_is_something_else_by_then_is_not_settled_by_what_it_was() async throws {
        try await Searches.with { searches in
            try await searches.listen()
            let id = try await searches.post(cars("pram")).id
            let rows = try await searches.database.query("SELECT query FROM wanted WHERE id = \(id)")
            let (query, heard): (RawJSON, StreamOffset?) = (
                try rows[0].get("query"), try await searches.store.heard(of: .listings)
            )
            let offset = try #require(heard)
            func settles(_ id: WantedID, of service: String = "listings") async throws -> Bool {
                try await searches.store.transaction {
                    try await $0.settle(id, finding: query, of: service, heard: offset)
                }
            }
            let other = try await searches.post(cars("bike")).id
            #expect(try await !settles(other))
            #expect(try await !settles(id, of: "places"))
            #expect(try await settles(id))
            #expect(try await !settles(id), "once")
        }
    }
}
