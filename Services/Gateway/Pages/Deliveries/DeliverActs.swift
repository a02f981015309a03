import HTTPTypes
import Hummingbird
import WireProtocol

/// `/deliver/{longer|resume|stop}`: what somebody does who can bring something along.
struct DeliverActs {
    static let longer = "/deliver/longer"
    static let resume = "/deliver/resume"
    static let stop = "/deliver/stop"

    var ask: Ask

    static func register(on routes: PageRoutes) {
        routes.post("/deliver/longer") { visit in
            try await act("longer", visit) { form in
                // What the button said, and not what the clock says when it is pressed.
                let draft = AvailabilityDraft(minutes: Int(form["minutes"]) ?? 0)
                _ = try await visit.command(
                    MatchingMethods.offerDelivery, Nothing(), draft, of: form, doing: "longer")
            }
        }
        routes.post("/deliver/resume") { visit in
            try await act("resumed", visit) { form in
                _ = try await visit.command(MatchingMethods.resumeDelivery, Nothing(), Nothing(), of: form)
            }
        }
        routes.get("/deliver/stop") { visit in
            try visit.context.requirePerson()
            guard let own = try await visit.ownAvailability() else { return visit.leave(for: DeliverPage.path) }
            return try await question(own, visit)
        }
        routes.post("/deliver/stop") { visit in
            try await act("stopped", visit) { form in
                _ = try await visit.command(MatchingMethods.endDelivery, Nothing(), Nothing(), of: form)
            }
        }
    }

    private static func act(
        _ done: String, _ visit: Visit, _ command: (SubmittedForm) async throws -> Void
    ) async throws -> Response {
        try visit.context.requirePerson()
        let form = try await visit.form()
        do {
            try await command(form)
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending of this form was kept.
        } catch let error as ServiceError where [.wrongState, .invalid, .notFound].contains(error.code) {
            return try await tooLate(visit)
        }
        return visit.redirect(to: DeliverPage.path, done: "deliver.\(done)")
    }

    /// It has ended meanwhile, or is otherwise: as it is now, with a sentence.
    private static func tooLate(_ visit: Visit) async throws -> Response {
        guard let own = try await visit.ownAvailability() else {
            return visit.redirect(to: DeliverPage.path, done: "deliver.over")
        }
        return try await DeliverPage.show(own, problem: visit.words["deliver.tooLate"], visit, status: .conflict)
    }

    private static func question(_ own: Availability, _ visit: Visit) async throws -> Response {
        var ask = Ask(
            "deliver.stop", icon: "hand", action: stop, cancel: DeliverPage.path, name: own.restaurant.name,
            in: visit.words)
        if own.taken > 0 { ask.note = visit.words["deliver.stop.inHand"] }
        if visit.isFragment { return visit.fragment("matches/stop", DeliverActs(ask: ask)) }
        return try await visit.page("matches/stop", DeliverActs(ask: ask), PageFrame(title: ask.title, tab: .home))
    }
}
