import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// What becomes of rides and seats where somebody is suspended, erases themselves, or is apart from somebody, and what moderators do.
@Suite struct RideCommunityTests {
    // MARK: Suspensions

    @Test func rides_of_who_is_suspended_are_not_found_and_come_back() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let toms = try await rides.seated(tom, in: ride).id
            rides.clock.advance(by: .milliseconds(1))
            let lins = try await rides.ask(ride, by: lin).id
            try await rides.suspend(maya, until: after(hours: 10))
            #expect(try await rides.states([toms, lins]) == [.removed, .removed])
            #expect(try await rides.changes() == ["tom ended", "lin ended"])
            #expect(await rideRefusal { try await rides.seen(ride, by: kim) } == .notFound)
            #expect(try await rides.seen(ride, by: tom).action == .unavailable, "who has to do with it sees it")
            #expect(try await rides.told(RideRemoved.self).map(\.id) == [ride])
            #expect(await refusalCode { try await rides.ask(ride, by: kim) } == .notFound)
            rides.advance(hours: 10)
            try await rides.pass()
            #expect(try await rides.seen(ride, by: kim).action == .ask)
            #expect(try await rides.told(RidePosted.self).map(\.ride.id) == [ride, ride])
            #expect(try await rides.wrongSums() == 0)
        }
    }

    @Test func a_ride_that_cannot_be_read_keeps_no_other_away() async throws {
        try await Rides.with { rides in
            let (broken, back) = (try await rides.posted().id, try await rides.posted(by: kim).id)
            for driver in [maya, kim] { try await rides.suspend(driver, until: after(hours: 10)) }
            let away = try await rides.posted(by: lin).id
            let lins = try await rides.ask(away).id
            // Known to auth, and not heard of here yet.
            _ = try await rides.database.query(
                """
                INSERT INTO suspensions (person, until, generation)
                SELECT \(lin), \(after(hours: 20)), generation FROM suspensions WHERE person = \(kim)
                """)
            _ = try await rides.database.query("UPDATE rides SET stop_names[1] = NULL WHERE id = \(broken)")
            rides.advance(hours: 10)
            try await rides.pass()
            #expect(try await rides.stored(back)?.isWithheld == false)
            #expect(try await rides.stored(away)?.isWithheld == true)
            #expect(try await rides.states([lins]) == [.removed])
        }
    }

    @Test func seats_of_who_is_suspended_go_to_who_waits() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { ($0.seats, $0.accepts) = (1, .everybody) }.id
            let toms = try await rides.ask(ride).id
            let lins = try await rides.ask(ride, by: lin) { $0.waitlist = true }.id
            try await rides.suspend(tom, until: nil)
            #expect(try await rides.states([toms, lins]) == [.removed, .accepted])
            #expect(await refusalCode { try await rides.ask(ride) } == .suspended)
        }
    }

    @Test func who_is_under_way_stays_in_the_car() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let toms = try await rides.seated(tom, in: ride).id
            rides.advance(hours: 48)
            try await rides.pass()
            try await rides.suspend(maya, until: nil)
            try await rides.block(maya, tom)
            #expect(try await rides.stored(toms)?.state == .accepted)
            rides.advance(hours: 10)
            try await rides.pass()
            #expect(try await rides.stored(toms)?.state == .rode)
        }
    }

    // MARK: Blocks

    @Test func what_two_who_are_apart_have_not_begun_with_each_other_ends() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let seats = [try await rides.seated(tom, in: ride).id, try await rides.seated(lin, in: ride).id]
            let toms = try await rides.posted(by: tom) { $0.departsAt = WireJSON.text(of: after(hours: 80)) }.id
            let mayas = try await rides.ask(toms, by: maya).id
            try await rides.block(tom, maya)
            #expect(try await rides.states(seats + [mayas]) == [.removed, .accepted, .withdrawn])
            let told = try await rides.told(SeatChanged.self)
            #expect(
                told.map(\.what) == [.ended] && told.allSatisfy { $0.request.by == nil },
                "of what was asked for nobody hears")
            #expect(try await rides.stored(seats[0])?.changedBy == nil)
            #expect(await rideRefusal { try await rides.seen(ride, by: tom) } == .notFound)
            #expect(await rideRefusal { try await rides.ask(ride) } == .notFound)
            try await rides.hear(PeopleUnblocked(pair: BlockedPair(maya, tom)))
            #expect(try await rides.seen(ride, by: tom).action == .ask)
        }
    }

    // MARK: Moderation

    @Test func what_is_hidden_is_found_by_those_who_have_to_do_with_it() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { $0.seats = 1 }.id
            let toms = try await rides.seated(tom, in: ride).id
            let lins = try await rides.ask(ride, by: lin) { $0.waitlist = true }.id
            let hiding = Hiding(at: noon, reason: "Rude.")
            try await rides.hear(SubjectHidden(subject: Subject(ride), hiding: hiding))
            #expect(await rideRefusal { try await rides.seen(ride, by: kim) } == .notFound)
            #expect(try await rides.seen(ride, by: maya).hidden == hiding)
            #expect(try await rides.seen(ride, by: tom).hidden == nil)
            #expect(try await rides.told(RoomSubjectChanged.self).last?.facts.title == nil)
            #expect(try await rides.told(RideRemoved.self).map(\.state) == [.open])
            try await rides.act(toms, .leave, by: tom)
            #expect(try await rides.stored(lins)?.state == .waiting, "nobody gets a seat meanwhile")
            try await rides.hear(SubjectRestored(subject: Subject(ride)))
            #expect(try await rides.stored(lins)?.state == .pending)
            #expect(try await rides.seen(ride, by: kim).id == ride)
            let snapshot = try await rides.rides.subject(SubjectQuery(subject: Subject(ride), viewer: nil))
            #expect(
                snapshot == SubjectSnapshot(owner: maya, title: "San Luis Obispo → San Francisco", text: "No smoking."))
        }
    }

    // MARK: Erasure

    @Test func nothing_is_left_of_who_erases_themselves() async throws {
        try await Rides.with { rides in
            try await rides.name(maya, "Maya")
            let empty = try await rides.posted { $0.departsAt = WireJSON.text(of: after(hours: 20)) }.id
            let ride = try await rides.posted().id
            let toms = try await rides.seated(tom, in: ride).id
            let lins = try await rides.posted(by: lin) {
                ($0.departsAt, $0.maxDetour) = (WireJSON.text(of: after(hours: 80)), 50_000)
            }.id
            let mayas = try await rides.ask(lins, by: maya) {
                $0.from = SeatPointDraft(name: "Maya's house", address: "12 Vine St", position: Example.paso)
                $0.to = SeatPointDraft(stop: 2)
                ($0.riders, $0.message) = (["Maya"], "It is Maya.")
            }.id
            try await rides.act(mayas, .accept, by: lin)
            try await rides.rides.save(lins, .from(maya))
            let entries = CalendarEntriesQuery(person: maya)
            #expect(try await rides.rides.calendarEntries(entries).items.count == 3)

            try await rides.erase(maya)

            #expect(try await rides.stored(empty) == nil)
            let kept = try await rides.stored(ride)
            #expect(kept?.driver == .nobody && kept?.state == .removed && kept?.notes == nil)
            #expect(kept?.way.stops.allSatisfy { $0.address == nil && $0.position == $0.position.onGrid } == true)
            #expect(try await rides.states([toms, mayas]) == [.removed, .removed])
            let seat = try await rides.stored(mayas)
            #expect(seat?.rider == .nobody && seat?.part.boarding.own == nil && seat?.part.boarding.stop == 0)
            #expect(try await rides.stored(lins)?.load.people == [])
            #expect(try await rides.changes() == ["tom rideRemoved", "maya ended"])
            for table in ["rides", "seat_requests", "saved_rides", "ride_regions", "people", "calendar_entries"] {
                let rows = try await rides.database.query("SELECT t::text AS row FROM \(unescaped: table) t")
                for row in rows {
                    let text: String = try row.get("row")
                    #expect(!text.contains(maya.description) && !text.contains("Maya") && !text.contains("Vine"))
                }
            }
            let records = try await rides.told(PersonalDataErased.self).flatMap(\.records)
            #expect(records.map { "\($0.count) \($0.kind.rawValue)" } == ["1 rides", "1 unnamed", "2 seats"])
            #expect(await refusalCode { try await rides.posted() } == .unauthenticated)
            #expect(try await rides.wrongSums() == 0)
        }
    }

    @Test func of_two_who_are_both_gone_nothing_is_kept_and_two_who_left_one_car_may_both_go() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            for person in [tom, lin] { _ = try await rides.seated(person, in: ride) }
            rides.advance(hours: 48)
            try await rides.pass()
            try await rides.erase(tom)
            try await rides.erase(lin)
            rides.advance(hours: 10)
            try await rides.pass()
            #expect(try await rides.told(EncounterCompleted.self).isEmpty)
            try await rides.erase(maya)
            #expect(try await rides.database.query("SELECT FROM seat_requests").isEmpty)
            #expect(try await rides.database.query("SELECT FROM rides").isEmpty)
        }
    }

    // MARK: One's own records

    @Test func ones_own_records_are_rides_seats_and_what_one_saved() async throws {
        try await Rides.with { rides in
            _ = try await rides.posted()
            let lins = try await rides.posted(by: lin) { $0.departsAt = WireJSON.text(of: after(hours: 80)) }.id
            _ = try await rides.ask(lins, by: maya)
            try await rides.rides.save(lins, .from(maya))
            #expect(try await rides.recordKinds(of: maya) == ["rides", "seats", "saved"])
        }
    }
}

extension Rides {
    /// What there is among somebody's own records, page by page.
    func recordKinds(of person: PersonID) async throws -> [String] {
        var (kinds, cursor): ([String], String?) = ([], nil)
        let sections = PersonalSections(rides.ownRecords)
        repeat {
            let page = try await sections.page(PersonalDataQuery(person: person, cursor: cursor))
            kinds += page.items.map(\.kind)
            cursor = page.next
        } while cursor != nil
        return kinds
    }
}
