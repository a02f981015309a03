import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// People who want to have nothing to do with each other any more, or may not take part; and a dispute.
    @Suite(.serialized, .onProcesses) struct RideTroubleTests {
        @Test func a_block_ends_a_seat_and_what_one_sees_of_the_other() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let bens = try await ben.me().id
            let (trip, later) = (Trip(in: 2 * 86_400), Trip(in: 4 * 86_400))
            let ride = try await ada.postRide(trip.draft()).id
            let other = try await ada.postRide(later.draft()).id
            let seat = try await ben.requestSeat(in: ride).id
            _ = try await ada.act(.accept, on: seat)
            #expect(try await RideTests.hears(["seatAnswered.accepted"], ben))
            let atBen = Listener(ben)
            try await atBen.connect()
            _ = try await ada.block(bens)
            #expect(await eventually { await Result { try await ben.ride(other) }.refusal == .notFound })
            #expect(try await RideTests.found(later, by: ben).isEmpty)
            #expect(await Result { try await ben.requestSeat(in: other) }.refusal == .notFound)
            #expect(try await eventually { try await ben.seatRequest(seat).state == .removed })
            // Both are told that it is off, and neither by whom.
            for client in [ada, ben] { #expect(try await RideTests.hears(["seatChanged.ended"], client)) }
            #expect(try await ben.seatRequest(seat).driver.name != "Ada")
            #expect(await Result { try await ben.seatContact(seat) }.refusal == .wrongState)
            #expect(try await ada.ride(ride).free == [2])
            _ = try await ada.changeRide(other, with: RideDraft(notes: "Words after the block"))
            #expect(!atBen.events.contains { $0.data.contains("Words after the block") })
        }

        @Test(.onlyOnOwnStack) func rides_of_who_is_suspended_come_back_and_the_seats_in_them_do_not() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let mod = try await ModerationTests.moderator()
            let trip = Trip(in: 2 * 86_400)
            let ride = try await ada.postRide(trip.draft()).id
            let seat = try await ben.requestSeat(in: ride).id
            _ = try await ada.act(.accept, on: seat)
            let subject = Subject(kind: .person, id: ID(try await ada.me().id.uuid))
            _ = try await eve.report(ReportDraft(subject: subject, reason: .harassment))
            let one = try #require(try await ModerationTests.find(subject, by: mod))
            _ = try await mod.act(ActDraft(act: .suspend, reason: "Threats.", days: 7, version: 0), on: one.id)
            #expect(try await eventually { try await RideTests.found(trip, by: eve).isEmpty })
            #expect(await Result { try await eve.ride(ride) }.refusal == .notFound)
            #expect(try await RideTests.hears(["seatChanged.ended"], ben))
            #expect(try await ben.seatRequest(seat).state == .removed)

            _ = try await mod.act(ActDraft(act: .reinstate, version: 1), on: one.id)
            #expect(try await eventually { try await RideTests.found(trip, by: eve) == [ride] })
            #expect(try await ben.seatRequest(seat).state == .removed)
            #expect(try await eve.ride(ride).free == [2])
        }

        @Test(.onlyOnOwnStack) func who_was_not_there_says_so_and_a_moderator_settles_it() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let mod = try await ModerationTests.moderator()
            // The token says it from the next one on.
            try await mod.refresh()
            let ride = try await ada.postRide(Trip(in: 20 * 60).draft()).id
            let seat = try await ben.requestSeat(in: ride).id
            _ = try await ada.act(.accept, on: seat)
            _ = try await ada.departRide(ride)
            _ = try await ada.arriveRide(ride)
            #expect(await Result { try await mod.seatRequest(seat) }.refusal == .notFound)
            #expect(await Result { try await ben.act(.dispute, on: seat) }.refusal == .invalid)
            let draft = SeatActDraft(reason: "She drove off without me.")
            #expect(try await ben.act(.dispute, on: seat, draft).state == .disputed)
            func waiting() async throws -> [InboxNotice] {
                try await mod.notifications(unread: true).items.filter { $0.subject.id == ID(seat.uuid) }
            }
            #expect(try await eventually { try await waiting().map(\.kind) == [.seatDisputed] })
            let settlement = SeatActDraft(reason: "The camera saw it.", rode: false)
            for client in [ada, ben] {
                #expect(await Result { try await client.act(.settle, on: seat, settlement) }.refusal == .wrongState)
            }
            #expect(try await mod.act(.settle, on: seat, settlement).state == .settled)
            #expect(try await eventually { try await waiting().isEmpty })
            for client in [ada, ben] {
                #expect(try await eventually { try await RideTests.told(client).first == "seatChanged.settled" })
            }
        }
    }
}
