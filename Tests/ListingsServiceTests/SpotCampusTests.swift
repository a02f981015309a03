import DurableMessaging
import Messaging
import People
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// A community that keeps its campuses apart: Maya and Lin belong to the hill, Tom to the bay, Eve to none.
@Suite struct SpotCampusTests {
    private let eve = PersonID.new()
    private let everywhere = BoundingBox(west: -180, south: -90, east: 180, north: 90)

    private func with(_ body: (Listings) async throws -> Void) async throws {
        try await Listings.with(campuses: CampusSeparation(isOn: true)) { listings in
            try await CampusIndexes.settle(true, in: listings.database)
            for (id, name, campus) in [
                (maya, "Maya", "hill"), (lin, "Lin", "hill"), (tom, "Tom", "bay"), (eve, "Eve", nil),
            ] {
                _ = try await listings.database.query(
                    "INSERT INTO people (id, name, campus) VALUES (\(id), \(name), \(campus))")
            }
            try await body(listings)
        }
    }

    private func names(_ listings: Listings, _ query: SpotQuery, by person: PersonID?) async throws -> [String] {
        try await listings.found(query, by: person).items.map(\.name).sorted()
    }

    private func isThere(_ id: SpotID, for person: PersonID?, in listings: Listings, _ roles: Set<PersonRole> = [])
        async -> Bool
    {
        (try? await listings.spots.spot(id, for: Caller(person: person, roles: roles))) != nil
    }

    @Test func each_campus_finds_its_own_and_strangers_what_belongs_to_none() async throws {
        try await with { listings in
            let mayas = try await listings.posted(draft("Maya's")).id
            _ = try await listings.posted(draft("Tom's"), by: tom)
            let eves = try await listings.posted(draft("Eve's"), by: eve).id
            for query in [SpotQuery(bbox: everywhere), SpotQuery(near: draft().position, radius: 500)] {
                #expect(try await names(listings, query, by: maya) == ["Maya's"])
                #expect(try await names(listings, query, by: lin) == ["Maya's"])
                #expect(try await names(listings, query, by: tom) == ["Tom's"])
                #expect(try await names(listings, query, by: eve) == ["Eve's"])
                #expect(try await names(listings, query, by: nil) == ["Eve's"])
                // Of whom nothing is known, nothing is known either where they belong.
                #expect(try await names(listings, query, by: .new()).isEmpty)
            }
            for (viewer, found) in [(lin, ["Maya's"]), (maya, ["Maya's"]), (tom, []), (eve, [])] {
                #expect(try await names(listings, SpotQuery(by: maya), by: viewer) == found)
            }
            #expect(try await names(listings, SpotQuery(by: maya), by: nil).isEmpty)
            #expect(await isThere(mayas, for: lin, in: listings))
            #expect(await isThere(eves, for: nil, in: listings))
            for outsider in [tom, eve, nil] { #expect(await !isThere(mayas, for: outsider, in: listings)) }
            #expect(await isThere(mayas, for: tom, in: listings, [.moderator]))
            for command in [
                await spotRefusal { try await listings.spots.claim(mayas, .from(tom)) },
                await spotRefusal { try await listings.spots.observe(mayas, .gone, .from(tom)) },
                await spotRefusal { try await listings.spots.remove(mayas, .from(tom)) },
                await spotRefusal {
                    try await listings.spots.subject(
                        SubjectQuery(subject: Subject(mayas), viewer: tom))
                },
            ] { #expect(command == .notFound) }
            #expect(try await listings.spots.claim(mayas, .from(lin)).state == .claimed)
        }
    }

    @Test func events_say_whose_they_are_and_nobody_hears_of_somebody_unknown() async throws {
        try await with { listings in
            let id = try await listings.posted().id
            _ = try await listings.spots.claim(id, .from(lin))
            _ = try await listings.spots.release(id, .from(lin))
            try await listings.spots.remove(id, .from(maya))
            _ = try await listings.posted(by: eve)
            let events = try await listings.events()
            #expect(events.map(\.campus) == ["hill", "hill", "hill", "hill", ""])
            #expect(events.allSatisfy { $0.audience == .everyone })
            // Maya's name has gone, and with it where she belongs; her spot has not.
            _ = try await listings.posted()
            _ = try await listings.database.query("DELETE FROM people WHERE id = \(maya)")
            listings.clock.advance(by: .seconds(172_800))
            let expired = try await listings.store.transaction { spots in
                try await spots.expire(atMost: 10) { $0.expire(at: spots.now) }
            }
            #expect(expired > 0)
            let last = try #require(try await listings.events().last { $0.concerns == [maya] })
            #expect(last.audience == .nobody)
        }
    }

    @Test func spots_move_with_their_posters_whatever_says_so() async throws {
        try await with { listings in
            let id = try await listings.posted(draft("Maya's")).id
            _ = try await listings.database.query("UPDATE people SET campus = 'bay' WHERE id = \(maya)")
            #expect(try await names(listings, SpotQuery(bbox: everywhere), by: tom) == ["Maya's"])
            #expect(try await names(listings, SpotQuery(bbox: everywhere), by: lin).isEmpty)
            #expect(await isThere(id, for: tom, in: listings))
            // One who holds a spot goes on holding it, and is told no name.
            _ = try await listings.spots.claim(id, .from(tom))
            _ = try await listings.database.query("UPDATE people SET campus = 'hill' WHERE id = \(maya)")
            let held = try await listings.spots.spot(id, for: Caller(person: tom))
            #expect(held.claim?.mine == true && held.postedBy.name == "Someone" && held.postedBy.campus == nil)
            let own = try await listings.spots.spot(id, for: Caller(person: maya))
            #expect(own.postedBy.name == "Maya" && own.claim?.by.name == "Someone")
            // Given back, it is free where its poster is now.
            _ = try await listings.spots.release(id, .from(tom))
            #expect(try await names(listings, SpotQuery(bbox: everywhere), by: lin) == ["Maya's"])
            #expect(try await names(listings, SpotQuery(bbox: everywhere), by: tom).isEmpty)
        }
    }

    /// Who posts and moves at once: whichever is first, the spot is where its poster is.
    @Test func posting_and_moving_at_once_leave_no_spot_behind() async throws {
        try await with { listings in
            for round in 0..<20 {
                let campus = round.isMultiple(of: 2) ? "bay" : "hill"
                async let posted = listings.posted(draft("Round \(round)"))
                async let moved = listings.database.query("UPDATE people SET campus = \(campus) WHERE id = \(maya)")
                _ = try await (posted, moved)
                let left = try await listings.database.query(
                    "SELECT name FROM spots WHERE posted_by = \(maya) AND campus IS DISTINCT FROM \(campus)")
                #expect(left.isEmpty, "round \(round)")
                listings.clock.advance(by: .seconds(1))
            }
        }
    }

    @Test func somebody_of_whom_nothing_is_known_does_nothing_until_it_is() async throws {
        let known = Mutex<PersonSummary?>(nil)
        try await Listings.with(
            campuses: CampusSeparation(isOn: true), ask: { _ in known.withLock { $0 } }
        ) { listings in
            do {
                _ = try await listings.posted()
                Issue.record("a spot of somebody unknown")
            } catch let error as ServiceError { #expect(error.code == .unavailable) }
            listings.clock.advance(by: .seconds(86_400))
            known.withLock { $0 = PersonSummary(id: maya, name: "Maya", campus: "hill") }
            let id = try await listings.posted().id
            let campus: String? = try await listings.database.query("SELECT campus FROM spots WHERE id = \(id)")[0]
                .get("campus")
            #expect(campus == "hill")
        }
    }

    @Test func a_page_of_one_campus_comes_from_an_index_of_it_and_without_separation_there_is_none() async throws {
        try await with { listings in
            for page in [SpotPage(.within(everywhere)), SpotPage(.near(draft().position, radius: 500))] {
                for viewer in [maya, nil] {
                    let statement = try #require(
                        page.statements(for: viewer, at: noon, CampusSeparation(isOn: true)).first)
                    let plan = try await listings.database.transaction { transaction in
                        try await transaction.query("SET LOCAL enable_seqscan = off")
                        // The others' index, so that this one can be seen to do.
                        try await transaction.query("DROP INDEX IF EXISTS spots_newest_within, spots_nearest")
                        return try await transaction.query("EXPLAIN " + statement)
                    }.map { try $0.get("QUERY PLAN", as: String.self) }.joined(separator: "\n")
                    #expect(plan.contains("_of_campus") && plan.contains("Index Cond: ((campus = "), "\(plan)")
                    #expect(plan.contains("Order By: "), "\(plan)")
                }
            }
            try await CampusIndexes.settle(false, in: listings.database)
            let left = try await listings.database.query(
                "SELECT FROM pg_indexes WHERE schemaname = current_schema() AND indexname LIKE '%campus'")
            #expect(left.isEmpty)
            try await CampusIndexes.settle(false, in: listings.database)
        }
    }
}
