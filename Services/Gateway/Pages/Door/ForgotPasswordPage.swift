import HTTPTypes
import Hummingbird
import WireProtocol

/// `/forgot-password`: asks for a mail with a link, and says where to look for it.
struct ForgotPasswordPage {
    var problem: String?
    var key: String
    var email: Field

    /// `/forgot-password/sent`: the same whoever asked, for it must not tell who has an account.
    struct Sent {}

    static func register(on routes: PageRoutes) {
        routes.get("/forgot-password") { visit in
            try await show(ForgotPasswordPage(in: visit.words), visit)
        }
        routes.post("/forgot-password") { visit in
            let form = try await visit.form()
            return try await ask(form, visit)
        }
        routes.get("/forgot-password/sent") { visit in
            try await visit.page(
                "door/look-into-your-mail", Sent(), PageFrame(title: visit.words["door.mailSent.title"]))
        }
    }

    private static func ask(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        do {
            _ = try await visit.command(
                AuthMethods.requestPasswordReset, LanguageParameters(language: visit.words.code),
                PasswordResetRequest(email: form["email"]), of: form)
            return visit.redirect(to: "/forgot-password/sent")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // A mail was asked for, and then another address was typed into the same form: a form of its own.
            return visit.redirect(to: "/forgot-password")
        } catch let error as ServiceError {
            let page = ForgotPasswordPage(in: visit.words, form: form, error: error, told: visit.told(error))
            return try await show(page, visit, status: ProblemStatus.status(of: error.code))
        }
    }

    private static func show(
        _ page: ForgotPasswordPage, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        try await visit.page(
            "door/forgot-password", page, PageFrame(title: visit.words["door.forgot.title"]), status: status)
    }

    private init(
        in words: Words, form: SubmittedForm = SubmittedForm(), error: ServiceError? = nil, told: String? = nil
    ) {
        var fields = [JoinPage.emailField(words, form["email"])]
        let errors = error.map { FieldErrors($0, words) }
        errors?.mark(&fields)
        problem = errors?.isEmpty == true ? told : nil
        key = Visit.key(form)
        email = fields[0]
    }
}
