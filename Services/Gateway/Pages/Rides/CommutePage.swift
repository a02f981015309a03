import HTTPTypes
import Hummingbird
import WireProtocol

/// `/rides/commutes/{id}`: a commute of one's own, its next rides, and the days on which there is none.
struct CommutePage {
    var back: String
    var commute: CommuteView
    var problem: String?
    var isOver: Bool
    /// By which clocks, where there is a ride to say it of.
    var zone: RideZone?
    var rides: [CommuteRide]
    var anyRides: Bool
    var gaps: [CommuteGap]
    var anyGaps: Bool
    /// Days that its driver leaves out.
    var skips: [String]
    var anySkips: Bool
    var change: String
    var end: String

    static func register(on routes: PageRoutes) {
        routes.get("/rides/commutes/{id}") { visit in try await show(try await visit.ownCommute(), visit) }
    }

    /// - Parameter problem: why what was wanted did not happen.
    static func show(
        _ commute: RideSeries, problem: String? = nil, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        var page = CommutePage(commute, in: visit)
        page.problem = problem
        let frame = PageFrame(
            title: page.commute.sentence, tab: .me, scripts: ["elsewhere"], styles: ["rentals", "rides"])
        return try await visit.page("rides/commute", page, frame, status: status)
    }

    private init(_ series: RideSeries, in visit: Visit) {
        let zone = series.zone(in: visit)
        let days = CommuteDays(zone, in: visit)
        back = CommutesPage.path
        commute = CommuteView(series, in: visit)
        isOver = series.isOver
        self.zone = series.rides.first.map { RideZone(zone, at: $0.departsAt, in: visit) }
        rides = series.rides.map { CommuteRide($0, days) }
        anyRides = !rides.isEmpty
        gaps = series.gaps.map { CommuteGap($0, days) }
        anyGaps = !gaps.isEmpty
        skips = series.skips.sorted().map(days.named)
        anySkips = !skips.isEmpty
        change = "\(series.path)/change"
        end = "\(series.path)/end"
    }
}

/// One ride of a commute, with how many have to do with it (`rides/commute-ride`).
struct CommuteRide {
    var href: String
    var when: String
    var isReturn: Bool
    var asked: String

    init(_ ride: SeriesRide, _ days: CommuteDays) {
        href = "/rides/\(ride.id)"
        when = days.moment(ride.departsAt)
        isReturn = ride.isReturn
        asked = days.clock.words["commutes.asked", count: ride.requests]
    }
}
