import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// Rides that belong together: there and back, and the same on each day of the week.
    @Suite(.serialized, .onProcesses) struct RideReturnTests {
        @Test func both_ways_are_asked_for_and_given_together_or_not_at_all() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let there = try await ada.postRide(Trip(in: 2 * 86_400).draft(seats: 1, back: 6 * 3600))
            let link = try #require(there.other)
            let back = try await ben.ride(link.id)
            #expect(link.isReturn && back.other?.id == there.id && back.other?.isReturn == false)
            #expect(back.stops.map(\.name) == ["Harbour", "Mill"])

            let both = SeatDraft(together: TogetherDraft())
            let first = try await ben.requestSeat(in: there.id, both)
            let second = try #require(first.together)
            #expect(first.state == .pending)
            #expect(try await ben.seatRequest(second).together == first.id)
            #expect(try await RideTests.hears(["seatRequested.pendingBoth"], ada))
            // One answer is for both, whichever it is given to.
            #expect(try await ada.act(.accept, on: second).state == .accepted)
            #expect(try await ben.seatRequest(first.id).state == .accepted)
            #expect(try await RideTests.hears(["seatAnswered.acceptedBoth"], ben))

            // From then on each is a seat by itself; and with one way full nobody gets both.
            #expect(try await ben.act(.leave, on: first.id).state == .left)
            #expect(try await ben.seatRequest(second).state == .accepted)
            #expect(try await RideTests.hears(["seatChanged.left"], ada))
            #expect(await Result { try await eve.requestSeat(in: there.id, both) }.refusal == .soldOut)
            #expect(try await eve.seatRequests().items.isEmpty)
            #expect(try await ada.ride(there.id).free == [1])

            try await ada.removeRide(there.id, reason: "The car is broken.", withOther: true)
            for ride in [there.id, back.id] { #expect(try await ada.ride(ride).state == .removed) }
            #expect(try await ben.seatRequest(second).state == .removed)
            #expect(try await eventually { try await RideTests.told(ben).first == "seatChanged.rideRemoved" })
        }

        @Test func what_is_asked_for_both_ways_is_rejected_and_withdrawn_for_both() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let there = try await ada.postRide(Trip(in: 2 * 86_400).draft(back: 6 * 3600)).id
            let both = SeatDraft(together: TogetherDraft())
            for (act, client, state) in [(SeatAct.reject, ada, SeatState.rejected), (.withdraw, ben, .withdrawn)] {
                let first = try await ben.requestSeat(in: there, both)
                let second = try #require(first.together)
                #expect(try await client.act(act, on: first.id).state == state)
                #expect(try await ben.seatRequest(second).state == state)
            }
            #expect(try await RideTests.hears(["seatChanged.withdrawnBoth"], ada))
            #expect(try await RideTests.hears(["seatAnswered.rejectedBoth"], ben))
        }

        @Test func a_commute_is_a_ride_on_each_of_its_days_until_it_ends() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let days = [2, 3, 5, 6].map(RentalTests.day)
            let ride = RideDraft(
                stops: Trip(in: 0).stops, departsAt: "\(RentalTests.day(2))T08:00", zone: "Asia/Singapore", seats: 2)
            let draft = RideSeriesDraft(
                ride: ride, weekdays: Weekday.allCases, until: RentalTests.day(6), skips: [RentalTests.day(4)])
            #expect(try await ada.quote(draft).days == days)
            let key = UUID().uuidString
            let series = try await ada.postRideSeries(draft, key: key)
            #expect(try await ada.postRideSeries(draft, key: key) == series)
            #expect(series.rides.map(\.day) == days && series.gaps.isEmpty && !series.isOver)
            let ids = series.rides.map(\.id)
            let listed = RideQuery(series: series.id)
            #expect(try await eve.rides(listed).items.map(\.id) == ids)
            #expect(await Result { try await eve.rideSeries(series.id) }.refusal == .notFound)

            let asked = try await ben.requestSeat(in: ids[1]).id
            let change = RideSeriesDraft(ride: RideDraft(seats: 3), version: series.version)
            let changed = try await ada.changeRideSeries(series.id, with: change)
            #expect(changed.rides.map(\.day) == days && changed.rides.map(\.requests) == [0, 1, 0, 0])
            #expect(try await eve.rides(listed).items.map(\.seats) == [3, 2, 3, 3])
            try await ada.endRideSeries(series.id, RideSeriesEnding(keepsAsked: true))
            #expect(try await eve.rides(listed).items.map(\.id) == [ids[1]])
            #expect(try await ada.rideSeries(series.id).isOver)
            #expect(try await ben.seatRequest(asked).state == .pending)
        }
    }
}
