import Hummingbird
import WireProtocol

/// `/orders`: one's own orders: those that are not over, or with `over=yes` those that are, the latest first.
struct OrdersPage {
    struct Row {
        var key: String
        var href: String
        var title: String
        var placed: Moment
        var state: String
        var tone: String
        var what: String
    }

    static let path = "/orders"
    private static let limit = 20

    var choices: [PageLink]
    var rows: [Row]
    var any: Bool
    var more: String?
    /// The address of this list, to be loaded anew when something happens.
    var `self`: String
    /// Whether something that happens changes this list: not a later page of it.
    var live: Bool
    var emptyTitle: String
    var emptyText: String
    var back = DeliveriesVertical.path
    var order = OrderNewPage.path

    static func register(on routes: PageRoutes) {
        routes.get("/orders") { visit in
            try visit.context.requirePerson()
            let isOver = visit.query("over") == "yes"
            let query = OrderQuery(isOver: isOver, limit: limit, cursor: visit.query("cursor"))
            let found = try await visit.ask(MatchingMethods.orders, query, Nothing())
            let page = OrdersPage(found, isOver: isOver, in: visit)
            switch visit.isFragment ? visit.fragmentTarget : nil {
            case "orders": return visit.fragment("deliveries/order-list", page)
            case "more": return visit.fragment("deliveries/order-rows", page)
            default: break
            }
            let frame = PageFrame(
                title: visit.words["orders.mine"], tab: .me, width: "middle", scripts: ["deliveries"],
                styles: ["deliveries"])
            return try await visit.page("deliveries/orders", page, frame)
        }
    }

    private init(_ found: Page<DeliveryOrder>, isOver: Bool, in visit: Visit) {
        let words = visit.words
        let here = isOver ? "\(Self.path)?over=yes" : Self.path
        choices = [
            PageLink(href: Self.path, icon: "hourglass", text: words["orders.tab.open"], chosen: !isOver),
            PageLink(href: "\(Self.path)?over=yes", icon: "archive", text: words["orders.tab.over"], chosen: isOver),
            PageLink(href: MatchesPage.path, icon: "restaurant", text: words["orders.tab.matches"]),
        ]
        rows = found.items.map { Row($0, in: visit) }
        any = !rows.isEmpty
        more = found.next.map { "\(here)\(isOver ? "&" : "?")cursor=\(LocalPath.encoded($0))" }
        self.`self` = here
        live = visit.query("cursor") == nil
        emptyTitle = words["orders.empty.\(isOver ? "over" : "open")"]
        emptyText = words["orders.empty.\(isOver ? "over" : "open")Text"]
    }
}

extension OrdersPage.Row {
    fileprivate init(_ order: DeliveryOrder, in visit: Visit) {
        let delivery = order.match.map { "\(MatchesPage.path)/\($0)" }
        key = order.id.description
        href = (order.state == .matched || order.state == .completed ? delivery : nil) ?? order.path
        title = order.title(in: visit.words)
        placed = visit.moment(order.placedAt, .ago)
        (state, tone) = (order.stateText(in: visit.words), order.stateTone)
        what = order.around?.items ?? order.from.first?.items ?? ""
    }
}
