import FoundationEssentials
import WireProtocol

extension RideCard {
    /// Metres under which a gap says nothing: what everybody is told of where a ride begins is the middle of a field of a grid of some 550 m.
    static let near = 600
    /// Seconds by which nobody is earlier or later.
    private static let punctual = 150

    /// A ride that fits what was looked for, and why.
    /// - Parameters:
    ///   - search: in whose words points of one's own are called.
    ///   - seats: how many were asked for.
    init(_ found: FoundRide, _ search: RideSearch, seats: Int, in visit: Visit) {
        self.init(found.ride, in: visit)
        let words = visit.words
        ride.href += SoughtPart(found, search, seats: seats).query
        part = Self.part(found, search, words)
        ride.cost = found.cost.priceText(in: words)
        ride.priced = (found.cost?.amount ?? 0) > 0
        self.seats = found.ride.state == .open ? RideSeats(found, asked: seats, in: words) : nil
        why = Self.why(found, words)
    }

    /// `17:40 Salinas → 19:00 San José`; nil of the whole way, which the card says already.
    private static func part(_ found: FoundRide, _ search: RideSearch, _ words: Words) -> String? {
        let (ride, boarding, leaving) = (found.ride, found.boarding, found.leaving)
        guard boarding.stop != 0 || leaving.stop != ride.stops.count - 1 else { return nil }
        let clock = RideClock(ride.zone, in: words)
        func name(_ point: SeatPoint, _ asked: PlaceAnswer) -> String {
            point.stop == nil ? asked.chosen?.label ?? point.name : point.name
        }
        return words[
            "rides.part",
            [
                "boards": clock.time(boarding.time, after: ride.departsAt), "from": name(boarding, search.from),
                "to": name(leaving, search.to), "leaves": clock.time(leaving.time, after: ride.departsAt),
            ]]
    }

    /// `Starts near you · ends 1.1 km from there · 12 min earlier`; `6 km detour, 7 minutes out of the driver’s way`.
    private static func why(_ found: FoundRide, _ words: Words) -> String {
        let comesBy = found.boarding.stop == nil || found.leaving.stop == nil
        let ways =
            comesBy
            ? [detour(found.detour, found.detourSeconds, words)]
            : [gap("start", found.startGap, words), gap("end", found.endGap, words)]
        return (ways + [difference(found.timeDifference, words)].compactMap(\.self)).joined(separator: " · ")
    }

    private static func gap(_ end: String, _ metres: Int, _ words: Words) -> String {
        metres < near
            ? words["rides.why.\(end)Near"]
            : words["rides.why.\(end)", ["distance": Distance.reach(metres, in: words)]]
    }

    /// - Parameter seconds: nil where there are no streets.
    private static func detour(_ metres: Int, _ seconds: Int?, _ words: Words) -> String {
        guard metres >= near else { return words["rides.why.onTheWay"] }
        let distance = Distance.reach(metres, in: words)
        guard let seconds else { return words["rides.why.detour", ["distance": distance]] }
        let time = RideDetour.time(seconds, in: words)
        return words["rides.why.detourTime", ["distance": distance, "time": time]]
    }

    /// Nil where no moment was asked for.
    private static func difference(_ seconds: Int?, _ words: Words) -> String? {
        guard let seconds else { return nil }
        guard abs(seconds) >= punctual else { return words["rides.why.onTime"] }
        let minutes = (abs(seconds) + 30) / 60
        let (unit, number) = minutes < 90 ? ("minutes", minutes) : ("hours", (minutes + 30) / 60)
        return words["rides.why.\(seconds < 0 ? "earlier" : "later").\(unit)", count: number]
    }
}

extension RideSeats {
    /// - Parameter asked: how many seats were looked for.
    fileprivate init(_ found: FoundRide, asked: Int, in words: Words) {
        self.init(free: found.free, in: words)
        if found.free > 0, found.free < asked {
            (text, tone) = (words["rides.seats.tooFew", count: found.free], "full")
        }
    }
}
