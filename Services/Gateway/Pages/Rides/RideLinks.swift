import WireProtocol

/// The other one of outward and return, on the page of a ride.
struct RideOther {
    var href: String
    /// `There and back: the way back leaves Sunday, 8 March 2026, 18:00`
    var text: String

    init(_ other: OtherWay, in words: Words) {
        href = "/rides/\(other.id)"
        let state =
            switch other.state {
            case .open: "open"
            case .departed, .completed: "left"
            case .removed: "removed"
            }
        let when = RideClock(other.zone, in: words).moment(other.departsAt)
        text = words["rides.other.\(other.isReturn ? "back" : "there").\(state)", ["when": when]]
    }
}

/// That a ride is part of a commute, with its next days (`rides/series`).
struct RideSeriesDays {
    struct Day {
        var href: String
        var text: String
    }

    private static let most = 6

    var days: [Day]
    var anyDays: Bool
    /// To the whole of it, for its driver.
    var own: String?

    /// Nil where it is of none. The days are left out where they are not known now.
    init?(of ride: Ride, in visit: Visit) async {
        guard let series = ride.series else { return nil }
        let others = await ride.nextOfSeries(visit) ?? []
        days = others.prefix(Self.most).map { other in
            Day(href: other.path, text: CommuteDays(other.zone, in: visit).day(other.departsAt))
        }
        anyDays = !days.isEmpty
        own = ride.mine ? "\(CommutesPage.path)/\(series)" : nil
    }
}
