import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What a search looks for is changed, and what becomes of what it has found.
@Suite struct WantedChangeTests {
    @Test func it_looks_for_something_else_from_then_on() async throws {
        try await Searches.with { searches in
            let wanted = try await searches.post(cars("pram"))
            searches.clock.advance(by: .seconds(86_400))
            let there = searches.car("Green bike rack car")
            let changed = try await searches.change(
                wanted.id, WantedChange(query: cars("BIKE"), version: wanted.version))
            #expect(changed.query == cars("bike") && changed.version != wanted.version)
            #expect(changed.createdAt == noon && changed.expiresAt == noon + 61 * 86_400)
            #expect(try await searches.finds(wanted.id).compactMap { $0.thing?.id } == [ThingID(there.id.uuid)])
            #expect(try await !searches.isSettled(wanted.id))
            // Who has changed it in another window has not seen that.
            let late = WantedChange(query: cars("tent"), version: wanted.version)
            #expect(
                await wantedRefusal { try await searches.change(wanted.id, late) }
                    == .changedMeanwhile(changed.version))
            let latePause = WantedChange(isPaused: true, version: wanted.version)
            #expect(
                await wantedRefusal { try await searches.change(wanted.id, latePause) }
                    == .changedMeanwhile(changed.version))
        }
    }

    @Test func what_is_the_same_is_no_change() async throws {
        try await Searches.with { searches in
            let wanted = try await searches.post(cars("pram"))
            _ = try await searches.database.query("UPDATE wanted SET is_settled = true")
            let waiting = searches.car("Red pram car")
            try await searches.hit(waiting, by: [wanted.id])
            searches.clock.advance(by: .seconds(60))
            let same = try await searches.change(wanted.id, WantedChange(query: cars(" Pram"), version: "another"))
            #expect(same.expiresAt == wanted.expiresAt && same.found == 1 && same.version == wanted.version)
            #expect(try await searches.change(wanted.id, WantedChange()) == same)
            #expect(try await searches.isSettled(wanted.id))
            #expect(try await searches.hit(of: waiting)?.state == "waiting")
        }
    }

    @Test(arguments: ["waiting", "late"]) func what_was_not_told_is_dropped(state: String) async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            let (told, waiting) = (searches.car("Old pram car"), searches.car("Red pram car"))
            try await searches.hit(told, "told", by: [id])
            try await searches.hit(waiting, state, by: [id])
            _ = try await searches.database.query("UPDATE wanted SET digest_at = \(after(minutes: 60))")
            let changed = try await searches.change(id, WantedChange(query: cars("bike")))
            #expect(changed.found == 1 && changed.lastFoundAt == noon)
            #expect(try await searches.hit(of: waiting) == nil)
            #expect(try await searches.hit(of: told)?.state == "told")
            #expect(try await searches.finds(id).compactMap { $0.thing?.id } == [ThingID(told.id.uuid)])
            #expect(try await searches.count("wanted WHERE digest_at IS NOT NULL") == 0)
        }
    }

    @Test(arguments: ["waiting", "late"]) func what_another_search_finds_too_is_told_by_that(state: String) async throws
    {
        try await Searches.with { searches in
            let first = try await searches.post(cars("pram")).id
            let second = try await searches.post(cars("red")).id
            let kims = try await searches.post(cars("red"), by: kim).id
            let waiting = searches.car("Red pram car")
            try await searches.hit(waiting, state, by: [first, second])
            try await searches.hit(waiting, state, by: [kims], of: kim)
            try await searches.change(first, WantedChange(isPaused: true))
            let hit = try #require(try await searches.hit(of: waiting))
            #expect(hit.by == second && hit.state == "waiting")
            #expect(try await searches.seen(first).found == 0)
            #expect(try await searches.seen(second).found == 1)
            // It is the last one that finds it.
            try await searches.useCases.remove(second, .from(tom))
            #expect(try await searches.hit(of: waiting) == nil)
            #expect(try await searches.hit(of: waiting, for: kim)?.state == state, "others are told as before")
        }
    }

    @Test func a_paused_one_may_look_for_something_else() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            let both = WantedChange(query: cars("bike"), isPaused: true)
            #expect(try await searches.change(id, both).state == .paused)
            searches.car("Green bike rack car")
            let other = try await searches.change(id, WantedChange(query: cars("rack")))
            #expect(other.state == .paused && other.query == cars("rack"))
            #expect(try await searches.count("all_finds") == 0, "what is there counts when it goes on")
            let live = WantedChange(query: cars("bike"), isPaused: false)
            #expect(try await searches.change(id, live).state == .live)
            #expect(try await searches.count("all_finds WHERE NOT is_new") == 1)
        }
    }

    @Test func what_is_refused_leaves_it_as_it_was() async throws {
        try await Searches.with(limits: WantedLimits(widest: 1)) { searches in
            let wanted = try await searches.post(cars("pram"))
            let paused = try await searches.post(cars("tent"))
            try await searches.change(paused.id, WantedChange(isPaused: true))
            for title in ["Bike car", "Bike tent car"] { try await searches.appeared(searches.car(title)) }
            try await searches.appeared(searches.car("Old tent car"))
            let wide = WantedChange(query: cars("bike"))
            #expect(await wantedRefusal { try await searches.change(wanted.id, wide) } == .tooWide)
            let goOn = WantedChange(isPaused: false)
            #expect(await wantedRefusal { try await searches.change(paused.id, goOn) } == .tooWide)
            searches.stock.setAway(true)
            #expect(await refusalCode { try await searches.change(wanted.id, wide) } == .unavailable)
            #expect(try await searches.seen(wanted.id) == wanted)
            #expect(try await searches.seen(paused.id).state == .paused)
            #expect(
                try await searches.change(wanted.id, WantedChange(isPaused: true)).state == .paused, "nobody is asked")
        }
    }

    // MARK: What the tables promise

    @Test func keys_are_there_exactly_of_what_is_live() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            func write(_ change: SQLQuery) async throws -> [String] {
                _ = try await searches.database.query("UPDATE wanted SET \(change) WHERE id = \(id)")
                return try await searches.keys(of: id)
            }
            #expect(try await write("keys = '{b,a,b}'") == ["a", "b"])
            #expect(try await write("found = 7") == ["a", "b"])
            #expect(try await write("state = 'paused'").isEmpty)
            #expect(try await write("keys = '{c}'").isEmpty)
            #expect(try await write("state = 'live'") == ["c"])
            #expect(try await write("state = 'ended', remind_at = NULL").isEmpty)
            #expect(try await write("state = 'live'") == ["c"])
            _ = try await searches.database.query("DELETE FROM wanted")
            #expect(try await searches.count("wanted_keys") == 0)
        }
    }

    @Test func rows_that_mean_nothing_are_refused() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            let wrong: [SQLQuery] = [
                "keys = '{}'", "state = 'lost'", "found = -1", "query = '[]'", "state = 'ended'",
                "due_at = expires_at + interval '1 day'", "query = jsonb_build_object('things', repeat('x', 20000))",
            ]
            for change in wrong {
                let refused = await #expect(throws: PostgresError.self) {
                    try await searches.database.query("UPDATE wanted SET \(change) WHERE id = \(id)")
                }
                #expect(refused?.constraint != nil, "\(change.text)")
            }
            let told = await constraint {
                try await searches.hit(searches.car("Red pram car"), "waiting", by: [id])
                return try await searches.database.query("UPDATE hits SET told_at = found_at")
            }
            #expect(told != nil)
        }
    }

    @Test func a_schema_from_before_gets_the_tables() async throws {
        let old = Array(MatchingSchema.migrations.prefix { $0.number < 10 })
        try await Deliveries.with(migrations: old) { deliveries in
            try await deliveries.database.migrate(MatchingSchema.migrations)
            let searches = Searches(in: deliveries)
            #expect(try await searches.post(cars("pram")).state == .live)
        }
    }
}
