import HTTPTypes
import Hummingbird
import WireProtocol

/// `/deliver`: who is at a restaurant says what they can bring along. Once they have, how that stands, and what is offered to them.
struct DeliverPage {
    var modes: DeliverySwitch
    /// What else runs, where nothing is offered.
    var running: DeliveryRunning?
    var form: DeliverForm?
    var on: DeliverOn?
    /// Looked at anew where there are no scripts: an offer may come.
    var refresh: String?

    static let path = "/deliver"

    static func register(on routes: PageRoutes) {
        routes.get("/deliver") { visit in
            try visit.context.requirePerson()
            let own = try await visit.ownAvailability()
            if let own, visit.query("change") == nil { return try await show(own, visit) }
            let values = await begun(own, visit)
            return try await ask(DeliverForm(values, insteadOf: own, in: visit), visit)
        }
        routes.post("/deliver") { visit in
            try visit.context.requirePerson()
            return try await offer(try await visit.form(), visit)
        }
    }

    /// How it stands.
    static func show(
        _ own: Availability, problem: String? = nil, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let me = try visit.context.requirePerson()
        async let noted: Void = visit.markRead(about: Subject(me))
        var page = DeliverPage(modes: DeliverySwitch(.delivering, in: visit.words))
        page.on = await DeliverOn(own, in: visit)
        page.on?.problem = problem
        page.refresh = path
        await noted
        let frame = PageFrame(
            title: visit.words["deliver.title"], tab: .home, width: "middle", usesMap: page.on?.map != nil,
            scripts: ["deliver"], styles: ["rentals", "deliveries"])
        return try await visit.page("matches/deliver", page, frame, status: status)
    }

    /// What the form begins with: what is offered now; else the restaurant whose page led here.
    private static func begun(_ own: Availability?, _ visit: Visit) async -> DeliverValues {
        var values = own.map { DeliverValues($0) } ?? DeliverValues()
        if let id = visit.query("restaurant").flatMap({ PlaceID($0) }) {
            let asked = PlaceReference(id: id, language: visit.words.code)
            let place = try? await visit.ask(PlacesMethods.place, asked, Nothing(), within: 2)
            if let place, place.kind == .restaurant { values.restaurant = RestaurantAnswer(place) }
        }
        return values
    }

    private static func ask(
        _ form: DeliverForm, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        var page = DeliverPage(modes: DeliverySwitch(.delivering, in: visit.words))
        page.form = form
        page.running = await DeliveryRunning(in: visit)
        let frame = PageFrame(title: form.title, tab: .home, scripts: ["combobox"], styles: ["deliveries"])
        return try await visit.page("matches/deliver", page, frame, status: status)
    }

    private static func offer(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let own = try await visit.ownAvailability()
        var values = DeliverValues(form)
        await values.lookUp(insteadOf: own, in: visit)
        let (draft, errors) = values.draft(insteadOf: own, currency: visit.community.currency, in: visit.words)
        func refused(_ errors: FieldErrors, _ problem: String?, _ status: HTTPResponse.Status) async throws -> Response
        {
            var shown = DeliverForm(values, insteadOf: own, key: Visit.key(form), errors: errors, in: visit)
            shown.problem = problem
            return try await ask(shown, visit, status: status)
        }
        guard errors.isEmpty else { return try await refused(errors, nil, .unprocessableContent) }
        let done = own == nil ? "began" : "changed"
        do {
            _ = try await visit.command(MatchingMethods.offerDelivery, Nothing(), draft, of: form)
            return visit.redirect(to: path, done: "deliver.\(done)")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending of this form was kept.
            return visit.redirect(to: path, done: "deliver.\(done)")
        } catch let error as ServiceError where error.code != .unauthenticated {
            let errors = DeliverForm.errors(error, in: visit.words)
            return try await refused(
                errors, errors.isEmpty ? visit.told(error) : nil, ProblemStatus.status(of: error.code))
        }
    }
}
