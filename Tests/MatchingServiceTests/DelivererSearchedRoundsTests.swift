import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// From somebody who says that they are there to the notice of somebody who looked for that, and back.
@Suite("Standing searches for deliverers", .serialized)
struct DelivererSearchedRoundsTests {
    /// Whoever is at Unicafe, unless it is said otherwise.
    private func query(_ change: (inout DelivererSearch) -> Void = { _ in }) -> WantedQuery {
        var search = DelivererSearch(restaurant: unicafe.id)
        change(&search)
        return WantedQuery(deliverers: search)
    }

    private func bringing(
        _ searches: Searches, _ change: (inout AvailabilityDraft) -> Void = { _ in }
    ) async throws -> Subject {
        Subject(try await searches.deliveries.bringing(by: maya, change).id)
    }

    /// Who was told since this began, by all that the rounds do.
    private func told(_ searches: Searches) async throws -> [PersonID] {
        let before = try await searches.told().count
        try await searches.run()
        return try await searches.told().dropFirst(before).map(\.person)
    }

    /// How many things are to be looked at.
    private func looks(_ searches: Searches) async throws -> Int { try await searches.count("looks") }

    @Test func who_looks_for_somebody_is_told_when_they_are_there_and_when_they_go() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(query()).id
            #expect(try await told(searches).isEmpty)
            #expect(searches.stock.asked(.read) + searches.stock.asked(.look) == 0, "no other service is asked")
            let there = try await bringing(searches)
            #expect(try await told(searches) == [tom])
            let notice = try #require(try await searches.deliveries.told(NoticeRaised.self).last)
            #expect(notice.kind == .delivererFound && notice.subject == there && notice.actor == maya)
            #expect(notice.title == "Unicafe")
            let find = try #require(try await searches.finds(id).first)
            #expect(find.deliverer?.restaurant == unicafe.shown)
            #expect(find.deliverer.map { Subject($0.deliverer.id) } == there)
            #expect(try await searches.seen(id).found == 1)
            try await searches.deliveries.useCases.endDelivery(.from(maya))
            #expect(try await told(searches).isEmpty)
            #expect(try await searches.takenBack(there) == [tom])
            #expect(try await searches.finds(id).map { $0.deliverer == nil } == [true])
            #expect(try await looks(searches) == 0)
        }
    }

    @Test func whoever_is_there_already_is_no_news() async throws {
        try await Searches.with { searches in
            let there = try await bringing(searches)
            let draft = WantedDraft(query: query { ($0.restaurant, $0.near) = (nil, position(300)) })
            try await searches.run()
            let estimate = try await searches.useCases.estimate(draft, for: Caller(person: tom))
            #expect(estimate.fitting == 1 && estimate.perMonth == 1)
            let id = try await searches.post(draft.query).id
            #expect(try await told(searches).isEmpty)
            #expect(try await searches.finds(id).compactMap(\.deliverer).map { Subject($0.deliverer.id) } == [there])
            // A change that others do not see, and one that they do.
            try await searches.deliveries.bringing { $0.capacity = 1 }
            #expect(try await looks(searches) == 0)
            try await searches.deliveries.bringing { $0.minutes = 60 }
            #expect(try await looks(searches) == 1)
            #expect(try await told(searches).isEmpty)
        }
    }

    @Test func time_takes_it_back() async throws {
        try await Searches.with { searches in
            try await searches.post(query())
            let there = try await bringing(searches)
            #expect(try await told(searches) == [tom])
            searches.deliveries.advance(minutes: 30)
            try await searches.deliveries.pass()
            #expect(try await told(searches).isEmpty)
            #expect(try await searches.takenBack(there) == [tom])
        }
    }

    @Test func full_hands_are_not_found_and_nobody_is_told_twice() async throws {
        try await Searches.with { searches in
            let deliveries = searches.deliveries
            try await searches.post(query())
            let there = try await bringing(searches)
            #expect(try await told(searches) == [tom])
            try await deliveries.ordering(by: kim)
            try await deliveries.decide()
            #expect(try await told(searches).isEmpty)
            #expect(try await searches.takenBack(there) == [tom])
            try await searches.post(query(), by: lin)
            #expect(try await told(searches).isEmpty)
            let match = try #require(try await deliveries.asked(maya))
            try await deliveries.act(.decline, on: match, by: maya)
            #expect(try await told(searches) == [lin], "and not Tom, who was told of this one already")
            try await deliveries.useCases.endDelivery(.from(maya))
            #expect(try await told(searches).isEmpty)
            #expect(try await bringing(searches) != there)
            #expect(Set(try await told(searches)) == [tom, lin], "of another one both are")
        }
    }

    @Test func paused_and_unlisted_are_not_found() async throws {
        try await Searches.with { searches in
            try await searches.post(query())
            let there = try await bringing(searches) { $0.isListed = false }
            #expect(try await looks(searches) == 0)
            #expect(try await told(searches).isEmpty)
            _ = try await searches.database.query("UPDATE availabilities SET state = 'paused', is_listed = true")
            #expect(try await told(searches).isEmpty)
            _ = try await searches.deliveries.useCases.resumeDelivery(.from(maya))
            #expect(try await told(searches) == [tom])
            _ = try await searches.database.query("UPDATE availabilities SET state = 'paused'")
            #expect(try await told(searches).isEmpty)
            #expect(try await searches.takenBack(there) == [tom])
        }
    }

    @Test func ones_own_and_those_who_are_apart_are_not_found() async throws {
        try await Searches.with { searches in
            for person in [maya, tom, lin] { try await searches.post(query(), by: person) }
            try await searches.deliveries.block(tom, maya)
            let there = try await bringing(searches)
            #expect(try await told(searches) == [lin])
            try await searches.deliveries.suspend(maya, until: nil)
            #expect(try await told(searches).isEmpty)
            #expect(try await searches.takenBack(there) == [lin])
        }
    }

    @Test func campuses_are_kept_apart_and_who_moves_is_found_there() async throws {
        try await Searches.with(campuses: CampusSeparation(isOn: true)) { searches in
            for (person, campus) in [(maya, "north"), (tom, "north"), (lin, "south")] {
                try await searches.deliveries.name(person, "Somebody", campus: campus)
            }
            for person in [tom, lin] { try await searches.post(query(), by: person) }
            _ = try await bringing(searches)
            #expect(try await told(searches) == [tom])
            let moved = PersonSummary(id: maya, name: "Maya", campus: "south")
            try await searches.deliveries.hear(PersonChanged(person: moved))
            #expect(try await told(searches) == [lin])
        }
    }

    @Test func who_erases_themselves_is_gone() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(query()).id
            let there = try await bringing(searches)
            #expect(try await told(searches) == [tom])
            try await searches.deliveries.erase(maya)
            #expect(try await told(searches).isEmpty)
            #expect(try await searches.takenBack(there) == [tom])
            #expect(try await searches.finds(id).isEmpty)
            #expect(try await searches.count("searchables") == 0)
        }
    }

    @Test func who_would_go_too_far_out_of_their_way_is_not_found() async throws {
        try await Searches.with { searches in
            try await searches.post(query { $0.to = position(1290) })
            try await searches.post(query { $0.to = position(1310) }, by: lin)
            _ = try await bringing(searches)
            #expect(try await told(searches) == [tom], "300 metres beyond Exactum, and no more")
            try await searches.deliveries.bringing { $0.detour = 300 }
            #expect(try await told(searches) == [lin])
        }
    }

    @Test func circles_are_around_restaurants() async throws {
        try await Searches.with { searches in
            try await searches.post(query { ($0.restaurant, $0.near, $0.radius) = (nil, position(0, 200), 150) })
            try await searches.post(query { ($0.restaurant, $0.near) = (nil, position(0, 200)) }, by: lin)
            _ = try await bringing(searches)
            #expect(try await told(searches) == [lin], "200 metres away")
            try await searches.deliveries.bringing { $0.restaurant = chemicum.id }
            #expect(try await told(searches) == [tom], "100 metres")
        }
    }

    @Test func it_looks_until_it_said() async throws {
        try await Searches.with { searches in
            let wanted = try await searches.post(query { $0.until = after(minutes: 10) })
            #expect(wanted.expiresAt == after(minutes: 10))
            searches.deliveries.advance(minutes: 10)
            _ = try await bringing(searches)
            #expect(try await told(searches).isEmpty)
            let again = await refusalCode { try await searches.useCases.renew(wanted.id, .from(tom)) }
            #expect(again == .invalid, "its time is over")
        }
    }

    @Test func several_who_look_for_one_hand_are_told_in_waves() async throws {
        try await Searches.with { searches in
            for person in crowd(7) { try await searches.post(query(), by: person) }
            _ = try await bringing(searches)
            #expect(try await told(searches).count == 5)
            searches.deliveries.advance(minutes: 0.5)
            #expect(try await told(searches).count == 2)
        }
    }

    @Test func a_schema_from_before_looks_at_who_is_there() async throws {
        let old = Array(MatchingSchema.migrations.prefix { $0.number < 12 })
        try await Deliveries.with(migrations: old) { deliveries in
            try await deliveries.bringing()
            try await deliveries.bringing(by: lin) { $0.isListed = false }
            try await deliveries.database.migrate(MatchingSchema.migrations)
            #expect(try await looks(Searches(in: deliveries)) == 1)
        }
    }
}
