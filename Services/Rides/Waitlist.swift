import FoundationEssentials
import WireProtocol

/// Those who wait for a seat, in the order in which they asked. No I/O and no clock.
enum Waitlist {
    /// How long before they get in somebody may be given a seat.
    static let notice: TimeInterval = 15 * 60

    /// Who gets a seat, or is asked for, now that one may be free. Who does not fit keeps their place, and nobody after them waits for that. Who is still to be
    /// looked at counts as riding along, so that no more are promised a look than there are seats.
    ///
    /// - Parameters:
    ///   - waiting: in the order in which they asked; who does not wait is passed over.
    ///   - ride: with the load of those who have a seat.
    static func promotions(of waiting: [SeatAgreement], in ride: OfferedRide, at now: Date) -> [SeatDecision] {
        guard ride.isListed, now < ride.leavesBy else { return [] }
        var ride = ride
        return waiting.compactMap { seat in
            let hasTime = now <= seat.boardsAtLast(in: ride) - notice
            guard hasTime, ride.free(on: seat.part) >= seat.seats else { return nil }
            guard let decision = seat.promoted(in: ride, at: now) else { return nil }
            let (start, end) = (seat.part.boarding.at, seat.part.leaving.at)
            ride.load = ride.load.adding(seat.seats, from: start, to: end)
            ride.detourUsed += seat.part.detour
            return decision
        }
    }
}
