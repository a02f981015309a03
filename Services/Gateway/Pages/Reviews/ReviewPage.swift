import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/people/{id}/review`: says what it was like to deal with somebody. `?of=` names what it is about, where there are several things.
struct ReviewPage {
    struct Choice {
        var value: String
        var text: String
        var chosen: Bool
        var focus = false
    }

    var id: String
    var heading: String
    var lead: String
    var problem: String?
    var key: String
    var subjects: [Choice]
    /// Nothing to choose where there is one.
    var several: Bool
    var ratings: [Choice]
    var ratingError: String?
    var text: Field

    static func register(on routes: PageRoutes) {
        routes.get("/people/{id}/review") { visit in
            try visit.context.requirePerson()
            return try await show(visit, SubmittedForm())
        }
        routes.post("/people/{id}/review") { visit in
            try visit.context.requirePerson()
            return try await write(try await visit.form(), visit)
        }
    }

    private static func write(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let id: PersonID = try visit.id()
        do {
            guard let subject = Subject(written: form["of"]) else {
                throw ServiceError.invalid([FieldError("of", "required", "Choose what it is about.")])
            }
            // No star at all is out of range, and said at its field.
            let draft = ReviewDraft(subject: subject, rating: Int(form["rating"]) ?? 0, text: form["text"])
            let review = try await visit.command(AuthMethods.writeReview, PersonReference(id: id), draft, of: form)
            return visit.redirect(
                to: "/people/\(id)", done: review.publishedAt == nil ? "reviewed" : "reviewsOpened")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending of this form was kept.
            return visit.redirect(to: "/people/\(id)", done: "reviewed")
        } catch let error as ServiceError where error.code != .unauthenticated {
            // What was written stays, whatever came in its way.
            return try await show(visit, form, error: error)
        }
    }

    private static func show(
        _ visit: Visit, _ form: SubmittedForm, error: ServiceError? = nil
    ) async throws -> Response {
        let id: PersonID = try visit.id()
        async let waiting = visit.ask(AuthMethods.encounters, EncounterQuery(with: id, limit: 100), Nothing())
        let person = try await visit.ask(AuthMethods.person, PersonReference(id: id), Nothing())
        let encounters = try await waiting.items
        guard !encounters.isEmpty else { return visit.redirect(to: "/people/\(id)", done: "nothingToReview") }
        let page = ReviewPage(of: person, encounters, form, error, in: visit)
        return try await visit.page(
            "reviews/review", page, PageFrame(title: page.heading),
            status: error.map { ProblemStatus.status(of: $0.code) } ?? .ok)
    }

    private init(
        of person: Person, _ encounters: [Encounter], _ form: SubmittedForm, _ error: ServiceError?, in visit: Visit
    ) {
        let words = visit.words
        let chosen = form["of"].nonEmpty ?? visit.query("of")
        id = person.id.description
        heading = words["review.writeOf", ["name": person.name]]
        lead = words["review.lead", ["name": person.name]]
        key = Visit.key(form)
        subjects = encounters.enumerated().map { index, encounter in
            let isKnown = encounters.contains { $0.subject.written == chosen }
            return Choice(
                value: encounter.subject.written,
                text: [encounter.title, visit.moment(encounter.completedAt, .date).text].joined(separator: ", "),
                chosen: isKnown ? encounter.subject.written == chosen : index == 0)
        }
        several = subjects.count > 1
        ratingError = error.flatMap { FieldErrors($0, words).messages["rating"] }
        let isWrong = ratingError != nil
        ratings = (1...5).map { stars in
            let (value, text) = (String(stars), words["review.stars", count: stars])
            return Choice(
                value: value, text: text, chosen: form["rating"] == value, focus: isWrong && stars == 1)
        }
        var fields = [
            Field("text", words["review.text"]).with {
                $0.value = form["text"]
                $0.hint = words["review.textHint"]
            }
        ]
        problem = visit.mark(&fields, by: error, topics: ["text": "review"])
        text = fields[0]
        // The first that is wrong has the focus.
        if isWrong { text.focus = false }
    }
}

extension Subject {
    /// `spot~<id>`, as addresses and forms carry it.
    var written: String { "\(kind.rawValue)~\(id)" }

    /// Where a review of the other one is written.
    func reviewPath(of person: PersonID) -> String { "/people/\(person)/review?of=\(written)" }

    init?(written text: String) {
        let parts = text.split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = SubjectKind(rawValue: String(parts[0])), kind.uses.contains(.encounters),
            let id = ID<Subject>(String(parts[1]))
        else { return nil }
        self.init(kind: kind, id: id)
    }
}
