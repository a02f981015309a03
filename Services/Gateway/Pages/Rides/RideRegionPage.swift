import FoundationEssentials
import Hummingbird
import WireProtocol

/// `/rides/regions?region=`: the rides in which one can get in there, or out (`direction=to`), the soonest first. Anybody may look. Who is signed in sees those as
/// well who seek such a ride.
struct RideRegionPage {
    struct Direction {
        var href: String
        var text: String
        var chosen: Bool
    }

    /// The rides of one day.
    struct Day {
        var id: String
        var name: String
        /// Whether its heading stands above it already, in what is shown before.
        var goesOn: Bool
        var cards: [RideCard]
    }

    var heading: String
    var directions: [Direction]
    var `self`: String
    var days: [Day]
    var any: Bool
    var emptyText: String
    var more: String?
    /// Those who seek such a ride; nil where nobody does, or nobody can say.
    var seekers: SeekerList?
    var seekersHeading: String
    /// Where one looks for a ride oneself.
    var seek = RidesVertical.path

    /// What stands for those who seek and follow.
    private static let moreSeekers = "more-seekers"

    static func path(_ region: String, _ direction: RideDirection) -> String {
        "\(RidesVertical.path)/regions?region=\(LocalPath.encoded(region))"
            + (direction == .to ? "&direction=to" : "")
    }

    static func register(on routes: PageRoutes) {
        routes.get("/rides/regions") { visit in
            try visit.context.requireSoundSession()
            guard let region = visit.query("region"), !region.isEmpty else {
                return visit.leave(for: RidesVertical.path)
            }
            let direction = visit.query("direction").flatMap { RideDirection(rawValue: $0) } ?? .from
            if visit.isFragment, visit.fragmentTarget == moreSeekers {
                return visit.fragment("rides/seeker-rows", try await seeking(region, direction, visit))
            }
            let isAsked = visit.takesPart && !visit.isFragment
            async let seekers = isAsked ? try? seeking(region, direction, visit) : nil
            let query = RideQuery(region: region, direction: direction, limit: 20, cursor: visit.query("cursor"))
            let found = try await visit.ask(RidesMethods.rides, query, Nothing())
            var page = RideRegionPage(found, region, direction, in: visit)
            page.seekers = await seekers.flatMap { $0.any ? $0 : nil }
            if visit.isFragment, visit.fragmentTarget == "more" { return visit.fragment("rides/days", page) }
            let frame = PageFrame(title: page.heading, tab: .home, width: "middle", styles: ["rides"])
            return try await visit.page("rides/region", page, frame)
        }
    }

    private static func seeking(
        _ region: String, _ direction: RideDirection, _ visit: Visit
    ) async throws -> SeekerList {
        let query = SeekingQuery(region: region, direction: direction, limit: 20, cursor: visit.query("seekers"))
        let found = try await visit.ask(MatchingMethods.seekers, query, Nothing(), within: 2)
        let more = found.next.map { "\(path(region, direction))&seekers=\(LocalPath.encoded($0))" }
        return SeekerList(found.items.map { SeekerRow($0, in: visit) }, more: more, at: moreSeekers)
    }

    private init(_ found: Page<Ride>, _ region: String, _ direction: RideDirection, in visit: Visit) {
        let (words, here) = (visit.words, Self.path(region, direction))
        heading = words["rides.region.\(direction.rawValue)", ["region": region]]
        directions = RideDirection.allCases.map { other in
            Direction(
                href: Self.path(region, other), text: words["rides.direction.\(other.rawValue)"],
                chosen: other == direction)
        }
        self.`self` = here
        days = Self.days(found.items, after: visit.isFragment ? visit.query("day") : nil, in: visit)
        any = !days.isEmpty
        emptyText = words["rides.region.none.\(direction.rawValue)", ["region": region]]
        seekersHeading = words["seeking.region.\(direction.rawValue)", ["region": region]]
        more = found.next.map { next in
            let last = found.items.last.map { "&day=\(Self.day(of: $0).text)" } ?? ""
            return "\(here)&cursor=\(LocalPath.encoded(next))\(last)"
        }
    }

    private static func day(of ride: Ride) -> CivilDay { WallTime(at: ride.departsAt, in: ride.zone).day }

    /// By day, as the clocks of each ride have it.
    private static func days(_ rides: [Ride], after last: String?, in visit: Visit) -> [Day] {
        var days: [Day] = []
        for ride in rides {
            let day = day(of: ride)
            if days.last?.id != day.text {
                days.append(
                    Day(
                        id: day.text, name: CivilText.full(day, in: visit.words),
                        goesOn: days.isEmpty && day.text == last, cards: []))
            }
            days[days.count - 1].cards.append(RideCard(ride, showsDay: false, in: visit))
        }
        return days
    }
}
