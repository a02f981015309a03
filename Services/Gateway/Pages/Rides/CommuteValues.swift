import Sentences
import WireProtocol

// A commute as the form of its change begins.

extension OfferValues {
    /// A commute that is changed. The day of its first ride goes along, since times are said with a day.
    init(_ series: RideSeries, in visit: Visit) {
        let ride = series.ride
        subject = .commute
        repeats = OfferRepeat(series)
        zone = ride.zone ?? visit.community.zone
        takeWay(of: (ride.stops ?? []).compactMap(PlaceChoice.init(_:)))
        (day, time, until) = (series.from, clockTime(ride.departsAt), clockTime(ride.leavesBy))
        takeTerms(of: ride)
        if let back = ride.returnRide { takeBack(back) }
        (version, wayBefore) = (series.version, way)
    }

    private mutating func takeTerms(of ride: RideDraft) {
        seats = ride.seats.map(String.init) ?? ""
        cost = Self.text(of: ride.cost)
        detour = ride.maxDetour.map(Kilometres.text) ?? ""
        (luggage, accepts) = (ride.luggage ?? luggage, ride.accepts ?? accepts)
        notes = ride.notes ?? ""
    }

    private mutating func takeBack(_ back: ReturnDraft) {
        wayBack.isOn = true
        (wayBack.time, wayBack.until) = (clockTime(back.departsAt), clockTime(back.leavesBy))
        wayBack.seats = back.seats.map(String.init) ?? ""
        wayBack.cost = back.cost.map { MoneyText.number($0, separator: ".") } ?? ""
    }

    /// The time of day of a time that is said on the clocks of its zone, or as a moment.
    private func clockTime(_ said: String?) -> String {
        guard let said, !said.isEmpty else { return "" }
        if let moment = WireJSON.date(from: said) { return CivilText.time(WallTime(at: moment, in: zone)) }
        return WallTime(minutes: said).map(CivilText.time) ?? ""
    }
}

extension PlaceChoice {
    /// Nil of a stop that is nowhere.
    fileprivate init?(_ stop: RideStopDraft) {
        guard let position = stop.position else { return nil }
        self.init(position: position, label: stop.address ?? stop.name)
    }
}
