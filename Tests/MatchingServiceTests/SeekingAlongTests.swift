import DurableMessaging
import FoundationEssentials
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// Who seeks along the way of a ride, as its driver sees it, and whom they invite.
@Suite struct SeekingAlongTests {
    /// Three who seek along Maya's ride, so many metres from where it begins.
    private func three(_ searches: Searches) async throws -> (ride: RideID, ids: [PersonID: WantedID]) {
        let ride = try await searches.ride(0)
        var ids: [PersonID: WantedID] = [:]
        for (person, east) in [(tom, 2000.0), (kim, 500), (lin, 1000)] {
            ids[person] = try await searches.seek(rides(from: east), by: person).id
        }
        return (ride, ids)
    }

    @Test func its_driver_sees_those_along_its_way_the_fewest_metres_first() async throws {
        try await Searches.with { searches in
            let (ride, ids) = try await three(searches)
            // Too far, not to be seen, and by somebody who looks for something else.
            try await searches.seek(rides(from: 9000), by: .new())
            try await searches.post(rides(from: 100), by: .new())
            try await searches.post(cars("pram"), by: .new())
            let along = try await searches.along(ride)
            #expect(along.map(\.seeker.person.id) == [kim, lin, tom])
            #expect(along.map(\.seeker.id) == [kim, lin, tom].compactMap { ids[$0] })
            #expect(along.map(\.extra) == along.map(\.startGap) && along.allSatisfy { $0.detour == 2 * $0.extra })
            #expect(along.allSatisfy { $0.invitedAt == nil && $0.seeker.from.name == "Kerava" })
            // What fits no more is left out, though it was found.
            let moved = Stock.Item(subject: Subject(ride), owner: maya, title: "Ride", position: position(5800))
            searches.stock.put(moved)
            #expect(try await searches.along(ride).map(\.seeker.person.id) == [tom, lin])
        }
    }

    @Test func who_is_shown_later_is_seen_along_what_was_there_before() async throws {
        try await Searches.with { searches in
            let ride = try await searches.ride(0)
            let id = try await searches.post(rides(from: 500)).id
            #expect(try await searches.along(ride).isEmpty)
            try await searches.change(id, WantedChange(isVisible: true))
            #expect(try await searches.along(ride).map(\.seeker.id) == [id])
            // It goes on, and stays what it is.
            try await searches.change(id, WantedChange(isPaused: true))
            try await searches.change(id, WantedChange(isPaused: false))
            #expect(try await searches.along(ride).map(\.seeker.id) == [id])
            try await searches.invite(id, to: ride)
            #expect(try await searches.finds(id).count == 1)
        }
    }

    @Test func it_comes_page_by_page() async throws {
        try await Searches.with { searches in
            let (ride, _) = try await three(searches)
            var (found, query): ([PersonID], RideSeekersQuery) = ([], RideSeekersQuery(ride: ride, limit: 1))
            repeat {
                let page = try await searches.useCases.rideSeekers(query, for: Caller(person: maya))
                found += page.items.map(\.seeker.person.id)
                query.cursor = page.next
            } while query.cursor != nil
            #expect(found == [kim, lin, tom])
            for wrong in [
                RideSeekersQuery(ride: ride, limit: 0), RideSeekersQuery(ride: ride, limit: 101),
                RideSeekersQuery(ride: ride, cursor: "x"),
            ] {
                let refused = await refusalCode {
                    try await searches.useCases.rideSeekers(wrong, for: Caller(person: maya))
                }
                #expect(refused == .invalid)
            }
        }
    }

    @Test func for_others_there_is_no_such_ride() async throws {
        try await Searches.with { searches in
            let (ride, ids) = try await three(searches)
            #expect(await wantedRefusal { try await searches.along(ride, for: tom) } == .rideNotFound)
            #expect(await wantedRefusal { try await searches.along(.new()) } == .rideNotFound)
            let asked = searches.stock.asked(.fits)
            #expect(asked == 0, "rides is not asked for that")
            let query = RideSeekersQuery(ride: ride)
            let anonymous = await refusalCode { try await searches.useCases.rideSeekers(query, for: .anonymous) }
            #expect(anonymous == .unauthenticated)
            #expect(
                await wantedRefusal { try await searches.invite(ids[kim]!, to: ride, by: tom) } == .rideNotFound)
            // Nor for its driver once nobody can find it.
            searches.stock.take(Subject(ride))
            try await searches.say(Subject(ride))
            try await searches.look()
            #expect(await wantedRefusal { try await searches.along(ride) } == .rideNotFound)
            #expect(await wantedRefusal { try await searches.invite(ids[kim]!, to: ride) } == .rideNotFound)
        }
    }

    @Test func who_is_apart_or_suspended_does_not_seek_along_it() async throws {
        try await Searches.with { searches in
            let (ride, ids) = try await three(searches)
            try await searches.deliveries.part(maya, kim)
            try await searches.deliveries.suspend(lin, until: nil)
            #expect(try await searches.along(ride).map(\.seeker.person.id) == [tom])
            for person in [kim, lin] {
                let refused = await wantedRefusal { try await searches.invite(ids[person]!, to: ride) }
                #expect(refused == .notFound)
            }
            #expect(try await searches.invitations().isEmpty)
            #expect(searches.stock.asked(.fits) == 1)
        }
    }

    @Test func who_is_of_another_campus_does_not_either() async throws {
        try await Searches.with(campuses: CampusSeparation(isOn: true)) { searches in
            let all: [(PersonID, String?)] = [(maya, "north"), (tom, "north"), (kim, "south"), (lin, nil)]
            for (person, campus) in all { try await searches.deliveries.name(person, "Somebody", campus: campus) }
            let (ride, ids) = try await three(searches)
            #expect(try await searches.along(ride).map(\.seeker.person.id) == [tom])
            #expect(await wantedRefusal { try await searches.invite(ids[kim]!, to: ride) } == .notFound)
            #expect(await wantedRefusal { try await searches.invite(ids[tom]!, to: ride) } == nil)
        }
    }

    @Test func where_rides_does_not_answer_nobody_is_said_to_be_gone() async throws {
        try await Searches.with { searches in
            let (ride, _) = try await three(searches)
            searches.stock.setAway(true)
            #expect(await refusalCode { try await searches.along(ride) } == .unavailable)
        }
    }

    // MARK: Inviting

    @Test func somebody_is_invited_once() async throws {
        try await Searches.with { searches in
            let (ride, ids) = try await three(searches)
            let (seeker, request) = (ids[kim]!, UUID.version7())
            try await searches.invite(seeker, to: ride, id: request)
            try await searches.replica.invite(seeker, to: ride, id: request)
            searches.clock.advance(by: .seconds(60))
            try await searches.invite(seeker, to: ride)
            let expected = NoticeRaised(
                .rideInvited, .invitation(to: ride, of: seeker), to: .people([kim]), by: maya, Subject(ride),
                title: "Ride 0", at: noon)
            #expect(try await searches.invitations() == [expected])
            let along = try await searches.along(ride)
            #expect(along.map(\.invitedAt) == [noon, nil, nil])
            // To another ride of the same driver they are.
            let other = try await searches.ride(500)
            try await searches.say(Subject(other))
            try await searches.look()
            try await searches.invite(seeker, to: other)
            #expect(try await searches.invitations().map(\.subject) == [Subject(ride), Subject(other)])
        }
    }

    @Test func who_does_not_seek_along_it_is_not_invited() async throws {
        try await Searches.with { searches in
            let ride = try await searches.ride(0)
            let far = try await searches.seek(rides(from: 9000)).id
            let hidden = try await searches.post(rides(from: 100), by: kim).id
            let paused = try await searches.seek(rides(from: 100), by: lin).id
            try await searches.change(paused, WantedChange(isPaused: true), by: lin)
            for seeker in [far, hidden, paused, .new()] {
                #expect(await wantedRefusal { try await searches.invite(seeker, to: ride) } == .notFound)
            }
            try await searches.deliveries.suspend(maya, until: nil)
            #expect(await refusalCode { try await searches.invite(far, to: ride) } == .suspended)
            #expect(try await searches.count("invitations") == 0)
        }
    }

    @Test func a_driver_invites_thirty_people_a_day() async throws {
        try await Searches.with { searches in
            let ride = try await searches.ride(0)
            var ids: [WantedID] = []
            for person in crowd(31) { ids.append(try await searches.seek(rides(hours: 48), by: person).id) }
            for id in ids.prefix(30) { try await searches.invite(id, to: ride) }
            let limit = WantedError.tooManyInvitations(limit: 30)
            #expect(await wantedRefusal { try await searches.invite(ids[30], to: ride) } == limit)
            #expect(await wantedRefusal { try await searches.invite(ids[0], to: ride) } == nil, "that is done already")
            searches.clock.advance(by: .seconds(86_400))
            try await searches.invite(ids[30], to: ride)
            #expect(try await searches.invitations().count == 31)
        }
    }

    @Test func two_who_are_invited_last_at_once_are_not_both() async throws {
        try await Searches.with { searches in
            let ride = try await searches.ride(0)
            var ids: [WantedID] = []
            for person in crowd(31) { ids.append(try await searches.seek(by: person).id) }
            for id in ids.prefix(29) { try await searches.invite(id, to: ride) }
            let both = await atOnce(Array(ids.suffix(2))) { try await searches.replica.invite($0, to: ride) }
            #expect(both.count { $0.isSuccess } == 1)
            let told = try await searches.invitations().count
            #expect(told == 30)
        }
    }
}
