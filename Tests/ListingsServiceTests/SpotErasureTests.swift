import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// Maya erases herself. Tom has taken a spot of hers and she one of his; Lin looks on.
@Suite struct SpotErasureTests {
    private func erase(_ person: PersonID, on listings: Listings, at position: Int64 = 1) async throws {
        let consumer = DurableConsumer(database: listings.database)
        let people = listings.people
        people.follow(on: consumer)
        listings.blocks.follow(on: consumer)
        PeopleErasure.follow(on: consumer) { person, transaction in
            try await SpotTransaction(transaction: transaction, people: people).erase(person, within: limits)
        }
        try await consumer.hear(PersonErased(erasure: .new(), person: person), at: position, of: Self.epoch, on: noon)
    }

    private static let epoch = UUID()

    private func told(_ listings: Listings) async throws -> [PersonalDataErased] {
        try await listings.database.query(
            """
            SELECT payload::text AS payload FROM outbox WHERE header->>'type' = \(PersonalDataErased.type) ORDER BY id
            """
        ).map { try WireJSON.decode(PersonalDataErased.self, from: Array(try $0.get("payload", as: String.self).utf8)) }
    }

    @Test func what_is_hers_goes_and_what_others_need_stays_without_her() async throws {
        try await Listings.with { listings in
            let picture = String(repeating: "a", count: 64)
            let free = try await listings.posted(draft("Free", photo: picture)).id
            let taken = try await listings.posted(draft("Taken", photo: picture)).id
            _ = try await listings.spots.claim(taken, .from(tom))
            let toms = try await listings.posted(draft("Tom's"), by: tom).id
            _ = try await listings.spots.claim(toms, .from(maya))
            let lins = try await listings.posted(draft("Lin's"), by: lin).id
            _ = try await listings.spots.observe(lins, .there, .from(maya))

            try await erase(maya, on: listings)

            #expect(try await listings.stored(free) == nil)
            let kept = try await listings.spots.spot(taken, for: Caller(person: tom))
            #expect(kept.name == "Taken" && kept.photo == nil && kept.postedBy.id == .nobody)
            #expect(kept.postedBy.name == "Someone" && kept.claim?.mine == true)
            let given = try await listings.spots.spot(toms, for: Caller(person: lin))
            #expect(given.state == .free && given.claim == nil)
            #expect(try await listings.spots.spot(lins, for: .anonymous).observations.there == 1, "counts stay")
            for table in ["spots", "observations", "people", "blocks"] {
                let rows = try await listings.database.query("SELECT t::text AS row FROM \(unescaped: table) t")
                #expect(try rows.allSatisfy { try !$0.get("row", as: String.self).contains(maya.description) })
            }
            let report = try await told(listings)
            #expect(report.map(\.photos) == [[picture]])
            let records = report.flatMap(\.records).map { "\($0.count) \($0.kind.rawValue)" }
            #expect(records == ["1 spots", "1 unnamed", "1 claims", "1 observations"])
            #expect(try await listings.events(of: SpotRemoved.type).map(\.aggregate) == ["spot/\(free)"])
            // The spot that she held is on the map again.
            #expect(try await listings.events(of: SpotAdded.type).last?.aggregate == "spot/\(toms)")
            #expect(try await listings.spots.photosInUse(PhotoUse(photos: [picture])).photos.isEmpty)
        }
    }

    @Test func what_two_who_are_both_gone_had_together_is_nobodys_and_goes() async throws {
        try await Listings.with { listings in
            let spots = [try await listings.posted().id, try await listings.posted(by: tom).id]
            _ = try await listings.spots.claim(spots[0], .from(tom))
            _ = try await listings.spots.claim(spots[1], .from(maya))
            listings.clock.advance(by: .seconds(3 * 3600))
            try await erase(maya, on: listings)
            try await erase(tom, on: listings, at: 2)
            for spot in spots { #expect(try await listings.stored(spot) == nil) }
        }
    }

    @Test func what_one_holds_of_somebody_who_is_gone_goes_with_one() async throws {
        try await Listings.with { listings in
            let spot = try await listings.posted(draft("Maya's own drive")).id
            _ = try await listings.spots.claim(spot, .from(tom))
            try await erase(maya, on: listings)
            try await erase(tom, on: listings, at: 2)
            #expect(try await listings.stored(spot) == nil)
            #expect(try await listings.events(of: SpotAdded.type).count == 1, "only when it was posted")
        }
    }

    @Test func what_one_gives_back_of_somebody_who_is_gone_does_not_come_back_on_the_map() async throws {
        try await Listings.with { listings in
            let spot = try await listings.posted(draft("Maya's own drive")).id
            _ = try await listings.spots.claim(spot, .from(tom))
            try await erase(maya, on: listings)
            let given = try await listings.spots.release(spot, .from(tom))
            #expect(given.state == .expired)
            #expect(try await listings.events(of: SpotAdded.type).count == 1)
        }
    }

    @Test func a_token_that_still_lives_leaves_nothing_behind() async throws {
        try await Listings.with { listings in
            let lins = try await listings.posted(by: lin).id
            try await erase(maya, on: listings)
            let tries = [
                await refusalCode { try await listings.posted() },
                await refusalCode { try await listings.spots.claim(lins, .from(maya)) },
                await refusalCode { try await listings.spots.observe(lins, .gone, .from(maya)) },
            ]
            #expect(tries == Array(repeating: .unauthenticated, count: 3))
            #expect(try await listings.stored(lins)?.observations == ObservationCount(there: 0, gone: 0))
        }
    }

    @Test func whoever_posts_and_claims_at_that_moment_does_so_before_or_not_at_all() async throws {
        try await Listings.with { listings in
            let theirs = try await listings.posted(by: lin).id
            async let erasing: Void = erase(maya, on: listings)
            let tries = await atOnce(Array(0..<24)) { number in
                if number % 3 == 0 {
                    _ = try await listings.spots.observe(theirs, .there, .from(maya))
                } else {
                    _ = try await listings.posted(draft("Spot \(number)"))
                }
            }
            try await erasing
            for result in tries {
                guard let error = result.error else { continue }
                #expect((error as? any Refusal)?.serviceError.code == .unauthenticated)
            }
            let left = try await listings.database.query(
                """
                SELECT (SELECT count(*) FROM spots WHERE posted_by = \(maya))
                    + (SELECT count(*) FROM observations WHERE person = \(maya)) AS left_over
                """)
            #expect(try left[0].get("left_over", as: Int.self) == 0)
        }
    }

    @Test func nothing_that_comes_late_brings_her_name_back() async throws {
        try await Listings.with(ask: { PersonSummary(id: $0, name: "Maya Tan") }) { listings in
            try await erase(maya, on: listings)
            // An answer of auth that was on its way, and pages of snapshots that were made before.
            #expect(try await listings.people.summaries(of: [maya])[maya].name == "Maya Tan")
            let late: [SQLQuery] = [
                PeopleContents.insertion(of: [PersonSummary(id: maya, name: "Maya Tan")], in: 9),
                BlockContents.insertion(of: [BlockedPair(maya, tom)], in: 9),
                SuspensionContents.insertion(of: [SuspendedPerson(person: maya, until: nil)], in: 9),
            ]
            for page in late { _ = try await listings.database.query(page) }
            for table in ["people", "blocks", "suspensions"] {
                #expect(try await listings.database.query("SELECT FROM \(unescaped: table)").isEmpty, "\(table)")
            }
        }
    }
}
