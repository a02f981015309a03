import Hummingbird
import WireProtocol

/// What of deliveries runs for whoever looks: orders that are not over, what they bring, and that they offer to (`deliveries/running`). On both homes; `/deliveries/running`
/// makes it anew.
struct DeliveryRunning {
    struct Row {
        var key: String
        var href: String
        var icon: String
        var title: String
        var state: String
        var tone: String
        var moment: Moment?
    }

    static let path = "/deliveries/running"
    private static let most = 20

    var rows: [Row]
    var any: Bool
    /// Where it is made anew.
    var `self` = path

    static func register(on routes: PageRoutes) {
        routes.get("/deliveries/running") { visit in
            try visit.context.requirePerson()
            guard visit.isFragment else { return visit.redirect(to: DeliveriesVertical.path) }
            return visit.fragment("deliveries/running", await DeliveryRunning(in: visit))
        }
    }

    /// Pages do without what can't be had now.
    init(in visit: Visit) async {
        async let orders = try? visit.ask(
            MatchingMethods.orders, OrderQuery(isOver: false, limit: Self.most), Nothing(), within: 2)
        async let matches = try? visit.ask(
            MatchingMethods.matches, MatchQuery(isOver: false, limit: Self.most), Nothing(), within: 2)
        async let availability = try? visit.ownAvailability()
        let found = await matches?.items ?? []
        let brought = Set(found.map(\.order))
        // What somebody brings stands there as that.
        let open = (await orders?.items ?? []).filter { !brought.contains($0.id) || $0.state != .matched }
        let mine = found.filter { $0.role == .deliverer || $0.state != .offered }
        rows = open.map { Row($0, in: visit) } + mine.map { Row($0, in: visit) }
        if let availability = await availability { rows.append(Row(availability, in: visit)) }
        any = !rows.isEmpty
    }
}

extension DeliveryRunning.Row {
    fileprivate init(_ order: DeliveryOrder, in visit: Visit) {
        self.init(
            key: order.id.description, href: order.path, icon: "hourglass", title: order.title(in: visit.words),
            state: order.stateText(in: visit.words), tone: order.stateTone)
    }

    fileprivate init(_ match: DeliveryMatch, in visit: Visit) {
        self.init(
            key: match.id.description, href: match.path, icon: "restaurant", title: match.title,
            state: match.stateText(in: visit.words), tone: match.stateTone,
            moment: match.expectedAt.map { visit.moment($0, .until) })
    }

    fileprivate init(_ availability: Availability, in visit: Visit) {
        let words = visit.words
        self.init(
            key: availability.id.description, href: DeliverPage.path, icon: "hand",
            title: words["deliveries.offering", ["name": availability.restaurant.name]],
            state: words["deliveries.until"], tone: availability.state == .paused ? "warm" : "",
            moment: visit.moment(availability.until, .clock))
        if availability.state == .paused { (state, moment) = (words["deliveries.paused"], nil) }
    }
}
