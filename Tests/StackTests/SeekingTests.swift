import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// Those who seek a ride, and drivers who come by: through the gateway, matching, rides, notification and the live stream.
    @Suite(.serialized, .onProcesses) struct SeekingTests {
        @Test func who_seeks_a_ride_is_seen_by_a_driver_who_comes_by_invited_and_asks_for_the_seat() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let (adas, bens) = (try await ada.me().id, try await ben.me().id)
            let atAda = Listener(ada)
            try await atAda.connect()
            let (trip, key) = (Trip(in: 3 * 3600), UUID().uuidString)
            let seeking = try await Seekers.seek(trip, ada, key: key)
            #expect(try await Seekers.seek(trip, ada, key: key) == seeking)
            #expect(try await ada.wanted(seeking).isVisible == true)
            let seen = try #require(try await Seekers.seen(seeking, by: eve))
            #expect(seen.person.id == adas && seen.seats == 1 && seen.after < trip.leaves && seen.before > trip.leaves)
            #expect(seen.from.position == trip.from.onGrid && seen.to.position == trip.to.onGrid, "roughly where")

            let ride = try await ben.postRide(trip.passingBy()).id
            #expect(try await Searches.hears([Subject(ride)], ada))
            #expect(await eventually { atAda.found(Subject(ride)) == 1 })
            try await invites(seeking, to: ride, ben, ada)
            let invitation = try #require(
                try await ada.notifications(limit: 100).items.first { $0.kind == .rideInvited })
            #expect(invitation.link == "/rides/\(ride)?found=yes" && invitation.actor?.id == bens)
            try await unseen(seeking, along: ride, by: [ada, eve])

            let asked = try await ada.requestSeat(in: ride, trip.part)
            #expect(asked.state == .pending && asked.detour < 500)
            #expect(try await RideTests.hears(["seatRequested.pending"], ben))
            #expect(try await ben.act(.accept, on: asked.id).state == .accepted)
            #expect(try await RideTests.hears(["seatAnswered.accepted"], ada))

            // She has found it.
            try await ada.removeWanted(seeking)
            #expect(try await Seekers.seen(seeking, by: eve) == nil)
            #expect(try await Seekers.along(ride, of: ben).isEmpty)
            #expect(try await Seekers.told(ada).count == 1)
        }

        /// However often it is asked for, they are told once.
        private func invites(
            _ seeking: WantedID, to ride: RideID, _ ben: KampongClient, _ ada: KampongClient
        ) async throws {
            let query = RideSeekersQuery(ride: ride)
            let one = try #require(try await ben.seekers(along: query).items.first)
            #expect(one.seeker.id == seeking && one.invitedAt == nil && one.extra >= 0)
            let key = UUID().uuidString
            for key in [key, key, UUID().uuidString] { try await ben.inviteSeeker(seeking, to: ride, key: key) }
            #expect(try await Seekers.hears(["rideInvited/\(ride)"], ada))
            #expect(try await ben.seekers(along: query).items.first?.invitedAt != nil)
        }

        /// Who seeks along a ride is its driver's to know, and of others there is no such ride.
        private func unseen(_ seeking: WantedID, along ride: RideID, by others: [KampongClient]) async throws {
            for other in others {
                #expect(await Result { try await Seekers.along(ride, of: other) }.refusal == .notFound)
                #expect(await Result { try await other.inviteSeeker(seeking, to: ride) }.refusal == .notFound)
            }
            let stranger = KampongClient(baseURL: try await Community.address)
            #expect(await Result { try await Seekers.seen(seeking, by: stranger) }.refusal == .unauthenticated)
            #expect(await Result { try await Seekers.along(ride, of: stranger) }.refusal == .unauthenticated)
        }

        @Test func a_driver_is_told_of_those_who_begin_to_seek_along_the_way_by_one_notice() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let eves = try await eve.me().id
            let trip = Trip(in: 3 * 3600)
            // Who looks for a ride in private is seen by nobody.
            let (cem, ride) = (try await Community.newcomer("Cem"), try await rideThatIsKnown(trip, of: ben))
            let hidden = try await Searches.look(cem, for: WantedQuery(rides: trip.search))
            let adas = try await Seekers.seek(trip, ada)
            #expect(try await Seekers.hears(["seekerFound/\(ride)"], ben))
            let bens = try await Seekers.seek(trip, ben)
            let second = try await Seekers.seek(trip, eve)
            #expect(
                try await eventually {
                    try await ben.notifications().items.first { $0.kind == .seekerFound }?.actor?.id == eves
                })
            let notice = try #require(try await ben.notifications().items.first { $0.kind == .seekerFound })
            #expect(notice.link == "/rides/\(ride)/seekers" && notice.readAt == nil)
            #expect(try await Seekers.told(ben) == ["seekerFound/\(ride)"])
            #expect(Set(try await Seekers.along(ride, of: ben)) == [adas, second])
            #expect(try await Seekers.seen(hidden, by: eve) == nil)
            #expect(try await Seekers.seen(bens, by: eve) != nil)

            // They are seen as long as they look, and say so.
            _ = try await ada.changeWanted(adas, WantedChange(isPaused: true))
            _ = try await eve.changeWanted(second, WantedChange(isVisible: false))
            #expect(try await Seekers.along(ride, of: ben).isEmpty)
            for id in [adas, second] { #expect(try await Seekers.seen(id, by: cem) == nil) }
            _ = try await cem.changeWanted(hidden, WantedChange(isVisible: true))
            #expect(try await Seekers.along(ride, of: ben) == [hidden])
            for client in [ada, eve, cem] { #expect(try await Seekers.told(client).isEmpty) }
        }

        /// Posts a ride, and waits until somebody who looks for such a one is told.
        private func rideThatIsKnown(_ trip: Trip, of driver: KampongClient) async throws -> RideID {
            let dan = try await Community.newcomer("Dan")
            let looking = try await Searches.look(dan, for: WantedQuery(rides: trip.search))
            let ride = try await driver.postRide(trip.passingBy()).id
            #expect(try await Searches.hears([Subject(ride)], dan))
            try await dan.removeWanted(looking)
            return ride
        }

        @Test func those_who_are_apart_do_not_see_each_other_seek() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let bens = try await ben.me().id
            let trip = Trip(in: 3 * 3600)
            let ride = try await rideThatIsKnown(trip, of: ben)
            let seeking = try await Seekers.seek(trip, ada)
            #expect(try await eventually { try await Seekers.along(ride, of: ben) == [seeking] })
            _ = try await ada.block(bens)
            #expect(try await eventually { try await Seekers.along(ride, of: ben).isEmpty })
            #expect(try await eventually { try await Seekers.seen(seeking, by: ben) == nil })
            #expect(await Result { try await ben.inviteSeeker(seeking, to: ride) }.refusal == .notFound)
            #expect(try await Seekers.told(ada).isEmpty)
        }

        @Test func nothing_but_a_ride_is_sought_so_that_others_see_it() async throws {
            let ada = try await Community.newcomer("Ada")
            for query in [Searches.spaces(Searches.word()), Searches.spots(near: Community.someWhere())] {
                let draft = WantedDraft(query: query, isVisible: true)
                let refused = await Result { try await ada.postWanted(draft) }
                #expect(refused.refusal == .invalid)
                let id = try await Searches.look(ada, for: query)
                let change = WantedChange(isVisible: true)
                #expect(await Result { try await ada.changeWanted(id, change) }.refusal == .invalid)
                #expect(try await ada.wanted(id).isVisible != true)
            }
        }
    }
}
