import Foundation
import Synchronization
import TestKit
import WireProtocol

/// What the people of the ledger know of rides that they share, so that most of what they ask can be done. Safe from any task.
final class RideBook: Sendable {
    struct KnownRide: Sendable {
        var id: RideID
        var driver: PersonID
        /// As somebody was told it last.
        var state: RideState
        var stops: [Position]
        var departsAt: Date

        /// Its driver may say that they leave.
        var isAboutToLeave: Bool { state == .open && departsAt < Date(timeIntervalSinceNow: 30 * 60) }
    }

    struct KnownSeat: Sendable {
        var id: SeatRequestID
        var ride: RideID
        var driver: PersonID
        var rider: PersonID
        /// As somebody was told it last.
        var state: SeatState
        var isConfirmed: Bool
    }

    private struct Pages {
        var rides: [RideID: KnownRide] = [:]
        var seats: [SeatRequestID: KnownSeat] = [:]
    }
    private let pages = Mutex(Pages())

    /// How many may be asked for.
    var open: Int { pages.withLock { $0.rides.values.count { $0.state == .open } } }

    func note(_ ride: Ride) {
        let known = KnownRide(
            id: ride.id, driver: ride.driver.id, state: ride.state, stops: ride.stops.map(\.position),
            departsAt: ride.departsAt)
        pages.withLock { $0.rides[ride.id] = known }
    }

    /// It is to be had no more.
    func close(_ ride: RideID) { pages.withLock { $0.rides[ride]?.state = .removed } }

    func note(_ request: SeatRequest) {
        let known = KnownSeat(
            id: request.id, ride: request.ride.id, driver: request.driver.id, rider: request.rider.id,
            state: request.state, isConfirmed: request.isConfirmed)
        pages.withLock { $0.seats[request.id] = known }
    }

    /// Whether somebody has asked there, or has a seat.
    func hasAsked(_ person: PersonID, in ride: RideID) -> Bool {
        pages.withLock { $0.seats.values.contains { $0.ride == ride && $0.rider == person && !$0.state.isOver } }
    }

    /// One of those that fit, in an order that a seed repeats.
    func ride(using random: inout SeededGenerator, where fits: (KnownRide) -> Bool) -> KnownRide? {
        pages.withLock { Array($0.rides.values) }.filter(fits).sorted { $0.id < $1.id }.randomElement(using: &random)
    }

    /// The same of seats in rides that have not left.
    func seat(using random: inout SeededGenerator, where fits: (KnownSeat) -> Bool) -> KnownSeat? {
        let seats = pages.withLock { pages in pages.seats.values.filter { pages.rides[$0.ride]?.state == .open } }
        return seats.filter(fits).sorted { $0.id < $1.id }.randomElement(using: &random)
    }
}
