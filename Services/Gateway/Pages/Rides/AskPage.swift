import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/rides/{id}/ask`: chooses a part of the way and seats, shows what they cost, and asks the driver; or joins the list where there is no room.
struct AskPage {
    var title: String
    var when: String
    var zone: RideZone
    var driver: PersonView
    var back: String
    var action: String
    var problem: String?
    /// That what it costs is shown now, and what goes on with it.
    var notice: String?
    /// What is in the way: one's own request, or another ride.
    var other: String?
    /// Why nobody can ask now.
    var closed: String?
    var key: String
    /// Whether it is looked over, and not filled in.
    var isReview: Bool
    var kept: [OfferValues.Kept]
    var form: AskForm
    var quote: AskQuote
    var riders: String?
    var message: String?
    var within: String
    /// What the button does: `ask`, or `wait` where there is no room.
    var act: String
    var submit: String
    var then: String

    static func register(on routes: PageRoutes) {
        routes.get("/rides/{id}/ask") { visit in
            try visit.context.requirePerson()
            let ride = try await ride(visit)
            if let elsewhere = elsewhere(from: ride) { return visit.leave(for: elsewhere) }
            var values = AskValues(SubmittedForm((try? visit.asked.get()) ?? []))
            values.fill(for: ride)
            return try await begin(ride, values, visit)
        }
        routes.post("/rides/{id}/ask") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            return try await go(on: try await ride(visit), form, visit)
        }
    }

    static func ride(_ visit: Visit) async throws -> Ride {
        try await visit.ask(RidesMethods.ride, RideReference(id: visit.id()), Nothing())
    }

    /// Where who drives it, or has asked already, has their buttons.
    static func elsewhere(from ride: Ride) -> String? {
        ride.mine ? ride.path : ride.request.map { "/seats/\($0)" }
    }

    /// The form, or what of it shows the cost.
    private static func begin(_ ride: Ride, _ typed: AskValues, _ visit: Visit) async throws -> Response {
        var values = typed
        await values.lookUp(of: ride, in: visit)
        var errors = values.errors(in: visit.words)
        var quote: SeatQuote?
        if errors.isEmpty {
            do {
                quote = try await Self.quote(ride, values, visit)
            } catch let error as ServiceError where error.code == .invalid {
                errors = values.errors(error, in: visit)
            } catch let error as ServiceError where error.code != .unauthenticated {
                // The form does without; it is shown before anything is asked for.
            }
        }
        if visit.isFragment {
            return visit.fragment("rides/ask-quote", AskQuote(quote, of: ride, values, errors, in: visit))
        }
        return try await show(AskPage(ride, values, quote, errors, SubmittedForm(), in: visit), visit)
    }

    static func quote(_ ride: Ride, _ values: AskValues, _ visit: Visit) async throws -> SeatQuote {
        var draft = values.draft()
        draft.expected = nil
        return try await visit.ask(RidesMethods.quoteSeat, RideReference(id: ride.id), draft)
    }

    private static func go(on ride: Ride, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        var values = AskValues(form)
        // Whose answer was lost sends it once more, and is led to what came of it.
        let isSent = ["ask", "wait"].contains(form["do"]) && values.isQuoted
        if isSent { return try await send(ride, values, form, visit) }
        if let elsewhere = elsewhere(from: ride) { return visit.redirect(to: elsewhere) }
        values.fill(for: ride)
        await values.lookUp(of: ride, in: visit)
        let errors = values.errors(in: visit.words)
        if form["do"] == "change" || !errors.isEmpty {
            let page = AskPage(ride, values, nil, errors, form, in: visit)
            return try await show(page, visit, errors.isEmpty ? nil : .invalid)
        }
        return try await review(ride, values, form, visit) { page in
            page.notice = visit.words["seats.ask.priced", ["button": page.submit]]
        }
    }

    // MARK: Showing

    static func show(_ page: AskPage, _ visit: Visit, _ refusal: ErrorCode? = nil) async throws -> Response {
        let frame = PageFrame(
            title: visit.words["seats.ask.title", ["title": page.title]], tab: .home, width: "middle",
            scripts: ["combobox", "seat", "elsewhere"], styles: ["rentals", "rides"])
        let status = refusal.map { ProblemStatus.status(of: $0) } ?? .ok
        return try await visit.page("rides/ask", page, frame, status: status)
    }

    init(
        _ ride: Ride, _ values: AskValues, _ quote: SeatQuote?, _ errors: FieldErrors?, _ form: SubmittedForm,
        isReview: Bool = false, in visit: Visit
    ) {
        let (words, name) = (visit.words, ride.driver.name)
        let view = RideView(ride, in: visit)
        (title, when, zone) = (view.title, view.when, view.zone)
        driver = PersonView(
            ride.driver, badge: visit.badge(of: ride.driver.campus),
            reputation: ReputationView(ride.driver.reputation, in: words))
        back = ride.path
        action = "\(ride.path)/ask"
        closed = ride.action == .unavailable ? words["seats.ask.closed"] : nil
        key = Visit.key(form)
        self.isReview = isReview
        kept = isReview ? values.kept : []
        self.form = AskForm(values, of: ride, errors, in: visit)
        self.quote = AskQuote(quote, of: ride, values, errors, in: visit)
        riders = values.riders.nonEmpty
        message = values.message.nonEmpty
        within = words["seats.ask.hours", count: Int(values.within) ?? 24]
        let waits = quote.map { $0.free < $0.seats } ?? (ride.action == .wait)
        act = waits ? "wait" : "ask"
        submit = words["seats.ask.\(waits ? "join" : "submit")", ["name": name]]
        then = words["seats.ask.then.\(waits ? "wait" : ride.accepts.rawValue)", ["name": name]]
    }
}
