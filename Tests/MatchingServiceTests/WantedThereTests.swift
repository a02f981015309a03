import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What was there when a search began: it is shown with what was found since, and nobody is told of it.
@Suite struct WantedThereTests {
    @Test func what_was_there_stands_behind_what_was_found_and_each_is_shown_once() async throws {
        try await Searches.with { searches in
            let there = (0..<5).map { searches.car("Old pram car \($0)") }
            let id = try await searches.post(cars("pram")).id
            searches.clock.advance(by: .seconds(1))
            let found = searches.car("Red pram car")
            try await searches.say(found)
            try await searches.run()
            var expected = [found] + there.sorted { $0.id > $1.id }
            #expect(try await searches.pages(of: id) == expected)
            // As it goes on, what it has found is there, too.
            try await searches.change(id, WantedChange(isPaused: true))
            searches.clock.advance(by: .seconds(1))
            try await searches.change(id, WantedChange(isPaused: false))
            expected = there.sorted { $0.id > $1.id } + [found]
            #expect(try await searches.pages(of: id) == expected, "as there as it was when it went on")
            #expect(try await searches.count("finds") == 1)
            #expect(try await searches.count("wanted_there") == 1)
            try await searches.useCases.remove(id, .from(tom))
            #expect(try await searches.count("all_finds") == 0)
        }
    }

    @Test func what_nobody_had_named_before_a_search_began_is_no_news_for_it() async throws {
        try await Searches.with { searches in
            // It is said to be there, and not looked at yet.
            let said = searches.car("Red pram car")
            try await searches.say(said)
            let unheard = searches.car("Blue pram car")
            let id = try await searches.post(cars("pram")).id
            try await searches.say(unheard)
            try await searches.look()
            #expect(try await searches.newFinds(id).isEmpty)
            try await searches.run()
            try await searches.say(said, unheard)
            try await searches.run()
            #expect(try await searches.told().isEmpty)
            #expect(try await searches.newFinds(id).isEmpty)
            #expect(try await searches.finds(id).count == 2)
            #expect(try await searches.seen(id).found == 0)
        }
    }

    @Test func what_did_not_fit_while_it_was_paused_is_no_news_either() async throws {
        try await Searches.with { searches in
            let car = searches.car("Red pram car")
            let id = try await searches.post(cars("pram")).id
            try await searches.run()
            try await searches.change(id, WantedChange(isPaused: true))
            searches.stock.put(Stock.Item(subject: car, owner: maya, title: "Red car", thing: .car))
            try await searches.say(car)
            let other = searches.car("Blue pram car")
            try await searches.change(id, WantedChange(isPaused: false))
            try await searches.run()
            searches.stock.put(Stock.Item(subject: car, owner: maya, title: "Red pram car", thing: .car))
            try await searches.say(car, other)
            try await searches.run()
            #expect(try await searches.told().isEmpty)
            #expect(try await searches.newFinds(id).isEmpty)
            #expect(try await Set(searches.pages(of: id)) == [car, other])
        }
    }

    @Test func as_often_as_it_begins_the_latest_thousand_are_kept() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            let answers = (0..<4).map { _ in (0..<SearchLook.most).map { _ in Subject(ThingID.new()) } }
            for answer in answers {
                try await searches.store.transaction { try await $0.keepWhatWasThere(answer, for: id) }
            }
            let rows = try await searches.database.query("SELECT subject FROM all_finds WHERE wanted = \(id)")
            let kept: [ID<Subject>] = try rows.map { try $0.get("subject") }
            #expect(kept.count == 2 * SearchLook.most && Set(kept).count == kept.count)
            #expect(Set(kept).isSuperset(of: answers[3].map(\.id)))
            // The same once more, in another order.
            try await searches.store.transaction { try await $0.keepWhatWasThere(answers[3].reversed(), for: id) }
            #expect(try await searches.count("all_finds WHERE wanted = \(id)") == kept.count)
        }
    }

    @Test func what_was_there_can_be_asked_for_where_others_see_the_search() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            let subjects = [Subject(RideID.new()), Subject(RideID.new()), Subject(ThingID.new())]
            try await searches.store.transaction { try await $0.keepWhatWasThere(subjects, for: id) }
            #expect(try await searches.count("finds") == 0)
            #expect(try await searches.count("all_finds") == 3)
            for _ in 1...2 { try await searches.store.transaction { try await $0.showWhatWasThere(for: id) } }
            #expect(try await searches.count("finds WHERE NOT is_new") == 3)
            #expect(try await searches.count("all_finds") == 3)
            #expect(try await searches.count("wanted_there") == 0)
            // It began once more while nobody else saw it.
            try await searches.store.transaction { try await $0.keepWhatWasThere(subjects, for: id) }
            #expect(try await searches.count("all_finds") == 3)
            try await searches.store.transaction { try await $0.forgetWhatWasThere(for: id) }
            #expect(try await searches.count("all_finds") == 0)
        }
    }

    @Test func what_was_there_before_it_was_kept_so_is_still_known() async throws {
        let before = Array(MatchingSchema.migrations.prefix { $0.number < 17 })
        try await Deliveries.with(migrations: before) { deliveries in
            let searches = Searches(in: deliveries)
            let (id, other) = (WantedID.new(), WantedID.new())
            let subjects = (0..<4).map { _ in ID<Subject>.new() }
            for one in [id, other] {
                _ = try await searches.database.query(
                    """
                    INSERT INTO wanted (id, person, service, query, keys, state, created_at, changed_at, expires_at, due_at,
                        is_settled, seeking, seeks_before)
                    VALUES (\(one), \(tom), 'listings', '{}', '{car}', 'live', \(noon), \(noon), \(noon), \(noon), true,
                        \(one == other ? JSON(["a": 1]) : nil), \(one == other ? noon : nil))
                    """)
                for (kind, which, isNew) in [("thing", 0..<3, false), ("thing", 3..<4, true), ("ride", 0..<3, false)] {
                    _ = try await searches.database.query(
                        """
                        INSERT INTO finds (wanted, kind, subject, found_at, is_new)
                        SELECT \(one), \(kind), subject, \(noon), \(isNew) FROM unnest(\(Array(subjects[which]))) AS subject
                        """)
                }
            }
            func all(_ table: SQLQuery) async throws -> [String] {
                try await searches.database.query("SELECT one::text FROM \(table) AS one ORDER BY 1").map {
                    try $0.get("one")
                }
            }
            let earlier = try await all("finds")
            try await searches.database.migrate(MatchingSchema.migrations)
            #expect(try await all("all_finds") == earlier && earlier.count == 14)
            #expect(try await searches.count("finds WHERE wanted = \(other)") == 7, "others see it")
            #expect(try await searches.count("finds") == 8)
            #expect(try await searches.count("wanted_there") == 2)
        }
    }
}

extension Searches {
    /// What a search has found and what was there, as its person is shown it: two to a page.
    fileprivate func pages(of id: WantedID) async throws -> [Subject] {
        var (shown, query): ([WantedFind], WantedFindQuery?) = ([], WantedFindQuery(id: id, limit: 2))
        while let asked = query {
            let page = try await useCases.finds(asked, for: Caller(person: tom))
            shown += page.items
            query = page.next.map { WantedFindQuery(id: id, limit: 2, cursor: $0) }
        }
        return shown.compactMap { $0.thing.map { Subject($0.id) } }
    }
}
