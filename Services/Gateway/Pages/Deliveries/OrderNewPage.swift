import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/orders/new`: what one wants brought. `restaurant=`, `to=` and `ask=` (somebody who is there now) fill it in; `again=` does so with an order that is over.
struct OrderNewPage {
    static let path = "/orders/new"

    var back: String
    var problem: String?
    /// Where one goes on instead.
    var other: PageLink?
    var action = path
    var key: String
    var form: OrderForm
    var submit: String
    /// What happens then.
    var then: String

    /// - Parameter dropOff: where it is wanted.
    static func path(
        from restaurant: PlaceID? = nil, asking: AvailabilityID? = nil, to dropOff: PlaceChoice? = nil
    ) -> String {
        let pairs = [
            restaurant.map { ("restaurant", $0.description) }, asking.map { ("ask", $0.description) },
            dropOff.map { ("to", $0.written) },
        ].compactMap(\.self)
        let query = pairs.map { "\($0)=\(LocalPath.encoded($1))" }.joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    static func register(on routes: PageRoutes) {
        routes.get("/orders/new") { visit in
            try visit.context.requirePerson()
            let (values, isGone) = try await begun(visit)
            return try await show(values, in: visit) { page in
                if isGone { page.problem = visit.words["orders.problem.not_there"] }
            }
        }
        routes.post("/orders/new") { visit in
            try visit.context.requirePerson()
            return try await go(on: try await visit.form(), visit)
        }
    }

    /// - Returns: what the form begins with, and whether the one who was to be asked is not there any more.
    private static func begun(_ visit: Visit) async throws -> (OrderValues, Bool) {
        if let id = visit.query("again").flatMap({ OrderID($0) }) {
            let order = try await visit.ask(MatchingMethods.order, OrderReference(id: id), Nothing())
            return (OrderValues(order, asChange: false), false)
        }
        var values = OrderValues()
        values.to = visit.dropOff()
        guard let restaurant = visit.query("restaurant").flatMap({ PlaceID($0) }) else { return (values, false) }
        if let place = await visit.place(restaurant) { values.wanted[0].restaurant = RestaurantAnswer(place) }
        guard let asked = visit.query("ask").flatMap({ AvailabilityID($0) }) else { return (values, false) }
        let query = DelivererQuery(restaurant: restaurant, limit: 100)
        let there = try await visit.ask(MatchingMethods.deliverers, query, Nothing()).items
        guard let deliverer = there.first(where: { $0.id == asked }) else { return (values, true) }
        (values.asking, values.asked) = (asked, deliverer.person.name)
        values.fee = DeliveryMoney.typed(deliverer.leastFee)
        return (values, false)
    }

    /// One of the form's buttons. All but the last only show something else of what was typed.
    private static func go(on form: SubmittedForm, _ visit: Visit) async throws -> Response {
        var values = OrderValues(form)
        let key = Visit.key(form)
        if values.changeRestaurants(form["go"]) { return try await show(values, key: key, in: visit) }
        if form["go"] == "anybody" { values.asking = nil }
        await values.lookUp(in: visit)
        let (draft, errors) = values.draft(currency: visit.community.currency, in: visit.words)
        guard errors.isEmpty else { return try await show(values, errors, refusal: .invalid, key: key, in: visit) }
        do {
            let doing = values.asking == nil ? "" : "one"
            let order = try await visit.command(
                MatchingMethods.placeOrder, Nothing(), draft, of: form, doing: doing)
            return visit.remembering(values.to.chosen, in: visit.redirect(to: order.path, done: "order.placed"))
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending did arrive: it is among these.
            return visit.redirect(to: OrdersPage.path, done: "order.before")
        } catch let error as ServiceError where error.code != .unauthenticated {
            return try await refused(values, error, key: key, visit)
        }
    }

    private static func refused(
        _ values: OrderValues, _ error: ServiceError, key: String, _ visit: Visit
    ) async throws -> Response {
        let isOfForm = error.code == .invalid || error.code == .malformed
        let errors = isOfForm ? values.errors(error, in: visit.words) : FieldErrors(visit.words)
        return try await show(values, errors, refusal: error.code, key: key, in: visit) { page in
            if errors.isEmpty { page.problem = visit.toldOfOrder(error) }
            let words = visit.words
            switch error.code {
            case .tooManyOrders:
                page.other = PageLink(href: OrdersPage.path, icon: "restaurant", text: words["orders.mine"])
            case .handsFull, .notThere:
                let place = values.wanted.first?.restaurant.place
                page.other = place.map {
                    PageLink(
                        href: RestaurantPage.path(of: $0, to: values.to.chosen), icon: "hand",
                        text: words["orders.others"])
                }
            default: break
            }
        }
    }

    private static func show(
        _ values: OrderValues, _ errors: FieldErrors? = nil, refusal: ErrorCode? = nil,
        key: String = Visit.newKey(), in visit: Visit, with: (inout OrderNewPage) -> Void = { _ in }
    ) async throws -> Response {
        var page = OrderNewPage(values, errors, key: key, in: visit)
        with(&page)
        let frame = PageFrame(
            title: visit.words["orders.new.title"], tab: .home, scripts: ["combobox"], styles: ["deliveries"])
        let status = refusal.map { ProblemStatus.status(of: $0) } ?? .ok
        return try await visit.page("deliveries/order-new", page, frame, status: status)
    }

    private init(_ values: OrderValues, _ errors: FieldErrors?, key: String, in visit: Visit) {
        let words = visit.words
        back = DeliveriesVertical.path
        self.key = key
        form = OrderForm(values, errors, in: visit)
        let name = ["name": values.asked.nonEmpty ?? words["inbox.somebody"]]
        submit = values.asking == nil ? words["orders.new.submit"] : words["orders.new.submitOne", name]
        then = values.asking == nil ? words["orders.new.then"] : words["orders.new.thenOne", name]
    }
}
