import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

/// A way that nobody else drives: thirty kilometres at any place of the world.
struct Trip {
    let from = Community.someWhere()
    /// In whole seconds, as times are written.
    let leaves: Date

    init(in seconds: TimeInterval) {
        leaves = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + seconds).rounded())
    }

    var to: Position { Position(latitude: from.latitude + 0.27, longitude: from.longitude) }
    var search: RideSearchQuery { RideSearchQuery(from: from, to: to, at: leaves) }
    var stops: [RideStopDraft] {
        [
            RideStopDraft(name: "Mill", address: "Mill Lane 5", position: from),
            RideStopDraft(name: "Harbour", address: "Pier 7", position: to),
        ]
    }

    /// A ride that begins and ends twenty kilometres farther out, and comes by at both ends of this one, a quarter of an hour later.
    func passingBy(seats: Int = 2) -> RideDraft {
        func out(_ point: Position, _ degrees: Double) -> Position {
            Position(latitude: point.latitude + degrees, longitude: point.longitude)
        }
        return RideDraft(
            stops: [
                RideStopDraft(name: "Quarry", position: out(from, -0.18)),
                RideStopDraft(name: "Lighthouse", position: out(to, 0.18)),
            ], departsAt: leaves.ISO8601Format(), zone: "UTC", seats: seats)
    }

    /// Seats from one end of this trip to the other, in a ride that comes by.
    var part: SeatDraft {
        SeatDraft(
            from: SeatPointDraft(name: "Mill", address: "Mill Lane 5", position: from),
            to: SeatPointDraft(name: "Harbour", address: "Pier 7", position: to))
    }

    /// - Parameter back: so many seconds later there is a way back.
    func draft(seats: Int = 2, back: TimeInterval? = nil) -> RideDraft {
        RideDraft(
            stops: stops, departsAt: leaves.ISO8601Format(), zone: "UTC", seats: seats,
            returnRide: back.map { ReturnDraft(departsAt: (leaves + $0).ISO8601Format()) })
    }
}

extension StackTests {
    /// Rides, and seats in them: through the gateway, rides, auth, chat, notification and the live stream.
    @Suite(.serialized, .onProcesses) struct RideTests {
        /// What somebody has not read about seats, as `kind.variant`, the newest first.
        static func told(_ client: KampongClient) async throws -> [String] {
            try await client.notifications(unread: true).items.filter { $0.kind.rawValue.hasPrefix("seat") }.map {
                "\($0.kind.rawValue).\($0.variant ?? "")"
            }
        }

        static func hears(_ told: [String], _ client: KampongClient) async throws -> Bool {
            try await eventually { try await Self.told(client) == told }
        }

        static func found(_ trip: Trip, by client: KampongClient) async throws -> [RideID] {
            try await client.searchRides(trip.search).items.map(\.ride.id)
        }

        @Test func a_ride_is_found_at_once_asked_for_shared_and_reviewed() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let adas = try await ada.me().id
            _ = try await ada.changeProfile(ProfileChange(phone: "+65 9123 4567"))
            let (atAda, atBen, atEve) = (Listener(ada), Listener(ben), Listener(eve))
            for listener in [atAda, atBen, atEve] { try await listener.connect() }
            let (trip, key) = (Trip(in: 20 * 60), UUID().uuidString)
            let ride = try await ada.postRide(trip.draft(), key: key)
            #expect(try await ada.postRide(trip.draft(), key: key) == ride)
            #expect(ride.state == .open && ride.mine && ride.action == .own && ride.free == [2])

            // Everybody finds it, and nobody its doors.
            for client in [ben, KampongClient(baseURL: try await Community.address)] {
                let seen = try await client.searchRides(trip.search).items
                #expect(seen.map(\.ride.id) == [ride.id])
                let start = try #require(seen.first?.ride.stops.first)
                #expect(start.name == "Mill" && start.address == nil && !start.isExact && start.position != trip.from)
            }
            let id = "\(ride.id)"
            #expect(await eventually { atEve.events.contains { $0.name == "ridePosted" && $0.data.contains(id) } })

            let asked = try await ben.requestSeat(in: ride.id, SeatDraft(message: "With a cello."))
            #expect(asked.state == .pending && asked.role == .rider && asked.boarding.address == nil)
            #expect(await eventually { atAda.events.contains { $0.name == "seatRequested" } })
            #expect(try await Self.hears(["seatRequested.pending"], ada))
            #expect(await Result { try await ben.seatContact(asked.id) }.refusal == .wrongState)
            #expect(await Result { try await eve.seatRequest(asked.id) }.refusal == .notFound)
            #expect(await Result { try await ben.act(.accept, on: asked.id) }.refusal == .wrongState)
            let room = try await ben.openRoom(about: Subject(kind: .ride, id: ID(ride.id.uuid)), with: adas).id
            _ = try await ben.send(MessageDraft(id: .new(), text: "Does it fit in?"), to: room)
            #expect(try await ada.messages(in: room).items.map(\.text) == ["Does it fit in?"])

            #expect(try await ada.act(.accept, on: asked.id).state == .accepted)
            #expect(await eventually { atBen.events.contains { $0.name == "seatAnswered" } })
            #expect(try await Self.hears(["seatAnswered.accepted"], ben))
            #expect(try await Self.hears([], ada), "she has answered")
            #expect(try await ben.seatContact(asked.id).phone == "+6591234567")
            #expect(try await ada.seatContact(asked.id).phone == nil)
            #expect(await Result { try await eve.seatContact(asked.id) }.refusal == .notFound)
            let shared = try await ben.ride(ride.id)
            #expect(shared.action == .leave && shared.request == asked.id && shared.free == [1])
            #expect(shared.stops.map(\.address) == ["Mill Lane 5", "Pier 7"])
            #expect(try await eve.ride(ride.id).stops.map(\.address) == [nil, nil])
            #expect(try await ben.myRides().items.map(\.ride.id) == [ride.id])

            #expect(try await ada.departRide(ride.id).state == .departed)
            #expect(try await Self.found(trip, by: eve).isEmpty)
            #expect(await eventually { atEve.events.contains { $0.name == "rideRemoved" && $0.data.contains(id) } })
            #expect(try await ada.arriveRide(ride.id).state == .completed)
            #expect(try await ben.seatRequest(asked.id).state == .rode)
            #expect(try await eventually { try await Self.told(ben).first == "seatChanged.completed" })
            let subject = Subject(kind: .seat, id: ID(asked.id.uuid))
            #expect(try await eventually { try await ben.encounters(with: adas).items.map(\.subject) == [subject] })
            _ = try await ben.writeReview(ReviewDraft(subject: subject, rating: 5, text: "Smooth"), about: adas)
            #expect(!atEve.events.contains { $0.name.hasPrefix("seat") || $0.data.contains("Mill Lane") })
        }

        @Test func who_waits_gets_the_seat_of_who_leaves_and_all_hear_that_the_ride_is_off() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let trip = Trip(in: 2 * 86_400)
            let ride = try await ada.postRide(trip.draft(seats: 1)).id
            let bens = try await ben.requestSeat(in: ride).id
            _ = try await ada.act(.accept, on: bens)
            #expect(await Result { try await eve.requestSeat(in: ride) }.refusal == .soldOut)
            let waiting = try await eve.requestSeat(in: ride, SeatDraft(waitlist: true))
            #expect(waiting.state == .waiting && waiting.ahead == 0)
            #expect(try await ada.act(.approve, on: waiting.id).isApproved)

            #expect(try await ben.act(.leave, on: bens).state == .left)
            let theirs = try await eve.seatRequest(waiting.id)
            #expect(theirs.state == .accepted && !theirs.isConfirmed && theirs.possible.contains(.keep))
            #expect(try await Self.hears(["seatChanged.promoted"], eve))
            #expect(try await Self.hears(["seatChanged.promotedFromList", "seatChanged.left"], ada))
            #expect(try await eve.act(.keep, on: waiting.id).isConfirmed)
            #expect(try await eventually { try await Self.told(ada).first == "seatChanged.kept" })

            let atBen = Listener(ben)
            try await atBen.connect()
            try await ada.removeRide(ride, reason: "The car is broken.")
            #expect(try await Self.found(trip, by: ben).isEmpty)
            #expect(await eventually { atBen.events.contains { $0.name == "rideRemoved" } })
            #expect(try await Self.hears(["seatChanged.rideRemoved"], eve))
            let off = try await eve.seatRequest(waiting.id)
            #expect(off.state == .removed && off.reason == "The car is broken.")
        }

        @Test func of_a_change_that_makes_room_the_seat_is_what_one_reads() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let ride = try await ada.postRide(Trip(in: 2 * 86_400).draft(seats: 1)).id
            _ = try await ada.act(.accept, on: try await ben.requestSeat(in: ride).id)
            let waiting = try await eve.requestSeat(in: ride, SeatDraft(waitlist: true)).id
            _ = try await ada.act(.approve, on: waiting)
            _ = try await ada.changeRide(ride, with: RideDraft(seats: 2, notes: "A larger car."))
            #expect(try await eve.seatRequest(waiting).state == .accepted)
            #expect(try await Self.hears(["seatChanged.promoted"], eve))
        }

        @Test func who_has_a_seat_is_told_that_other_requests_for_that_time_are_off() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let trip = Trip(in: 2 * 86_400)
            let (adas, eves) = (try await ada.postRide(trip.draft()).id, try await eve.postRide(trip.draft()).id)
            let (one, other) = (
                try await ben.requestSeat(in: adas).id, try await ben.requestSeat(in: eves).id
            )
            _ = try await ada.act(.accept, on: one)
            #expect(try await ben.seatRequest(other).state == .withdrawn)
            #expect(try await Self.hears(["seatChanged.withdrawn"], eve))
            let both: Set<String> = ["seatAnswered.accepted", "seatChanged.seatElsewhere"]
            #expect(try await eventually { Set(try await Self.told(ben)) == both })
        }
    }
}
