import FoundationEssentials
import WireProtocol

@testable import RidesService

/// What the tests of the rules are made of: Maya's ride from San Luis Obispo by Salinas to San Francisco, two days after noon, and a seat in it for
/// Tom.
enum Example {
    static let departure = after(hours: 48)
    static let kingCity = Position(latitude: 36.2127, longitude: -121.1260)
    static let paso = Position(latitude: 35.6266, longitude: -120.6910)
    static let gilroy = Position(latitude: 37.0058, longitude: -121.5683)

    static func stop(_ name: String, _ position: Position?, _ address: String? = nil) -> RideStopDraft {
        RideStopDraft(name: name, address: address, position: position)
    }

    static let stops = [
        stop("San Luis Obispo", campus, "1 Grand Ave"), stop("Salinas", salinas), stop("San Francisco", city, "Pier 1"),
    ]

    static let way = RideWay(measuring: stops)

    static func draft(_ change: (inout RideDraft) -> Void = { _ in }) -> RideDraft {
        var draft = RideDraft(
            stops: stops, departsAt: WireJSON.text(of: departure), seats: 4, cost: Money(amount: 2000, currency: "USD"),
            maxDetour: 20_000, luggage: .medium, notes: "No smoking.")
        change(&draft)
        return draft
    }

    /// - Parameter window: hours between the times at which it leaves.
    static func ride(
        _ state: RideState = .open, id: RideID = RideID("00000000-0000-4000-8000-0000000000aa")!, window: Double = 0,
        load: SeatLoad = SeatLoad(), detourUsed: Int = 0
    ) -> OfferedRide {
        OfferedRide(
            id: id, driver: maya, postedAt: noon, state: state, way: way,
            departsAt: departure, leavesBy: departure + window * 3600, zone: "America/Los_Angeles", seats: 4,
            cost: 2000,
            currency: "USD", maxDetour: 20_000, detourUsed: detourUsed, luggage: .medium, accepts: .nobody,
            notes: "No smoking.", load: load, changedAt: noon)
    }

    /// - Parameter stops: where Tom gets in and out.
    static func seat(
        _ state: SeatState = .pending, _ stops: ClosedRange<Int> = 0...2, seats: Int = 1, rider: PersonID = tom,
        askedAt: Date = noon, answerWithin hours: Double = 24
    ) -> SeatAgreement {
        SeatAgreement(
            id: .new(at: askedAt), ride: ride().id, driver: maya, rider: rider, seats: seats, riders: [],
            part: part(stops), cost: 2000 * seats, currency: "USD", message: nil, askedAt: askedAt,
            answerWithin: hours * 3600, answerBy: state == .pending ? askedAt + hours * 3600 : nil, state: state,
            changedAt: askedAt, changedBy: rider)
    }

    static func part(_ stops: ClosedRange<Int>) -> WayPart {
        func point(_ number: Int) -> WayPoint { WayPoint(at: way.stops[number].at, stop: number) }
        return WayPart(boarding: point(stops.lowerBound), leaving: point(stops.upperBound), detour: 0)
    }

    /// The way back of that ride, two days after its departure: from San Francisco by Salinas to San Luis Obispo.
    static func back(_ change: (inout OfferedRide) -> Void = { _ in }) -> OfferedRide {
        var ride = ride(id: RideID("00000000-0000-4000-8000-0000000000bb")!)
        ride.way = RideWay(measuring: stops.reversed())
        ride.departsAt = departure + 48 * 3600
        (ride.leavesBy, ride.returnOf) = (ride.departsAt, self.ride().id)
        change(&ride)
        return ride
    }

    /// - Parameter hours: after the departure of the way there.
    static func returning(after hours: Double = 48, _ change: (inout ReturnDraft) -> Void = { _ in }) -> ReturnDraft {
        var draft = ReturnDraft(departsAt: WireJSON.text(of: departure + hours * 3600))
        change(&draft)
        return draft
    }

    static func own(_ name: String, _ position: Position?, _ address: String? = nil) -> SeatPointDraft {
        SeatPointDraft(name: name, address: address, position: position)
    }
}

/// All that is wrong, as `field: code`.
func wrong(_ body: () throws(RideError) -> Void) -> [String] {
    do throws(RideError) {
        try body()
        return []
    } catch {
        guard case .invalid(let errors) = error else { return ["\(error)"] }
        return errors.map { "\($0.field): \($0.code)" }
    }
}
