import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// Two people who are apart: Maya, who posts, and Tom. Lin has nothing to do with it.
@Suite struct SpotBlockTests {
    private let everywhere = SpotQuery(bbox: BoundingBox(west: -180, south: -90, east: 180, north: 90))

    private func ids(_ listings: Listings, _ query: SpotQuery, by person: PersonID?) async throws -> [SpotID] {
        var (found, query): ([SpotID], SpotQuery) = ([], query)
        repeat {
            let page = try await listings.found(query, by: person)
            #expect(page.items.count <= query.limit ?? 20)
            // A page that leads on is full: those who are apart leave no gaps.
            if page.next != nil { #expect(page.items.count == query.limit ?? 20) }
            found += page.items.map(\.id)
            query.cursor = page.next
        } while query.cursor != nil
        return found
    }

    @Test func neither_finds_what_the_other_one_shares_in_any_list() async throws {
        try await Listings.with { listings in
            var (mayas, lins): ([SpotID], [SpotID]) = ([], [])
            for number in 0..<12 {
                let name = "Spot \(number)"
                mayas.append(try await listings.posted(draft(name)).id)
                lins.append(try await listings.posted(draft(name), by: lin).id)
                listings.clock.advance(by: .milliseconds(20))
            }
            let toms = try await listings.posted(draft("Tom's"), by: tom).id
            try await listings.part(maya, tom)
            for limit in [1, 5, 100] {
                let near = SpotQuery(near: draft().position, radius: 5_000, limit: limit)
                for query in [SpotQuery(bbox: everywhere.bbox, limit: limit), near] {
                    #expect(Set(try await ids(listings, query, by: tom)) == Set(lins + [toms]))
                    #expect(Set(try await ids(listings, query, by: maya)) == Set(lins + mayas))
                    #expect(Set(try await ids(listings, query, by: lin)) == Set(lins + mayas + [toms]))
                    #expect(try await ids(listings, query, by: nil).count == 25)
                }
            }
            #expect(try await ids(listings, SpotQuery(by: maya), by: tom).isEmpty)
            #expect(try await ids(listings, SpotQuery(by: tom), by: maya).isEmpty)
            #expect(try await ids(listings, SpotQuery(by: maya), by: maya).count == 12)
            #expect(try await ids(listings, SpotQuery(by: maya), by: lin).count == 12)
            try await listings.rejoin(maya, tom)
            #expect(try await ids(listings, everywhere, by: tom).count == 25)
        }
    }

    /// To the letter what is said of a spot that never was, whatever is asked of it.
    @Test func a_spot_of_somebody_who_is_apart_is_not_there() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            try await listings.part(tom, maya)
            func tries(_ id: SpotID) async -> [SpotError?] {
                [
                    await spotRefusal { try await listings.spots.spot(id, for: Caller(person: tom)) },
                    await spotRefusal { try await listings.spots.claim(id, .from(tom)) },
                    await spotRefusal { try await listings.spots.observe(id, .there, .from(tom)) },
                    await spotRefusal { try await listings.spots.observe(id, .gone, .from(tom)) },
                    await spotRefusal { try await listings.spots.release(id, .from(tom)) },
                    await spotRefusal { try await listings.spots.change(id, to: draft(), .from(tom)) },
                    await spotRefusal { try await listings.spots.remove(id, .from(tom)) },
                ]
            }
            #expect(await tries(id) == Array(repeating: .notFound, count: 7))
            #expect(await tries(.new()) == Array(repeating: .notFound, count: 7))
            #expect(try await listings.stored(id)?.state == .free)
            #expect(try await listings.stored(id)?.observations == ObservationCount(there: 0, gone: 0))
            #expect(try await listings.spots.spot(id, for: Caller(person: maya)).mine)
            #expect(try await listings.spots.spot(id, for: .anonymous).id == id)
            #expect(try await listings.spots.claim(id, .from(lin)).state == .claimed)
        }
    }

    /// What was agreed stays agreed until its time is over: the two see it, without each other's name, and it may be given back.
    @Test func a_claim_that_runs_stays_without_a_name_and_ends_by_itself() async throws {
        try await Listings.with { listings in
            try await listings.named(maya, "Maya")
            try await listings.named(tom, "Tom")
            let id = try await listings.posted().id
            _ = try await listings.spots.claim(id, .from(tom))
            try await listings.part(maya, tom)
            let held = try await listings.spots.spot(id, for: Caller(person: tom))
            #expect(held.claim?.mine == true && held.postedBy == PersonSummary(id: maya, name: "Someone"))
            let own = try await listings.spots.spot(id, for: Caller(person: maya))
            #expect(own.mine && own.claim?.by == PersonSummary(id: tom, name: "Someone"))
            #expect(own.postedBy.name == "Maya")
            for (query, person) in [(SpotQuery(of: .claimed), tom), (SpotQuery(of: .posted), maya)] {
                let page = try await listings.found(query, by: person)
                #expect(page.items.map(\.id) == [id])
                let names = Set([page.items[0].postedBy.name, page.items[0].claim?.by.name])
                #expect(names.count == 2 && names.contains("Someone"))
            }
            // The command that was done is answered again, and names nobody either.
            let again = try await listings.spots.claim(id, .from(tom))
            #expect(again.state == .claimed && again.postedBy.name == "Someone" && again.claim?.by.name == "Tom")
            // Others see what they saw.
            #expect(try await listings.spots.spot(id, for: Caller(person: lin)).postedBy.name == "Maya")

            listings.clock.advance(by: .seconds(limits.claimLifetime + 1))
            #expect(await spotRefusal { try await listings.spots.spot(id, for: Caller(person: tom)) } == .notFound)
            #expect(await spotRefusal { try await listings.spots.release(id, .from(tom)) } == .notFound)
            #expect(try await listings.found(SpotQuery(of: .claimed), by: tom).items.isEmpty)
            #expect(try await listings.spots.spot(id, for: Caller(person: maya)).state == .claimed)
        }
    }

    @Test func a_claim_that_runs_may_be_given_back_and_then_the_spot_is_gone_for_who_held_it() async throws {
        try await Listings.with { listings in
            try await listings.named(maya, "Maya")
            let id = try await listings.posted().id
            _ = try await listings.spots.claim(id, .from(tom))
            try await listings.part(maya, tom)
            let released = try await listings.spots.release(id, .from(tom))
            #expect(released.state == .free && released.postedBy.name == "Someone")
            #expect(await spotRefusal { try await listings.spots.spot(id, for: Caller(person: tom)) } == .notFound)
            #expect(await spotRefusal { try await listings.spots.claim(id, .from(tom)) } == .notFound)
            #expect(try await listings.spots.spot(id, for: Caller(person: lin)).state == .free)
            // The event is for everybody else, with the name.
            let added = try await listings.database.query(
                "SELECT payload->'spot'->'postedBy'->>'name' AS name FROM outbox WHERE header->>'type' = 'spotAdded'")
            #expect(try added.map { try $0.get("name", as: String.self) } == ["Maya", "Maya"])
        }
    }

    @Test func every_event_says_whose_spot_it_is_about() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            _ = try await listings.spots.observe(id, .there, .from(lin))
            _ = try await listings.spots.claim(id, .from(tom))
            _ = try await listings.spots.release(id, .from(tom))
            _ = try await listings.spots.change(
                id, to: draft("Moved", at: Position(latitude: 60.18, longitude: 24.95)), .from(maya))
            try await listings.spots.remove(id, .from(maya))
            let events = try await listings.events()
            #expect(events.count == 7)
            #expect(events.allSatisfy { $0.concerns == [maya] })
        }
    }

    @Test func with_a_thousand_blocks_a_box_still_comes_in_the_order_of_its_index() async throws {
        try await Listings.with { listings in
            for other in crowd(1000) { try await listings.part(tom, other) }
            _ = try await listings.database.query("ANALYZE blocks")
            for page in [
                SpotPage(.within(try #require(everywhere.bbox))), SpotPage(.near(draft().position, radius: 500)),
            ] {
                let statement = try #require(page.statements(for: tom, at: noon).first)
                let plan = try await listings.database.transaction { transaction in
                    try await transaction.query("SET LOCAL enable_seqscan = off")
                    return try await transaction.query("EXPLAIN " + statement)
                }.map { try $0.get("QUERY PLAN", as: String.self) }.joined(separator: "\n")
                #expect(plan.contains("hashed SubPlan") && !plan.contains("Join"), "\(plan)")
                #expect(plan.contains("blocks_pkey") && plan.contains("Order By: "), "\(plan)")
            }
        }
    }
}

extension Listings {
    /// As auth's events tell it.
    func part(_ one: PersonID, _ other: PersonID) async throws {
        let pair = BlockedPair(one, other)
        _ = try await database.query(
            """
            INSERT INTO blocks (person, other, generation)
            VALUES (\(pair.low), \(pair.high), 1), (\(pair.high), \(pair.low), 1)
            """)
    }

    fileprivate func rejoin(_ one: PersonID, _ other: PersonID) async throws {
        _ = try await database.query("DELETE FROM blocks WHERE person = ANY(\([one, other]))")
    }

    fileprivate func named(_ id: PersonID, _ name: String) async throws {
        _ = try await database.query("INSERT INTO people (id, name) VALUES (\(id), \(name))")
    }
}
