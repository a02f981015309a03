import WireProtocol

/// A ride in a list (`rides/card`). Its heading is an `h3`: lists of rides stand below a heading of their own.
struct RideCard {
    var ride: RideView
    /// Whether the card says its day: not where the list has headings of days.
    var showsDay: Bool
    /// By whose clocks its times are, where they are not those of the community.
    var elsewhere: String?
    /// Where and when who looks would get in and out, where that was looked for.
    var part: String?
    /// Why it is in the list: how far it is from what was looked for.
    var why: String?
    var seats: RideSeats?
    /// What who looks is in it: its driver (`wheel`) or somebody who rides along.
    var role: String?
    var drives: Bool
    /// That nobody can ride along any more, or that others do not find it.
    var state: String?
    /// What waits for who looks.
    var note: String?
    var noteTime: Moment?
    var driver: PersonView
    /// Whether it is in the list of what a standing search has found.
    var found = false

    init(_ ride: Ride, showsDay: Bool = true, in visit: Visit) {
        let words = visit.words
        self.ride = RideView(ride, in: visit)
        self.showsDay = showsDay
        elsewhere = ride.zone == visit.community.zone ? nil : self.ride.zone.text
        seats = ride.state == .open ? RideSeats(ride, in: words) : nil
        drives = ride.mine
        role = ride.roleText(in: words)
        state =
            ride.hidden != nil
            ? words["state.hidden"] : ride.state == .open ? nil : words["rides.state.\(ride.state.rawValue)"]
        driver = PersonView(ride.driver, in: visit)
    }
}

/// How many seats can be had, in words and in a tone.
struct RideSeats {
    var text: String
    /// Empty, `warm` for the last one, or `full`.
    var tone: String

    /// All the way, or where that is none, on the part that has the most.
    init(_ ride: Ride, in words: Words) {
        let (least, most) = (ride.free.min() ?? 0, ride.free.max() ?? 0)
        self.init(free: least, in: words)
        if least == 0, most > 0 { (text, tone) = (words["rides.seats.part", count: most], "warm") }
    }

    /// On the part that was looked for.
    init(free: Int, in words: Words) {
        text = free > 0 ? words["rides.seats.left", count: free] : words["rides.seats.full"]
        tone = free == 0 ? "full" : free == 1 ? "warm" : ""
    }
}

extension Ride {
    /// What who looks is in it; nil where they have nothing to do with it yet.
    func roleText(in words: Words) -> String? {
        switch action {
        case .own: words["rides.role.driving"]
        case .leave: words["rides.role.riding"]
        case .withdraw: words["rides.role.asked"]
        case .ask, .wait, .unavailable: mine ? words["rides.role.driving"] : nil
        }
    }
}
