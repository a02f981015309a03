import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// Searches that others may see, as their persons make and change them.
@Suite struct SeekingCommandTests {
    @Test func others_see_it_where_its_person_wants_that() async throws {
        try await Searches.with { searches in
            let hidden = try await searches.post(rides())
            let shown = try await searches.seek(by: kim)
            #expect(hidden.isVisible == false && shown.isVisible == true && shown.state == .live)
            #expect(try await searches.seen(shown.id, by: kim) == shown)
            #expect(searches.stock.asked(.seeking) == 1)
            try await searches.deliveries.name(kim, "Kim")
            let seekers = try await searches.seekers()
            #expect(seekers.map(\.id) == [shown.id])
            let seeker = try #require(seekers.first)
            #expect(seeker.person.id == kim && seeker.person.name == "Kim" && seeker.seats == 1)
            #expect(seeker.from.name == "Kerava" && seeker.from.region == "Uusimaa" && seeker.to.region == "Kainuu")
            #expect(seeker.from.position == position(0).onGrid, "roughly")
            #expect(seeker.after == after(minutes: 60) && seeker.before == after(minutes: 180))
        }
    }

    @Test func only_a_ride_is_sought_so() async throws {
        try await Searches.with { searches in
            let draft = WantedDraft(query: cars("pram"), isVisible: true)
            #expect(await wantedRefusal { try await searches.useCases.post(draft, .from(tom)) } == .onlyRides)
            let car = try await searches.post(cars("pram"))
            let ride = try await searches.seek(by: kim)
            let show = WantedChange(isVisible: true)
            #expect(await wantedRefusal { try await searches.change(car.id, show) } == .onlyRides)
            let both = WantedChange(query: cars("pram"), isVisible: true)
            #expect(await wantedRefusal { try await searches.change(ride.id, both, by: kim) } == .onlyRides)
            #expect(searches.stock.asked(.seeking) == 1)
            // Without a word it is seen no more.
            let other = try await searches.change(ride.id, WantedChange(query: cars("pram")), by: kim)
            #expect(other.isVisible == nil && other.query == cars("pram"))
            #expect(try await searches.count("wanted WHERE is_visible") == 0)
        }
    }

    @Test func that_others_see_it_begins_nothing_anew() async throws {
        try await Searches.with { searches in
            let wanted = try await searches.post(rides())
            // It is not known yet what was there: that stays so.
            let early = try await searches.change(wanted.id, WantedChange(isVisible: true))
            #expect(try await !searches.isSettled(wanted.id))
            let hidden = try await searches.change(wanted.id, WantedChange(isVisible: false))
            #expect(early.isVisible == true && hidden == wanted)
            _ = try await searches.catchUp().round()
            let asked = (searches.stock.asked(.read), searches.stock.asked(.look))
            searches.clock.advance(by: .seconds(60))
            let shown = try await searches.change(wanted.id, WantedChange(isVisible: true, version: wanted.version))
            #expect(shown.expiresAt == wanted.expiresAt && shown.version == wanted.version)
            #expect(try await searches.isSettled(wanted.id))
            #expect(searches.stock.asked(.read) == asked.0 && searches.stock.asked(.look) == asked.1)
            // Twice is once.
            #expect(try await searches.change(wanted.id, WantedChange(isVisible: true)) == shown)
            #expect(searches.stock.asked(.seeking) == 2)
            let late = WantedChange(isVisible: false, version: "another")
            #expect(
                await wantedRefusal { try await searches.change(wanted.id, late) }
                    == .changedMeanwhile(wanted.version))
            #expect(await wantedRefusal { try await searches.change(wanted.id, late, by: kim) } == .notFound)
        }
    }

    @Test func what_others_see_follows_what_it_looks_for() async throws {
        try await Searches.with { searches in
            let id = try await searches.seek().id
            searches.stock.setRegions("Pirkanmaa", nil)
            try await searches.change(id, WantedChange(query: rides(from: 5000, hours: 5, seats: 3)))
            let seeker = try #require(try await searches.seekers().first)
            #expect(seeker.from.region == "Pirkanmaa" && seeker.to.region == nil && seeker.seats == 3)
            #expect(seeker.before == after(minutes: 360) && seeker.from.position == position(5000).onGrid)
            // A renewal and a pause ask nobody for what is known.
            try await searches.change(id, WantedChange(isPaused: true))
            try await searches.change(id, WantedChange(isPaused: false))
            let renewed = try await searches.useCases.renew(id, .from(tom))
            #expect(renewed.isVisible == true && searches.stock.asked(.seeking) == 2)
            #expect(try await searches.seekers() == [seeker])
        }
    }

    @Test func where_rides_does_not_answer_nothing_is_done() async throws {
        try await Searches.with { searches in
            let id = UUID.version7()
            let first = try await searches.seek(id: id)
            let hidden = try await searches.post(rides(), by: kim)
            searches.stock.setAway(true)
            #expect(await refusalCode { try await searches.seek(by: lin) } == .unavailable)
            let show = WantedChange(isVisible: true)
            #expect(await refusalCode { try await searches.change(hidden.id, show, by: kim) } == .unavailable)
            #expect(try await searches.seek(id: id) == first, "the same request is answered as it was")
            let gone = try await searches.change(first.id, WantedChange(isVisible: false))
            #expect(gone.isVisible == false, "nobody is asked")
            #expect(try await searches.count("wanted") == 2)
        }
    }

    @Test func what_has_ended_is_shown_to_nobody_before_it_is_renewed() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(rides()).id
            searches.clock.advance(by: .seconds(3 * 3600))
            #expect(await wantedRefusal { try await searches.change(id, WantedChange(isVisible: true)) } == .ended)
            let kept = try await searches.count("wanted WHERE is_visible")
            #expect(kept == 0)
        }
    }

    // MARK: Regions

    @Test func a_region_that_was_not_known_is_asked_for_until_it_is() async throws {
        try await Searches.with { searches in
            searches.stock.setRegions(nil, "Kainuu")
            let id = try await searches.seek(rides(hours: 10)).id
            try await searches.seek(rides(from: 100, hours: 10), by: kim)
            let regions = searches.regions
            _ = try await regions.round()
            #expect(searches.stock.asked(.seeking) == 2, "not at once")
            searches.clock.advance(by: .seconds(60))
            searches.stock.setAway(true)
            _ = try await regions.round()
            #expect(searches.stock.asked(.seeking) == 3, "the first who is not answered asks for the others too")
            searches.stock.setAway(false)
            searches.clock.advance(by: .seconds(60))
            _ = try await regions.round()
            #expect(searches.stock.asked(.seeking) == 5)
            #expect(try await searches.seekers(SeekingQuery(region: "Uusimaa")).isEmpty)
            searches.stock.setRegions("Uusimaa", "Kainuu")
            try await searches.change(id, WantedChange(isPaused: true))
            searches.clock.advance(by: .seconds(600))
            _ = try await regions.round()
            #expect(try await searches.seekers(SeekingQuery(region: "Uusimaa")).map(\.person.id) == [kim])
            #expect(try await searches.count("wanted WHERE regions_due IS NOT NULL") == 1)
            try await searches.change(id, WantedChange(isPaused: false))
            _ = try await regions.round()
            #expect(try await searches.seekers(SeekingQuery(region: "Uusimaa")).count == 2)
            _ = try await regions.round()
            #expect(searches.stock.asked(.seeking) == 7)
        }
    }

    // MARK: What the tables promise

    @Test func rows_that_mean_nothing_are_refused() async throws {
        try await Searches.with { searches in
            let id = try await searches.seek().id
            let wrong: [SQLQuery] = [
                "seeking = NULL", "seeks_before = NULL", "seeking = '[]'",
                "seeking = NULL, seeks_before = NULL, announce_due = '2026-09-21T12:00:00Z'",
                "seeking = jsonb_build_object('from', repeat('x', 9000))",
            ]
            for change in wrong {
                let refused = await constraint {
                    try await searches.database.query("UPDATE wanted SET \(change) WHERE id = \(id)")
                }
                #expect(refused != nil, "\(change.text)")
            }
            try await searches.change(id, WantedChange(isVisible: false))
            let kept = try await searches.count("wanted WHERE NOT is_visible AND seeks_from IS NULL")
            #expect(kept == 1)
        }
    }

    @Test func searches_from_before_are_seen_by_nobody() async throws {
        let old = Array(MatchingSchema.migrations.prefix { $0.number < 11 })
        try await Deliveries.with(migrations: old) { deliveries in
            let (id, later) = (WantedID.new(), noon + 86_400)
            _ = try await deliveries.database.query(
                """
                INSERT INTO wanted (id, person, service, query, keys, state, created_at, changed_at, expires_at, due_at, is_settled)
                VALUES (\(id), \(tom), 'rides', \(JSON(rides())), '{ride}', 'live', \(noon), \(noon), \(later), \(later), true)
                """)
            try await deliveries.database.migrate(MatchingSchema.migrations)
            let searches = Searches(in: deliveries)
            #expect(try await searches.seen(id).isVisible == false)
            #expect(try await searches.seekers().isEmpty)
            #expect(try await searches.change(id, WantedChange(isVisible: true)).isVisible == true)
            #expect(try await searches.seekers().map(\.id) == [id])
        }
    }
}
