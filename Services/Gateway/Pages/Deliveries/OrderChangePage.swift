import HTTPTypes
import Hummingbird
import WireProtocol

/// `/orders/{id}/change`: changes an order that nobody has accepted yet. Whoever is asked just now is asked no more, and somebody is asked anew.
struct OrderChangePage {
    var back: String
    var about: String
    var problem: String?
    var action: String
    var key: String
    /// That an offer is taken back.
    var told: String?
    var form: OrderForm

    static func register(on routes: PageRoutes) {
        routes.get("/orders/{id}/change") { visit in
            let order = try await visit.ownOrder()
            guard order.possible.contains(.change) else { return visit.redirect(to: order.path) }
            return try await show(order, OrderValues(order, asChange: true), in: visit)
        }
        routes.post("/orders/{id}/change") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            return try await change(try await visit.ownOrder(), form, visit)
        }
    }

    private static func change(_ order: DeliveryOrder, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        var values = OrderValues(form, insteadOf: order)
        let key = Visit.key(form)
        if values.changeRestaurants(form["go"]) { return try await show(order, values, key: key, in: visit) }
        await values.lookUp(insteadOf: order, in: visit)
        let (draft, errors) = values.draft(insteadOf: order, currency: visit.community.currency, in: visit.words)
        guard errors.isEmpty else {
            return try await show(order, values, errors, refusal: .invalid, key: key, in: visit)
        }
        do {
            let reference = OrderReference(id: order.id)
            let changed = try await visit.command(MatchingMethods.changeOrder, reference, draft, of: form)
            return visit.redirect(to: changed.path, done: "order.change")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            return visit.redirect(to: order.path, done: "order.before")
        } catch let error as ServiceError where error.code == .wrongState {
            return try await OrderPage.tooLate(try await visit.ownOrder(), visit)
        } catch let error as ServiceError where error.code != .unauthenticated {
            let errors = values.errors(error, in: visit.words)
            return try await show(order, values, errors, refusal: error.code, key: key, in: visit) { page in
                if errors.isEmpty { page.problem = visit.toldOfOrder(error) }
            }
        }
    }

    private static func show(
        _ order: DeliveryOrder, _ values: OrderValues, _ errors: FieldErrors? = nil, refusal: ErrorCode? = nil,
        key: String = Visit.newKey(), in visit: Visit, with: (inout OrderChangePage) -> Void = { _ in }
    ) async throws -> Response {
        var page = OrderChangePage(order, values, errors, key: key, in: visit)
        with(&page)
        let frame = PageFrame(
            title: visit.words["orders.changing.title"], tab: .home, scripts: ["combobox"], styles: ["deliveries"])
        let status = refusal.map { ProblemStatus.status(of: $0) } ?? .ok
        return try await visit.page("deliveries/order-change", page, frame, status: status)
    }

    private init(
        _ order: DeliveryOrder, _ values: OrderValues, _ errors: FieldErrors?, key: String, in visit: Visit
    ) {
        let words = visit.words
        back = order.path
        about = order.title(in: words)
        action = "\(order.path)/change"
        self.key = key
        told = order.asked.map { words["orders.changing.asked", ["name": $0.person.name]] }
        form = OrderForm(values, errors, in: visit)
    }
}

extension Visit {
    /// The order in the address: to everybody but its orderer there is none.
    /// - Throws: `unauthenticated`, `notFound`.
    func ownOrder() async throws -> DeliveryOrder {
        try context.requirePerson()
        return try await ask(MatchingMethods.order, OrderReference(id: try id()), Nothing())
    }
}
