import Hummingbird
import WireProtocol

/// `/moderation/seats`: seats in rides that the two do not agree about, for moderators to settle.
struct SeatDisputesPage {
    struct Row {
        var href: String
        var title: String
        var when: String
        var with: String
        var state: String
        var tone: String
    }

    static let path = "/moderation/seats"

    var rows: [Row]
    var any: Bool
    var more: String?

    static func register(on routes: PageRoutes) {
        routes.get("/moderation/seats") { visit in
            try visit.context.requirePerson()
            let query = SeatRequestQuery(disputed: true, limit: 20, cursor: visit.query("cursor"))
            let found = try await visit.ask(RidesMethods.requests, query, Nothing())
            let frame = PageFrame(
                title: visit.words["seats.disputes.title"], tab: .me, width: "middle", styles: ["rentals", "rides"])
            return try await visit.page("rides/seat-disputes", SeatDisputesPage(found, in: visit), frame)
        }
    }

    private init(_ found: Page<SeatRequest>, in visit: Visit) {
        rows = found.items.map { request in
            let ride = RideView(request.ride, in: visit)
            let names = ["driver": request.driver.name, "rider": request.rider.name]
            return Row(
                href: request.path, title: ride.title, when: ride.when,
                with: visit.words["seats.disputes.between", names], state: request.stateText(in: visit.words),
                tone: request.stateTone)
        }
        any = !rows.isEmpty
        more = found.next.map { "\(Self.path)?cursor=\(LocalPath.encoded($0))" }
    }
}

extension RidesVertical {
    /// How many disputed seats wait to be settled.
    func cases(in visit: Visit) async -> [CasesPage.Choice] {
        let query = SeatRequestQuery(disputed: true, limit: 100)
        let found = try? await visit.ask(RidesMethods.requests, query, Nothing(), within: 2)
        let title = visit.words["seats.disputes.title"]
        return [.init(to: SeatDisputesPage.path, called: title, counting: found, in: visit.words)]
    }
}
