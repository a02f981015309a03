import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/me/password`: another password, for who knows the one so far.
struct PasswordPage {
    var problem: String?
    var key: String
    /// For the browser's password manager.
    var email: String?
    var current: Field
    var password: Field

    static func register(on routes: PageRoutes) {
        routes.get("/me/password") { visit in
            try visit.context.requirePerson()
            return try await show(visit)
        }
        routes.post("/me/password") { visit in
            try visit.context.requirePerson()
            return try await change(try await visit.form(), visit)
        }
    }

    private static func change(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        do {
            let body = PasswordChange(
                current: form.fields["current"]?.nonEmpty, password: form.fields["password"] ?? "")
            _ = try await visit.command(AuthMethods.changePassword, Nothing(), body, of: form)
            return visit.redirect(to: "/me", done: "passwordChanged")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending has changed it.
            return visit.redirect(to: "/me", done: "passwordChanged")
        } catch let error as ServiceError where error.code != .unauthenticated {
            return try await show(visit, form, error.asking(at: "current"))
        }
    }

    private static func show(
        _ visit: Visit, _ form: SubmittedForm = SubmittedForm(), _ error: ServiceError? = nil
    ) async throws -> Response {
        let me = try await visit.ask(AuthMethods.me, Nothing(), Nothing())
        return try await visit.page(
            "me/password", PasswordPage(me, in: visit, form: form, error: error),
            PageFrame(title: visit.words["password.title"], tab: .me),
            status: error.map { ProblemStatus.status(of: $0.code) } ?? .ok)
    }

    private init(_ me: Person, in visit: Visit, form: SubmittedForm, error: ServiceError?) {
        let words = visit.words
        var fields = [
            Field.password(
                words["password.current"], .current, name: "current", required: false,
                hint: words["password.currentHint"]),
            Field.password(words["form.newPassword"], .new, hint: words["form.passwordHint"]),
        ]
        problem = visit.mark(&fields, by: error, topics: ["current": "password"])
        key = Visit.key(form)
        email = me.email
        (current, password) = (fields[0], fields[1])
    }
}
