import HTTPTypes
import Hummingbird
import WireProtocol

/// `/orders/{id}`: an order until somebody brings it: whom it asks and what they say, and what one may do. Once somebody brings it, it leads to the delivery.
struct OrderPage {
    var id: String
    var title: String
    /// Its state as events name it, for the script.
    var stage: String
    var state: String
    var tone: String
    /// A symbol of `icons.svg`.
    var sign: String
    var said: TimedSentence
    /// Of who is asked, until when they may say.
    var left: SecondsLeft?
    /// Why it is shown instead of what was to be done.
    var problem: String?
    var timeline: OrderTimeline
    var slip: OrderSlip
    var asking: NextAsking?
    var change: String?
    var cancel: String?
    /// To order the same once more.
    var again: String?
    /// To the delivery that it became.
    var match: String?
    /// Where browsers without scripts look again.
    var refresh: String?
    /// Whether scripts look again by themselves.
    var waits: Bool
    var here: String
    var back = OrdersPage.path

    static func register(on routes: PageRoutes) {
        routes.get("/orders/{id}") { visit in
            let order = try await visit.ownOrder()
            if order.state == .matched, let match = order.match {
                return visit.redirect(to: "\(MatchesPage.path)/\(match)")
            }
            return try await show(order, visit)
        }
    }

    /// What was to be done is not possible any more: the order as it is now; where somebody brings it, that.
    static func tooLate(_ order: DeliveryOrder, _ visit: Visit) async throws -> Response {
        if order.state == .matched, let match = order.match {
            return visit.redirect(to: "\(MatchesPage.path)/\(match)", done: "order.tooLate")
        }
        return try await show(order, problem: visit.words["orders.tooLate"], visit, status: .conflict)
    }

    /// - Parameter problem: why what was wanted did not happen.
    static func show(
        _ order: DeliveryOrder, problem: String? = nil, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        async let noted: Void = visit.markRead(about: Subject(order.id))
        var page = OrderPage(order, in: visit)
        page.problem = problem
        page.asking = await NextAsking(order, in: visit)
        // Before the bell is counted.
        await noted
        let frame = PageFrame(
            title: visit.words["orders.page", ["title": page.title]], tab: .home, width: "middle",
            scripts: ["order"], styles: ["deliveries"])
        return try await visit.page("deliveries/order", page, frame, status: status)
    }

    private init(_ order: DeliveryOrder, in visit: Visit) {
        let words = visit.words
        id = order.id.description
        title = order.title(in: words)
        (stage, state, tone) = (order.state.rawValue, order.stateText(in: words), order.stateTone)
        said = order.said(in: visit)
        sign = order.isOpen ? "hourglass" : "restaurant"
        left = order.asked.map { SecondsLeft(until: $0.until, in: visit) }
        timeline = OrderTimeline(order, in: visit)
        slip = OrderSlip(order, in: visit)
        here = order.path
        change = order.possible.contains(.change) ? "\(here)/change" : nil
        cancel = order.possible.contains(.cancel) ? "\(here)/cancel" : nil
        again = order.isOver ? "\(OrderNewPage.path)?again=\(order.id)" : nil
        match = order.match.map { "\(MatchesPage.path)/\($0)" }
        waits = order.state == .waiting || order.state == .offered
        refresh = waits ? here : nil
    }
}

/// Whom an order may ask next, where its orderer says so (`deliveries/asking`): anybody, or one of those who are there.
struct NextAsking {
    struct Row {
        var availability: String
        var person: PersonView
        var said: String
        var until: Moment
        var fee: String?
        var label: String
        var key: String
    }

    /// So many restaurants are looked at.
    private static let most = 3

    var action: String
    var key: String
    var rows: [Row]
    var any: Bool

    /// Nil where it asks nobody. Who is there is left out where that is not known now.
    init?(_ order: DeliveryOrder, in visit: Visit) async {
        guard order.possible.contains(.ask) else { return nil }
        action = "\(order.path)/ask"
        key = Visit.newKey()
        var found: [Row] = []
        var known = order.askedBefore
        for restaurant in order.from.prefix(Self.most).map(\.restaurant) {
            guard let place = restaurant.place else { continue }
            let query = DelivererQuery(restaurant: place, to: order.dropOff.position, limit: 10)
            let there = (try? await visit.ask(MatchingMethods.deliverers, query, Nothing(), within: 2))?.items ?? []
            for deliverer in there where known.insert(deliverer.person.id).inserted {
                found.append(Row(deliverer, at: restaurant, in: visit))
            }
        }
        rows = found
        any = !rows.isEmpty
    }
}

extension NextAsking.Row {
    fileprivate init(_ deliverer: Deliverer, at restaurant: DeliveryPlace, in visit: Visit) {
        let words = visit.words
        let values = ["restaurant": restaurant.name, "place": deliverer.dropOff.name]
        self.init(
            availability: deliverer.id.description, person: PersonView(deliverer.person, in: visit),
            said: words["orders.asking.way", values], until: visit.moment(deliverer.until, .clock),
            fee: deliverer.leastFee.map { words["deliveries.leastFee", ["fee": Price.text($0, in: words)]] },
            label: words["deliveries.askWho", ["name": deliverer.person.name]], key: Visit.newKey())
    }
}
