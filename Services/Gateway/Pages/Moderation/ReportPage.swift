import HTTPTypes
import Hummingbird
import WireProtocol

/// `/report?kind=…&id=…`: tells moderators of a person, of what is shared, of a review or a message.
struct ReportPage {
    struct Choice {
        var value: String
        var text: String
        var chosen: Bool
    }

    var heading: String
    var title: String
    var said: String?
    var action: String
    var back: String
    var problem: String?
    var key: String
    var reasons: [Choice]
    var reasonError: String?
    var text: Field

    static func register(on routes: PageRoutes) {
        routes.get("/report") { visit in
            try visit.context.requirePerson()
            return try await show(visit, SubmittedForm())
        }
        routes.post("/report") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            do {
                let reason = ReportReason(rawValue: form["reason"])
                guard let reason else {
                    throw ServiceError.invalid([FieldError("reason", "required", "Choose what is wrong.")])
                }
                let draft = ReportDraft(subject: try subject(visit), reason: reason, text: form["text"])
                _ = try await visit.command(AuthMethods.report, Nothing(), draft, of: form)
            } catch let error as ServiceError where error.code == .idempotencyMismatch {
                // An earlier sending of this form was kept.
            } catch let error as ServiceError where error.code != .unauthenticated {
                return try await show(visit, form, error: error)
            }
            return visit.redirect(to: try await ReportedThing.of(subject(visit), in: visit).back, done: "reported")
        }
    }

    private static func subject(_ visit: Visit) throws -> Subject {
        guard let kind = visit.query("kind").flatMap(SubjectKind.init(rawValue:)), kind.uses.contains(.reports),
            let id = visit.query("id").flatMap({ ID<Subject>($0) })
        else { throw ServiceError.notFound("page") }
        return Subject(kind: kind, id: id)
    }

    private static func show(
        _ visit: Visit, _ form: SubmittedForm, error: ServiceError? = nil
    ) async throws -> Response {
        let subject = try subject(visit)
        let thing = try await ReportedThing.of(subject, in: visit)
        guard !thing.isOwn else { return visit.redirect(to: thing.back) }
        let page = ReportPage(subject, thing, form, error, in: visit)
        return try await visit.page(
            "moderation/report", page, PageFrame(title: page.heading),
            status: error.map { ProblemStatus.status(of: $0.code) } ?? .ok)
    }

    private init(
        _ subject: Subject, _ thing: ReportedThing, _ form: SubmittedForm, _ error: ServiceError?, in visit: Visit
    ) {
        let words = visit.words
        heading = words["report.title.\(subject.kind.reportWord)"]
        (title, said, back) = (thing.title, thing.said, thing.back)
        action = subject.reportHref
        key = Visit.key(form)
        reasons = ReportReason.allCases.map { reason in
            Choice(
                value: reason.rawValue, text: words["report.reason.\(reason.rawValue)"],
                chosen: form["reason"] == reason.rawValue)
        }
        var fields = [
            Field("text", words["report.text"]).with {
                $0.value = form["text"]
                $0.hint = words["report.textHint"]
                // Not where the reason is none of those that say it already.
                $0.optional = form["reason"] != ReportReason.other.rawValue
            }
        ]
        problem = visit.mark(&fields, by: error, topics: ["text": "report", "reason": "reportReason"])
        reasonError = error.flatMap {
            FieldErrors($0, words, topics: ["reason": "reportReason"]).messages["reason"]
        }
        text = fields[0]
    }
}

/// What is about to be reported, as its reporter sees it.
struct ReportedThing {
    var title: String
    var said: String?
    var back: String
    var isOwn: Bool

    static func of(_ subject: Subject, in visit: Visit) async throws -> ReportedThing {
        let me = visit.context.caller.person
        switch subject.kind {
        case .person:
            let id = PersonID(subject.id.uuid)
            let person = try await visit.ask(AuthMethods.person, PersonReference(id: id), Nothing())
            return ReportedThing(title: person.name, said: person.bio, back: "/people/\(id)", isOwn: id == me)
        case .review:
            let id = ReviewID(subject.id.uuid)
            let review = try await visit.ask(AuthMethods.review, ReviewReference(id: id), Nothing())
            return ReportedThing(
                title: visit.words["report.reviewBy", ["name": review.author.name]], said: review.text,
                back: "/people/\(review.about)/reviews", isOwn: review.author.id == me)
        case .message:
            let id = MessageID(subject.id.uuid)
            let message = try await visit.ask(ChatMethods.message, MessageReference(id: id), Nothing())
            let room = try await visit.ask(ChatMethods.room, RoomReference(id: message.room), Nothing())
            return ReportedThing(
                title: visit.words["report.messageBy", ["name": room.with.name]], said: message.text,
                back: "/messages/\(message.room)", isOwn: message.by == me)
        default:
            for vertical in visit.verticals(of: subject.kind) {
                if let thing = try await vertical.reported(subject, in: visit) { return thing }
            }
            throw ServiceError.notFound("page")
        }
    }
}
