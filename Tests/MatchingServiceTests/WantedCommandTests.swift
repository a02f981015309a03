import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What people do with their searches.
@Suite struct WantedCommandTests {
    @Test func a_search_begins_with_what_is_there() async throws {
        try await Searches.with { searches in
            let there = searches.car("Red pram car")
            searches.car("Blue car")
            searches.car("Own pram car", of: tom)
            let wanted = try await searches.post(cars(" PRAM "))
            #expect(wanted.state == .live && wanted.query == cars("pram") && wanted.found == 0)
            #expect(wanted.createdAt == noon && wanted.expiresAt == noon + 60 * 86_400 && wanted.lastFoundAt == nil)
            #expect(try await searches.seen(wanted.id) == wanted)
            let finds = try await searches.finds(wanted.id)
            #expect(finds.compactMap { $0.thing?.id } == [ThingID(there.id.uuid)] && finds[0].foundAt == noon)
            #expect(try await searches.count("all_finds WHERE NOT is_new") == 1)
            #expect(try await searches.count("hits") == 0, "nobody is told of what they were shown")
            #expect(try await !searches.isSettled(wanted.id), "what appeared meanwhile is looked for after this")
        }
    }

    @Test func one_request_makes_one_search_whatever_is_there_then() async throws {
        try await Searches.with(limits: WantedLimits(perPerson: 1, widest: 1)) { searches in
            let id = UUID.version7()
            let first = try await searches.post(cars("pram"), id: id)
            for _ in 1...3 { try await searches.appeared(searches.car("Another pram")) }
            #expect(try await searches.post(cars("pram"), id: id) == first)
            searches.stock.setAway(true)
            #expect(try await searches.replica.post(cars("pram"), id: id) == first)
            #expect(try await searches.count("wanted") == 1)
        }
    }

    @Test func nobody_has_more_than_they_may() async throws {
        try await Searches.with(limits: WantedLimits(perPerson: 2)) { searches in
            let first = try await searches.post(cars("pram"))
            try await searches.post(cars("bike"))
            try await searches.post(cars("bike"), by: kim)
            #expect(await wantedRefusal { try await searches.post(cars("tent")) } == .tooMany(limit: 2))
            try await searches.change(first.id, WantedChange(isPaused: true))
            #expect(
                await wantedRefusal { try await searches.post(cars("tent")) } == .tooMany(limit: 2),
                "what is paused can go on")
            try await searches.useCases.remove(first.id, .from(tom))
            let third = try await searches.post(cars("tent"))
            // Time has ended both, though no round came by.
            searches.clock.advance(by: .seconds(60 * 86_400))
            try await searches.post(cars("pram"))
            let renewed = try await searches.useCases.renew(third.id, .from(tom))
            #expect(renewed.state == .live && renewed.createdAt == third.createdAt)
            #expect(await wantedRefusal { try await searches.post(cars("boat")) } == .tooMany(limit: 2))
        }
    }

    @Test func two_at_once_are_not_both_the_last() async throws {
        try await Searches.with(limits: WantedLimits(perPerson: 1)) { searches in
            let both = await atOnce(["pram", "bike"]) { try await searches.replica.post(cars($0)) }
            #expect(both.count { $0.isSuccess } == 1)
            let kept = try await searches.count("wanted")
            #expect(kept == 1)
        }
    }

    @Test func what_is_wrong_is_said_and_nothing_is_kept() async throws {
        try await Searches.with { searches in
            var both = cars()
            both.spots = spots(within: 100).spots
            var neither = cars()
            neither.things = nil
            #expect(await wantedRefusal { try await searches.post(both) } == .notOneForm(2))
            #expect(await wantedRefusal { try await searches.post(neither) } == .notOneForm(0))
            let long = String(repeating: "pram ", count: 2000)
            #expect(await wantedRefusal { try await searches.post(cars(long)) } == .tooLong)
            #expect(searches.stock.asked(.read) == 0, "no other service is asked for that")
            let over = WantedQuery(things: ThingQuery(kind: .car, until: "2026-09-20T12:00:00Z"))
            #expect(await wantedRefusal { try await searches.post(over) } == .over)
            let refused = await #expect(throws: ServiceError.self) {
                try await searches.post(WantedQuery(things: ThingQuery(q: "pram")))
            }
            #expect(refused?.code == .invalid && refused?.errors.map(\.field) == ["things.kind"], "as its service says")
            searches.stock.setAway(true)
            #expect(await refusalCode { try await searches.post(cars("pram")) } == .unavailable)
            let kept = try await searches.count("wanted")
            #expect(kept == 0)
        }
    }

    @Test func others_find_no_such_search() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            let strangers = Caller(person: kim)
            #expect(await wantedRefusal { try await searches.seen(id, by: kim) } == .notFound)
            #expect(await wantedRefusal { try await searches.finds(id, by: kim) } == .notFound)
            #expect(try await searches.useCases.all(WantedListQuery(), for: strangers).items.isEmpty)
            for change in [WantedChange(query: cars("bike")), WantedChange(isPaused: true), WantedChange()] {
                #expect(await wantedRefusal { try await searches.change(id, change, by: kim) } == .notFound)
            }
            #expect(await wantedRefusal { try await searches.useCases.renew(id, .from(kim)) } == .notFound)
            #expect(await refusalCode { try await searches.useCases.remove(id, .from(kim)) } == .notFound)
            let nobody = Caller.anonymous
            #expect(await refusalCode { try await searches.useCases.wanted(id, for: nobody) } == .unauthenticated)
            #expect(await refusalCode { try await searches.useCases.renew(id, .from(nil)) } == .unauthenticated)
            #expect(try await searches.seen(id).state == .live)
        }
    }

    @Test func who_is_suspended_looks_for_nothing_new() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            try await searches.deliveries.suspend(tom, until: nil)
            #expect(await refusalCode { try await searches.post(cars("bike")) } == .suspended)
            #expect(await refusalCode { try await searches.change(id, WantedChange(isPaused: true)) } == .suspended)
        }
    }

    @Test func it_is_paused_and_goes_on_with_what_is_there_then() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            #expect(try await searches.keys(of: id) == ["kind/car"])
            let paused = try await searches.change(id, WantedChange(isPaused: true))
            #expect(paused.state == .paused)
            #expect(try await searches.change(id, WantedChange(isPaused: true)) == paused)
            #expect(try await searches.keys(of: id).isEmpty, "it is not listed")
            let meanwhile = searches.car("Red pram car")
            let live = try await searches.change(id, WantedChange(isPaused: false))
            #expect(live.state == .live && live.found == 0)
            #expect(try await searches.keys(of: id) == ["kind/car"])
            #expect(try await searches.finds(id).compactMap { $0.thing?.id } == [ThingID(meanwhile.id.uuid)])
            #expect(try await !searches.isSettled(id))
        }
    }

    @Test func it_is_renewed_also_when_it_has_ended() async throws {
        try await Searches.with { searches in
            let wanted = try await searches.post(cars("pram"))
            searches.clock.advance(by: .seconds(58 * 86_400))
            let renewed = try await searches.useCases.renew(wanted.id, .from(tom))
            #expect(renewed.expiresAt == noon + 118 * 86_400 && renewed.state == .live)
            searches.clock.advance(by: .seconds(60 * 86_400))
            #expect(try await searches.seen(wanted.id).state == .ended)
            let change = WantedChange(query: cars("bike"))
            #expect(await wantedRefusal { try await searches.change(wanted.id, change) } == .ended)
            #expect(
                await wantedRefusal { try await searches.change(wanted.id, WantedChange(isPaused: false)) } == .ended)
            let there = searches.car("Red pram car")
            let again = try await searches.useCases.renew(wanted.id, .from(tom))
            #expect(again.state == .live && again.expiresAt == noon + 178 * 86_400)
            #expect(try await searches.finds(wanted.id).compactMap { $0.thing?.id } == [ThingID(there.id.uuid)])
            // What their inbox asked is answered.
            let settled = try await searches.deliveries.told(NoticeSettled.self)
            #expect(settled.map(\.keys) == [[.wanted(wanted.id)], [.wanted(wanted.id)]])
            #expect(settled.allSatisfy { $0.to == .people([tom]) })
        }
    }

    @Test func it_is_removed_with_what_it_has_found() async throws {
        try await Searches.with { searches in
            searches.car("Red pram car")
            let id = try await searches.post(cars("pram")).id
            let waiting = searches.car("Blue pram car")
            try await searches.hit(waiting, by: [id])
            try await searches.hit(searches.car("Old pram car"), "told", by: [id])
            let request = RequestContext.from(tom)
            try await searches.useCases.remove(id, request)
            try await searches.useCases.remove(id, request)
            #expect(await refusalCode { try await searches.useCases.remove(id, .from(tom)) } == .notFound)
            #expect(try await searches.count("finds") == 0)
            #expect(try await searches.count("wanted_keys") == 0)
            #expect(try await searches.hit(of: waiting) == nil)
            let told: SQLQuery = "hits WHERE state = 'told' AND wanted IS NULL"
            #expect(try await searches.count(told) == 1, "so that nobody is told twice")
        }
    }
}
