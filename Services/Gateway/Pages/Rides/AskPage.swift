import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/rides/{id}/ask`: chooses a part of the way and seats, shows what they cost, and asks the driver; or joins the list where there is no room. The other
/// one of outward and return, and other days of the same commute, can be asked for at once.
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
    var kept: [AskValues.Kept]
    var form: AskForm
    var quote: AskQuote
    var map: WayMap?
    var riders: String?
    var message: String?
    var within: String
    /// The other days that are asked for.
    var days: [String]
    var anyDays: Bool
    /// What the button does: `ask`, or `wait` where there is no room.
    var act: String
    var submit: String
    var then: String

    static func register(on routes: PageRoutes) {
        routes.get("/rides/{id}/ask") { visit in
            try visit.context.requirePerson()
            let rides = try await AskRides.asked(visit)
            if let elsewhere = elsewhere(from: rides.ride) { return visit.leave(for: elsewhere) }
            var values = AskValues(SubmittedForm((try? visit.asked.get()) ?? []))
            values.fill(for: rides)
            return try await begin(rides, values, visit)
        }
        routes.post("/rides/{id}/ask") { visit in
            try visit.context.requirePerson()
            return try await go(try await visit.form(), visit)
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
    private static func begin(_ rides: AskRides, _ typed: AskValues, _ visit: Visit) async throws -> Response {
        var values = typed
        await values.lookUp(of: rides, in: visit)
        var errors = values.errors(in: visit.words)
        var quote: SeatQuote?
        if errors.isEmpty {
            do {
                quote = try await Self.quote(rides.ride, values, visit)
            } catch let error as ServiceError where error.code == .invalid {
                errors = values.errors(error, in: visit)
            } catch let error as ServiceError where error.code != .unauthenticated {
                // The form does without; it is shown before anything is asked for.
            }
        }
        if visit.isFragment {
            return visit.fragment("rides/ask-quote", AskQuote(quote, of: rides, values, errors, in: visit))
        }
        return try await show(AskPage(rides, values, quote, errors, SubmittedForm(), in: visit), rides, visit)
    }

    static func quote(_ ride: Ride, _ values: AskValues, _ visit: Visit) async throws -> SeatQuote {
        var draft = values.draft()
        draft.expected = nil
        draft.together?.expected = nil
        return try await visit.ask(RidesMethods.quoteSeat, RideReference(id: ride.id), draft)
    }

    private static func go(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        var values = AskValues(form)
        // Somebody who never saw the answer sends it once more, and is led to what came of it.
        let isSent = ["ask", "wait"].contains(form["do"]) && values.isQuoted
        if isSent { return try await send(values, form, visit) }
        let rides = try await AskRides.asked(visit)
        if let elsewhere = elsewhere(from: rides.ride) { return visit.redirect(to: elsewhere) }
        values.fill(for: rides)
        await values.lookUp(of: rides, in: visit)
        let errors = values.errors(in: visit.words)
        if form["do"] == "change" || !errors.isEmpty {
            let page = AskPage(rides, values, nil, errors, form, in: visit)
            return try await show(page, rides, visit, errors.isEmpty ? nil : .invalid)
        }
        return try await review(rides, values, form, visit) { page in
            page.notice = visit.words["seats.ask.priced", ["button": page.submit]]
        }
    }

    // MARK: Showing

    static func show(
        _ asked: AskPage, _ rides: AskRides, _ visit: Visit, _ refusal: ErrorCode? = nil
    ) async throws -> Response {
        var page = asked
        page.map = await WayMap(of: rides.ride, in: visit)
        let frame = PageFrame(
            title: visit.words["seats.ask.title", ["title": page.title]], tab: .home, width: "middle", usesMap: true,
            scripts: ["combobox", "seat", "elsewhere", "ridemap"], styles: ["rentals", "rides"])
        let status = refusal.map { ProblemStatus.status(of: $0) } ?? .ok
        return try await visit.page("rides/ask", page, frame, status: status)
    }

    init(
        _ rides: AskRides, _ values: AskValues, _ quote: SeatQuote?, _ errors: FieldErrors?, _ form: SubmittedForm,
        isReview: Bool = false, in visit: Visit
    ) {
        let (words, ride) = (visit.words, rides.ride)
        let (view, name) = (RideView(ride, in: visit), ride.driver.name)
        (title, when, zone) = (view.title, view.when, view.zone)
        driver = PersonView(ride.driver, in: visit)
        back = ride.path
        action = "\(ride.path)/ask"
        closed = ride.action == .unavailable ? words["seats.ask.closed"] : nil
        key = Visit.key(form)
        self.isReview = isReview
        kept = isReview ? values.kept : []
        self.form = AskForm(values, of: rides, errors, in: visit)
        self.quote = AskQuote(quote, of: rides, values, errors, in: visit)
        riders = values.riders.nonEmpty
        message = values.message.nonEmpty
        within = words["seats.ask.hours", count: Int(values.within) ?? 24]
        let waits = quote?.waits ?? (ride.action == .wait)
        let clock = RideClock(ride.zone, in: words)
        // The list is that of this ride alone.
        days = waits ? [] : values.days.compactMap { WireJSON.date(from: $0.departs) }.map { clock.moment($0) }
        anyDays = !days.isEmpty
        act = waits ? "wait" : "ask"
        submit = words["seats.ask.\(waits ? "join" : "submit")", ["name": name]]
        then = words["seats.ask.then.\(waits ? "wait" : ride.accepts.rawValue)", ["name": name]]
    }
}
