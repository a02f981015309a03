import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/reviews/{id}/reply`: says something to a review of oneself.
struct ReplyPage {
    var review: ReviewCard
    var action: String
    var back: String
    var problem: String?
    var key: String
    /// Of the review, as the form was made of it.
    var version: String?
    /// What was replied while this was being written.
    var meanwhile: Meanwhile?
    var text: Field

    static func register(on routes: PageRoutes) {
        routes.get("/reviews/{id}/reply") { visit in
            try visit.context.requirePerson()
            return try await show(visit, SubmittedForm())
        }
        routes.post("/reviews/{id}/reply") { visit in
            let me = try visit.context.requirePerson()
            let form = try await visit.form()
            do {
                _ = try await visit.command(
                    AuthMethods.replyToReview, ReviewReference(id: visit.id()),
                    ReviewReplyDraft(text: form["text"], version: form["version"].nonEmpty), of: form)
                return visit.redirect(to: "/people/\(me)/reviews", done: "replied")
            } catch let error as ServiceError where error.code == .idempotencyMismatch {
                // An earlier sending of this form was kept, with other words: here they are, to be changed again.
                return visit.redirect(to: "/reviews/\(try visit.id(ReviewID.self))/reply", done: "savedBefore")
            } catch let error as ServiceError where error.code != .unauthenticated {
                return try await show(visit, form, error: error)
            }
        }
    }

    private static func show(
        _ visit: Visit, _ form: SubmittedForm, error: ServiceError? = nil
    ) async throws -> Response {
        let review = try await visit.ask(AuthMethods.review, ReviewReference(id: visit.id()), Nothing())
        guard review.about == visit.context.caller.person else { throw ServiceError.notFound("review") }
        return try await visit.page(
            "reviews/reply", ReplyPage(to: review, form, error, in: visit),
            PageFrame(title: visit.words["review.reply"]),
            status: error.map { ProblemStatus.status(of: $0.code) } ?? .ok)
    }

    private init(to review: Review, _ form: SubmittedForm, _ error: ServiceError?, in visit: Visit) {
        let words = visit.words
        let isOvertaken = error?.code == .changedMeanwhile
        self.review = ReviewCard(review, about: "", in: visit)
        // Both stand below, in the form.
        (self.review.reply, self.review.replyHref, self.review.reportHref) = (nil, nil, nil)
        action = "/reviews/\(review.id)/reply"
        back = "/people/\(review.about)/reviews"
        key = Visit.key(form)
        version = error == nil || isOvertaken ? review.version : form["version"].nonEmpty
        var fields = [
            Field("text", words["review.replyText"]).with {
                $0.value = error == nil ? review.reply?.text ?? "" : form["text"]
                $0.hint = words["review.replyHint"]
            }
        ]
        problem = isOvertaken ? nil : visit.mark(&fields, by: error, topics: ["text": "review"])
        text = fields[0]
        if isOvertaken {
            let kept = Meanwhile.Said(text.label, review.reply?.text ?? "")
            meanwhile = Meanwhile([kept], besides: [Meanwhile.Said(text)], href: action, in: words)
        }
    }
}
