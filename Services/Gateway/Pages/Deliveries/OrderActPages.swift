import HTTPTypes
import Hummingbird
import WireProtocol

/// `/orders/{id}/cancel`: asks once, then takes an order back. `POST /orders/{id}/ask`: asks somebody by name, or anybody.
struct OrderActPages {
    var ask: Ask

    static func register(on routes: PageRoutes) {
        routes.get("/orders/{id}/cancel") { visit in
            let order = try await visit.ownOrder()
            guard order.possible.contains(.cancel) else {
                return visit.isFragment ? visit.leave(for: order.path) : try await OrderPage.tooLate(order, visit)
            }
            let page = OrderActPages(order, in: visit)
            if visit.isFragment { return visit.fragment("deliveries/ask", page) }
            return try await visit.page("deliveries/ask", page, PageFrame(title: page.ask.title, tab: .home))
        }
        routes.post("/orders/{id}/cancel") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            let reference = OrderReference(id: try visit.id())
            do {
                _ = try await visit.command(MatchingMethods.cancelOrder, reference, Nothing(), of: form)
                return visit.redirect(to: "\(OrdersPage.path)/\(reference.id)", done: "order.cancel")
            } catch let error as ServiceError where error.code == .wrongState {
                return try await OrderPage.tooLate(try await visit.ownOrder(), visit)
            }
        }
        routes.post("/orders/{id}/ask") { visit in
            try visit.context.requirePerson()
            return try await askNext(try await visit.form(), visit)
        }
    }

    private static func askNext(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let reference = OrderReference(id: try visit.id())
        let asking = OrderAsking(availability: AvailabilityID(form["availability"]))
        do {
            let order = try await visit.command(MatchingMethods.askNext, reference, asking, of: form)
            return visit.redirect(to: order.path, done: "order.ask")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            return visit.redirect(to: "\(OrdersPage.path)/\(reference.id)")
        } catch let error as ServiceError where error.code == .wrongState {
            return try await OrderPage.tooLate(try await visit.ownOrder(), visit)
        } catch let error as ServiceError where error.code != .unauthenticated && error.code != .notFound {
            // Who was asked for has no hand free, or is not there: others are shown.
            let first = error.errors.first.flatMap { visit.words.find("field.orderAsking.\($0.code)") }
            return try await OrderPage.show(
                try await visit.ownOrder(), problem: first ?? visit.toldOfOrder(error), visit,
                status: ProblemStatus.status(of: error.code))
        }
    }

    private init(_ order: DeliveryOrder, in visit: Visit) {
        ask = Ask("orders.cancel", icon: "undo", action: "\(order.path)/cancel", cancel: order.path, in: visit.words)
        ask.note = order.asked.map { visit.words["orders.cancel.asked", ["name": $0.person.name]] }
    }
}
