import FoundationEssentials
import Hummingbird
import WireProtocol

/// `/rides/{id}/asked?day=`: what came of asking for a seat on several days of a commute, each by itself.
struct AskedDaysPage {
    struct Row {
        /// Nil where it is not to be seen any more.
        var href: String?
        var title: String?
        var when: String
        var state: String
        var tone: String
        /// How it stands, where there is a request.
        var said: SeatSentence?
        /// Why there is none.
        var why: String?
    }

    /// More days than can be asked for at once.
    private static let most = 20

    var rows: [Row]
    var back: String
    var mine = MyRidesPage.path(.pending)

    static func path(of ride: RideID, _ days: [AskedDay]) -> String {
        "/rides/\(ride)/asked?" + days.map { "day=\(LocalPath.encoded($0.written))" }.joined(separator: "&")
    }

    static func register(on routes: PageRoutes) {
        routes.get("/rides/{id}/asked") { visit in
            try visit.context.requirePerson()
            let id: RideID = try visit.id()
            let said = ((try? visit.asked.get()) ?? []).filter { $0.0 == "day" }.prefix(most)
            let rows = try await rows(said.compactMap { AskedDay(written: $0.1) }, visit)
            guard !rows.isEmpty else { return visit.redirect(to: "/rides/\(id)") }
            let frame = PageFrame(
                title: visit.words["seats.asked.title"], tab: .home, width: "middle", scripts: ["elsewhere"],
                styles: ["rentals", "rides"])
            return try await visit.page("rides/asked-days", AskedDaysPage(rows: rows, back: "/rides/\(id)"), frame)
        }
    }

    /// In the order of the days.
    private static func rows(_ days: [AskedDay], _ visit: Visit) async throws -> [Row] {
        try await withThrowingTaskGroup(of: (Int, Row).self) { group in
            for (number, day) in days.enumerated() {
                group.addTask { (number, try await row(of: day, visit)) }
            }
            return try await group.reduce(into: [(Int, Row)]()) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private static func row(of day: AskedDay, _ visit: Visit) async throws -> Row {
        do {
            switch day.outcome {
            case .request(let id):
                return Row(
                    try await visit.ask(RidesMethods.request, SeatRequestReference(id: id), Nothing()), in: visit)
            case .refused(let code):
                let ride = try await visit.ask(RidesMethods.ride, RideReference(id: day.ride), Nothing())
                return Row(ride, code, in: visit)
            }
        } catch let error as ServiceError where error.code == .notFound {
            return Row(gone: day.departs, in: visit)
        }
    }
}

extension AskedDaysPage.Row {
    fileprivate init(_ request: SeatRequest, in visit: Visit) {
        let view = RideView(request.ride, in: visit)
        (href, title, when) = (request.path, view.title, view.when)
        (state, tone) = (request.stateText(in: visit.words), request.stateTone)
        said = request.said(in: visit)
    }

    fileprivate init(_ ride: Ride, _ code: ErrorCode, in visit: Visit) {
        let (view, words) = (RideView(ride, in: visit), visit.words)
        // Where the answer was lost there may be a request all the same.
        href = ride.request.map { "/seats/\($0)" } ?? ride.path
        (title, when) = (view.title, view.when)
        (state, tone) = (words["seats.asked.none"], "full")
        why =
            words.find("seats.asked.why.\(code.rawValue)") ?? words.find("seats.problem.\(code.rawValue)")
            ?? words["seats.asked.why.otherwise"]
    }

    /// Of a ride that is not to be seen any more: by the community's clocks.
    fileprivate init(gone departs: Date, in visit: Visit) {
        let words = visit.words
        when = RideClock(visit.community.zone, in: words).moment(departs)
        (state, tone, why) = (words["seats.asked.none"], "full", words["seats.asked.why.not_found"])
    }
}
