import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/things/{id}/rent`: chooses a period, says what it costs, and asks its owner.
struct RentPage {
    var id: String
    var title: String
    var photo: String?
    var price: String
    var owner: PersonView
    /// Of an earlier request of theirs.
    var rental: String?
    /// Why nobody can have it now.
    var closed: String?
    var choose: RentChoice
    var policy: String
    var message: Field
    var problem: String?
    /// That what it costs is shown now, and what goes on with it.
    var notice: String?
    var key: String
    /// The terms that are shown, which come back with the form.
    var seen: String
    var submit: String
    var then: String

    static func register(on routes: PageRoutes) {
        routes.get("/things/{id}/rent") { visit in
            try visit.context.requirePerson()
            let thing = try await thing(visit)
            guard !thing.mine else { return visit.redirect(to: "/things/\(thing.id)/calendar") }
            let choice = choice { visit.query($0) ?? "" }
            if visit.isFragment {
                return visit.fragment("rentals/choose", try await RentChoice(of: thing, choice, in: visit))
            }
            return try await show(thing, choice, SubmittedForm(), visit)
        }
        routes.post("/things/{id}/rent") { visit in
            try visit.context.requirePerson()
            return try await ask(try await visit.form(), visit)
        }
    }

    private static func thing(_ visit: Visit) async throws -> Thing {
        try await visit.ask(ListingsMethods.thing, ThingReference(id: visit.id()), Nothing())
    }

    private static func choice(_ value: (String) -> String) -> MonthsView.Choice {
        MonthsView.Choice(
            from: value("from").nonEmpty, until: value("until").nonEmpty, day: value("day").nonEmpty)
    }

    private static func ask(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let id: ThingID = try visit.id()
        let choice = choice { form[$0] }
        // Without scripts the cost is asked for by a button, and what was typed stays.
        if form["do"] == "quote" { return try await show(try await thing(visit), choice, form, visit) }
        let (known, seen) = (try await thing(visit), form["seen"])
        if !seen.isEmpty, seen != known.terms.written {
            return try await show(known, choice, form, isNews: true, visit)
        }
        guard isQuoted(choice, form, on: known.terms) else { return try await quote(known, choice, form, visit) }
        // What was changed while one filled in the form is not agreed unseen; nor what is changed from here on.
        let draft = RentalDraft(
            from: form["from"], until: form["until"], message: form["message"].nonEmpty, expected: known.terms)
        do {
            let rental = try await visit.command(ListingsMethods.askRental, ThingReference(id: id), draft, of: form)
            return visit.redirect(
                to: "/rentals/\(rental.id)", done: rental.state == .accepted ? "rental.agreed" : "rental.asked")
        } catch let error as ServiceError where error.code == .termsChanged {
            return try await show(try await thing(visit), choice, form, isNews: true, visit)
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending of this form was kept, with another period: here it is.
            let known = try await thing(visit).rental
            return visit.redirect(to: known.map { "/rentals/\($0)" } ?? "/rentals", done: "rental.askedBefore")
        } catch let error as ServiceError where error.code != .unauthenticated && error.code != .notFound {
            return try await show(try await thing(visit), choice, form, error: error, visit)
        }
    }

    /// Whether the page that sent the form said what this period costs: without scripts it may have been another one.
    private static func isQuoted(
        _ choice: MonthsView.Choice, _ form: SubmittedForm, on terms: RentalTerms
    ) -> Bool {
        form["seen"] == terms.written && form["quoted"] == RentChoice.written(choice)
    }

    /// Who asks without having seen what it costs is shown that; the next press asks.
    private static func quote(
        _ thing: Thing, _ choice: MonthsView.Choice, _ form: SubmittedForm, _ visit: Visit
    ) async throws -> Response {
        do {
            let query = RentalQuoteQuery(id: thing.id, from: form["from"], until: form["until"])
            let quote = try await visit.ask(ListingsMethods.quoteRental, query, Nothing())
            guard quote.rental == nil else { throw ServiceError(.alreadyAsked, "This is one's own.") }
            guard quote.isFree else { throw ServiceError(.overlaps, "Somebody else has it in this period.") }
        } catch let error as ServiceError where [.invalid, .overlaps, .alreadyAsked].contains(error.code) {
            return try await show(thing, choice, form, error: error, visit)
        }
        return try await show(thing, choice, form, isQuoted: true, visit)
    }

    private static func show(
        _ thing: Thing, _ choice: MonthsView.Choice, _ form: SubmittedForm, error: ServiceError? = nil,
        isNews: Bool = false, isQuoted: Bool = false, _ visit: Visit
    ) async throws -> Response {
        var choose = try await RentChoice(of: thing, choice, error: error, in: visit)
        // It was seen, and may have been asked for: where the answer was lost, the next press finds that out, though the period is taken now.
        if choose.quoted == nil, Self.isQuoted(choice, form, on: thing.terms) { choose.quoted = form["quoted"] }
        var page = RentPage(thing, choose, form, error, in: visit)
        if isNews { page.problem = visit.words["rentals.rent.newTerms"] }
        if isQuoted, choose.quote != nil {
            page.notice = visit.words["rentals.rent.priced", ["button": page.submit]]
        }
        let frame = PageFrame(
            title: visit.words["rentals.rent.title", ["title": thing.title]], width: "middle",
            scripts: ["months", "rental"], styles: ["rentals"])
        return try await visit.page(
            "rentals/rent", page, frame,
            status: error.map { ProblemStatus.status(of: $0.code) } ?? (isNews ? .conflict : .ok))
    }

    private init(
        _ thing: Thing, _ choose: RentChoice, _ form: SubmittedForm, _ error: ServiceError?, in visit: Visit
    ) {
        let (words, unit) = (visit.words, thing.terms.unit.rawValue)
        let name = thing.owner.name
        id = thing.id.description
        title = thing.title
        photo = thing.photos.first
        price = thing.terms.priceText(in: words)
        owner = PersonView(thing.owner, in: visit)
        rental = thing.rental.map { "/rentals/\($0)" }
        closed = thing.state == .listed ? nil : words["rentals.rent.closed"]
        self.choose = choose
        policy = words["rentals.policy.\(thing.terms.cancellation.rawValue).\(unit)"]
        key = Visit.key(form)
        seen = thing.terms.written
        submit = words["rentals.rent.\(thing.terms.isInstant ? "submitNow" : "submit")", ["name": name]]
        then = words["rentals.rent.\(thing.terms.isInstant ? "thenNow" : "then")", ["name": name]]
        var fields = [
            Field("message", words["rentals.rent.message", ["name": name]]).with {
                $0.value = form["message"]
                $0.hint = words["rentals.rent.messageHint"]
                $0.optional = true
            }
        ]
        // What is wrong with the period stands at its fields.
        let isOwn = error?.code == .alreadyAsked
        let isAboutPeriod = isOwn || error?.errors.contains { RentChoice.topics[$0.field] != nil } ?? false
        let said = visit.mark(&fields, by: error, topics: ["message": "rental"])
        problem = isAboutPeriod ? nil : said
        if isOwn, choose.trouble == nil, let error { problem = visit.told(error) }
        message = fields[0]
    }
}

extension RentalUnit {
    /// `3 days`
    func text(of count: Int, in words: Words) -> String { words["rentals.units.\(rawValue)", count: count] }
}

extension RentalTerms {
    /// What one agrees to, to be compared.
    fileprivate var written: String {
        let cost = price.map { "\($0.amount) \($0.currency)" } ?? "0"
        return [cost, unit.rawValue, cancellation.rawValue, isInstant ? "instant" : "asked", zone].joined(
            separator: " ")
    }

    /// `$30 a day`
    func priceText(in words: Words) -> String {
        guard let price else { return words["rentals.nothing"] }
        return words["rentals.price.\(unit.rawValue)", ["price": Price.text(price, in: words)]]
    }
}
