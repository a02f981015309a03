import DurableMessaging
import FoundationEssentials
import Messaging
@testable import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// What becomes of Maya's spots and claims when she is suspended. Tom holds one of hers, she holds one of Lin's.
@Suite struct SpotSuspensionTests {
    private let everywhere = SpotQuery(bbox: BoundingBox(west: -180, south: -90, east: 180, north: 90))

    @Test func open_spots_leave_claims_are_given_back_and_who_holds_one_is_told() async throws {
        try await Listings.with { listings in
            let free = try await listings.posted().id
            let toms = try await listings.posted(draft("Tom's")).id
            let lins = try await listings.posted(by: lin).id
            _ = try await listings.spots.claim(toms, .from(tom))
            _ = try await listings.spots.claim(lins, .from(maya))
            let before = try await listings.events().count
            try await listings.suspend(maya, until: after(60))
            let news = try await listings.events().dropFirst(before)
            #expect(Set(news.map(\.type)) == ["spotRemoved", "posterSuspended", "spotAdded"] && news.count == 3)
            #expect(news.first { $0.type == "posterSuspended" }?.audience == .people([tom]))
            let told = try await listings.database.query(
                "SELECT payload->>'name' AS name, payload->>'claimer' AS claimer FROM outbox WHERE header->>'type' = 'posterSuspended'"
            )
            #expect(try told.map { try $0.get("name", as: String.self) } == ["Tom's"])
            #expect(try told.map { try $0.get("claimer", as: String.self) } == [tom.description])
            // Again, it is the same.
            try await listings.suspend(maya, until: after(60))
            #expect(try await listings.events().count == before + 3)

            for query in [everywhere, SpotQuery(by: maya), SpotQuery(near: library, radius: 5000)] {
                for person in [tom, nil] {
                    #expect(!(try await listings.found(query, by: person).items.map(\.id).contains(free)))
                }
            }
            #expect(await refusalCode { try await listings.spots.spot(free, for: Caller(person: tom)) } == .notFound)
            #expect(await refusalCode { try await listings.spots.claim(free, .from(tom)) } == .notFound)
            let moderator = Caller(person: lin, roles: [.moderator])
            #expect(try await listings.spots.spot(free, for: moderator).id == free)
            #expect(try await listings.spots.spot(toms, for: Caller(person: tom)).claim?.mine == true)
            #expect(try await listings.stored(lins)?.state == .free)
            #expect(try await listings.spots.claim(lins, .from(kim)).state == .claimed)
        }
    }

    @Test func whoever_is_suspended_does_nothing_with_a_token_that_lives() async throws {
        try await Listings.with { listings in
            let (own, lins) = (try await listings.posted().id, try await listings.posted(by: lin).id)
            try await listings.suspend(maya, until: nil)
            let tries: [ErrorCode?] = [
                await refusalCode { try await listings.posted() },
                await refusalCode { try await listings.spots.claim(lins, .from(maya)) },
                await refusalCode { try await listings.spots.observe(lins, .gone, .from(maya)) },
                await refusalCode { try await listings.spots.change(own, to: draft("x"), .from(maya)) },
                await refusalCode { try await listings.spots.remove(own, .from(maya)) },
                await refusalCode { try await listings.spots.release(lins, .from(maya)) },
            ]
            #expect(tries == Array(repeating: .suspended, count: 6))
            listings.clock.advance(by: .seconds(4000 * 86_400))
            #expect(await refusalCode { try await listings.posted() } == .suspended)
            try await listings.apply(PersonReinstated(person: maya))
            #expect(try await listings.posted().state == .free)
        }
    }

    /// Nobody has to do anything: its time is over, and they come back, and watchers see it.
    @Test func spots_come_back_at_the_end_and_when_it_is_lifted() async throws {
        try await Listings.with { listings in
            let rounds = listings.rounds
            let kept = try await listings.posted(draft(kind: .private)).id
            let short = try await listings.posted().id
            try await listings.suspend(maya, until: after(120))
            #expect(try await rounds.reconcile() == 0)
            listings.clock.advance(by: .seconds(119 * 60))
            #expect(try await rounds.reconcile() == 0)
            #expect(try await listings.found(everywhere).items.isEmpty)
            listings.clock.advance(by: .seconds(61))
            let before = try await listings.events().count
            #expect(try await rounds.reconcile() == 2)
            #expect(try await listings.found(everywhere).items.map(\.id) == [kept])
            // The other one's time is over, of which nobody is told.
            #expect(try await listings.events().dropFirst(before).map(\.type) == ["spotAdded"])
            #expect(try await rounds.reconcile() == 0)
            #expect(try await listings.stored(short)?.isWithheld == false)

            try await listings.suspend(maya, until: nil)
            #expect(try await listings.found(everywhere).items.isEmpty)
            try await listings.apply(PersonReinstated(person: maya))
            #expect(try await listings.found(everywhere).items.map(\.id) == [kept])
        }
    }

    /// What moderators have hidden stays so, whatever becomes of its poster.
    @Test func hidden_and_withheld_are_two_things() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            try await listings.hide(id, Hiding(at: noon, reason: "x"))
            try await listings.suspend(maya, until: nil)
            try await listings.apply(PersonReinstated(person: maya))
            #expect(try await listings.found(everywhere).items.isEmpty)
            try await listings.suspend(maya, until: nil)
            try await listings.restore(id)
            #expect(try await listings.found(everywhere).items.isEmpty)
            #expect(try await listings.events().map(\.type) == ["spotAdded", "spotRemoved"])
            try await listings.apply(PersonReinstated(person: maya))
            #expect(try await listings.events().map(\.type) == ["spotAdded", "spotRemoved", "spotAdded"])
        }
    }

    /// Whichever comes first: nothing of theirs is on the map, nothing is held by them, and who got a spot of theirs was told.
    @Test func a_suspension_while_posting_and_claiming_leaves_nothing() async throws {
        try await Listings.with { listings in
            let rounds = listings.rounds
            for person in crowd(12) {
                let (own, others) = (try await listings.posted(by: person).id, try await listings.posted(by: lin).id)
                let claimer = PersonID.new()
                async let post = refusalCode { try await listings.posted(draft("New"), by: person) }
                async let claim = refusalCode { try await listings.spots.claim(others, .from(person)) }
                async let claimed = refusalCode { try await listings.spots.claim(own, .from(claimer)) }
                async let suspend: Void = listings.suspend(person, until: nil)
                let (posted, held, taken, _) = (await post, await claim, await claimed, try await suspend)
                _ = try await rounds.reconcile()
                #expect([nil, .suspended].contains(posted) && [nil, .suspended].contains(held))
                #expect([nil, .notFound].contains(taken))
                #expect(try await listings.found(SpotQuery(by: person), by: tom).items.isEmpty)
                #expect(try await listings.stored(others)?.claimer == nil)
                #expect(try await listings.stored(own)?.isWithheld == true)
                let told = try await listings.database.query(
                    """
                    SELECT count(*) AS count FROM outbox
                    WHERE header->>'type' = 'posterSuspended' AND payload->>'claimer' = \(claimer.description)
                    """)[0].get("count", as: Int.self)
                #expect(told == (taken == nil ? 1 : 0))
                try await listings.spots.remove(others, .from(lin))
            }
        }
    }

    @Test func a_snapshot_brings_suspensions_from_before_and_the_sweep_what_follows() async throws {
        try await Listings.with { listings in
            let (mayas, toms) = (try await listings.posted().id, try await listings.posted(by: tom).id)
            let all = [SuspendedPerson(person: maya, until: nil), SuspendedPerson(person: tom, until: after(60))]
            let suspensions = SuspensionProjection(database: listings.database) { last in
                let rest = all.filter { last == nil || $0.person > last! }
                return Page(items: Array(rest.prefix(1)), next: rest.count > 1 ? "more" : nil)
            }
            // Lifted while the snapshot was under way: a page that was made before does not bring it back.
            try await listings.apply(PersonReinstated(person: tom))
            while try await suspensions.snapshot.step() {}
            _ = try await listings.rounds.reconcile()
            #expect(try await listings.stored(mayas)?.isWithheld == true)
            #expect(try await listings.stored(toms)?.isWithheld == false)
            #expect(await refusalCode { try await listings.posted() } == .suspended)
        }
    }
}

extension Listings {
    func suspend(_ person: PersonID, until: Date?) async throws {
        try await apply(
            PersonSuspended(person: person, suspension: Suspension(since: clock.now, until: until, reason: "x")))
    }
}
