import HTTPTypes
import Hummingbird
import WireProtocol

/// `/me/campus/code`, `/me/phone/code` and `/me/email/code`: takes the code of the mail, or of the text.
struct CodePage {
    /// What the code shows.
    private struct Kind: Sendable {
        /// Of its strings.
        var name: String
        /// What is said when it was right.
        var done: String
        var require: @Sendable (Visit) throws -> Void
        var verify: @Sendable (_ code: String, SubmittedForm, Visit) async throws -> Void

        /// Where the code is asked for.
        var before: String { "/me/\(name)" }
        var action: String { "/me/\(name)/code" }

        static let campus = Kind(name: "campus", done: "verified", require: CampusPage.require) { code, form, visit in
            _ = try await visit.command(
                AuthMethods.verifyEmail, Nothing(), EmailVerification(code: code), of: form)
        }
        static let phone = Kind(name: "phone", done: "phoneVerified", require: PhonePage.require) { code, form, visit in
            _ = try await visit.command(
                AuthMethods.verifyPhone, Nothing(), PhoneVerification(code: code), of: form)
        }
        static let email = Kind(
            name: "email", done: "emailShown", require: { visit in _ = try visit.context.requirePerson() }
        ) { code, form, visit in
            _ = try await visit.command(
                AuthMethods.confirmEmail, Nothing(), EmailConfirmation(code: code), of: form)
        }
    }

    var before: String
    var action: String
    var title: String
    var lead: String
    var submit: String
    var again: String
    var problem: String?
    var key: String
    var code: Field

    static func register(on routes: PageRoutes) {
        for kind in [Kind.campus, .phone, .email] {
            routes.get(RouterPath(kind.action)) { visit in
                try kind.require(visit)
                return try await show(CodePage(kind, in: visit), visit)
            }
            routes.post(RouterPath(kind.action)) { visit in
                try kind.require(visit)
                return try await verify(kind, try await visit.form(), visit)
            }
        }
    }

    private static func verify(_ kind: Kind, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        do {
            try await kind.verify(form["code"], form, visit)
            return visit.redirect(to: "/me", done: kind.done)
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending was the right one.
            return visit.redirect(to: "/me", done: kind.done)
        } catch let error as ServiceError where error.code != .unauthenticated {
            let page = CodePage(kind, in: visit, form: form, error: error)
            return try await show(page, visit, status: ProblemStatus.status(of: error.code))
        }
    }

    private static func show(
        _ page: CodePage, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        try await visit.page("me/code", page, PageFrame(title: page.title, tab: .me), status: status)
    }

    private init(
        _ kind: Kind, in visit: Visit, form: SubmittedForm = SubmittedForm(), error: ServiceError? = nil
    ) {
        var fields = [
            Field("code", visit.words["form.code"]).with {
                $0.inputmode = "numeric"
                $0.autocomplete = "one-time-code"
                $0.maxlength = "12"
                $0.verbatim = true
                $0.required = true
            }
        ]
        (before, action) = (kind.before, kind.action)
        let said = { (text: String) in visit.words["\(kind.name).\(text)"] }
        (title, lead) = (said("codeTitle"), said("codeLead"))
        (submit, again) = (said("codeSubmit"), said("again"))
        problem = visit.mark(&fields, by: error)
        key = Visit.key(form)
        code = fields[0]
    }
}
