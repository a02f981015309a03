import FoundationEssentials
import WireProtocol

/// What of a ride is said wherever it is named: from where to where, when, and what a seat costs. Its times are those of its own zone.
struct RideView {
    var id: String
    var href: String
    var from: String
    var to: String
    /// `San Luis Obispo → Salinas`
    var title: String
    /// What lies between, where its driver stops.
    var via: String?
    /// `Friday, 6 March 2026`
    var day: String
    /// `17:00`, or `17:00 – 19:00` where it leaves between two times.
    var leaves: String
    /// `20:10`, and on which day where that is another one.
    var arrives: String
    /// `Friday, 6 March 2026, 17:00 – 19:00`
    var when: String
    /// That its times are those of another place, which scripts show only to who has other clocks (`rides/zone`).
    var zone: RideZone
    /// Of one seat all the way.
    var cost: String
    var priced: Bool

    init(_ ride: Ride, in visit: Visit) {
        let words = visit.words
        id = ride.id.description
        href = ride.path
        (from, to) = (ride.from, ride.to)
        title = ride.title(in: words)
        via = ride.via(in: words)
        let clock = RideClock(ride.zone, in: words)
        day = clock.day(ride.departsAt)
        leaves = clock.times(ride.departsAt, ride.leavesBy)
        arrives = clock.time(ride.arrivesAt, after: ride.departsAt)
        when = clock.moment(ride.departsAt, ride.leavesBy)
        zone = RideZone(ride.zone, at: ride.departsAt, in: visit)
        cost = ride.cost.priceText(in: words)
        priced = (ride.cost?.amount ?? 0) > 0
    }

    /// As it stands on a request for seats in it, which says nothing of what a seat costs.
    init(_ ride: RequestedRide, in visit: Visit) {
        let words = visit.words
        id = ride.id.description
        href = "/rides/\(ride.id)"
        (from, to) = (ride.from, ride.to)
        title = words["rides.way", ["from": ride.from, "to": ride.to]]
        let clock = RideClock(ride.zone, in: words)
        day = clock.day(ride.departsAt)
        leaves = clock.time(ride.departsAt)
        arrives = clock.time(ride.arrivesAt, after: ride.departsAt)
        when = clock.moment(ride.departsAt)
        zone = RideZone(ride.zone, at: ride.departsAt, in: visit)
        (cost, priced) = ("", false)
    }
}

/// When something of a ride is, as clocks show it in the ride's own zone.
struct RideClock {
    let zone: String
    let words: Words

    init(_ zone: String, in words: Words) { (self.zone, self.words) = (zone, words) }

    /// `Friday, 6 March 2026`
    func day(_ date: Date) -> String { CivilText.full(civilDay(date), in: words) }

    /// `17:00`
    func time(_ date: Date) -> String { CivilText.time(WallTime(at: date, in: zone)) }

    /// `00:40`, with its day of the week where that is another day than when it began.
    func time(_ date: Date, after start: Date) -> String {
        let day = civilDay(date)
        guard day != civilDay(start) else { return time(date) }
        return words["rides.timeOfDay", ["time": time(date), "day": CivilText.weekday(day, words)]]
    }

    /// `17:00 – 19:00`
    func times(_ from: Date, _ until: Date?) -> String {
        guard let until, until > from else { return time(from) }
        return "\(time(from)) – \(time(until, after: from))"
    }

    /// `Friday, 6 March 2026, 17:00 – 19:00`
    func moment(_ from: Date, _ until: Date? = nil) -> String {
        words["rentals.calendar.moment", ["date": day(from), "time": times(from, until)]]
    }

    func civilDay(_ date: Date) -> CivilDay { WallTime(at: date, in: zone).day }
}

/// Where the clocks are by which a ride says its times, and the same moment for who has others (`rides/zone`, `elsewhere.js`).
struct RideZone {
    /// IANA's name, for scripts.
    var name: String
    /// `Times as in Los Angeles`
    var text: String
    var departs: Moment

    init(_ zone: String, at departure: Date, in visit: Visit) {
        name = zone
        text = visit.words["rides.zone", ["zone": CivilText.city(of: zone)]]
        departs = visit.moment(departure, .due)
    }
}

extension Ride {
    var path: String { "/rides/\(id)" }

    var from: String { stops.first?.name ?? "" }
    var to: String { stops.last?.name ?? "" }

    /// `San Luis Obispo → Salinas`
    func title(in words: Words) -> String { words["rides.way", ["from": from, "to": to]] }

    /// `by way of Paso Robles, King City`
    func via(in words: Words) -> String? {
        let between = stops.dropFirst().dropLast().map(\.name)
        return between.isEmpty ? nil : words["rides.via", ["places": between.joined(separator: ", ")]]
    }
}

extension Optional where Wrapped == Money {
    /// What a seat costs: `$12`, `No charge`.
    func priceText(in words: Words) -> String {
        guard let self, self.amount > 0 else { return words["parking.noCharge"] }
        return Price.text(self, in: words)
    }
}
