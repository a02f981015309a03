import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/me/email`: asks for a code to the address that one signs in with, or to one that shall take its place.
struct EmailPage {
    var problem: String?
    var key: String
    /// That the present address may be a stranger's.
    var open: String?
    /// For the browser's password manager.
    var current: String?
    var email: Field
    var password: Field

    static func register(on routes: PageRoutes) {
        routes.get("/me/email") { visit in
            try visit.context.requirePerson()
            return try await show(visit)
        }
        routes.post("/me/email") { visit in
            try visit.context.requirePerson()
            return try await ask(try await visit.form(), visit)
        }
    }

    private static func ask(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        do {
            _ = try await visit.command(
                AuthMethods.changeEmail, LanguageParameters(language: visit.words.code),
                EmailChange(email: form["email"], password: form.fields["password"]?.nonEmpty), of: form)
            return visit.redirect(to: "/me/email/code")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // A code was asked for, and then another address was typed into the same form: a form of its own.
            return visit.redirect(to: "/me/email")
        } catch let error as ServiceError where error.code != .unauthenticated {
            return try await show(visit, form, error.asking(at: "password"))
        }
    }

    private static func show(
        _ visit: Visit, _ form: SubmittedForm = SubmittedForm(), _ error: ServiceError? = nil
    ) async throws -> Response {
        let me = try await visit.ask(AuthMethods.me, Nothing(), Nothing())
        return try await visit.page(
            "me/email", EmailPage(me, in: visit, form: form, error: error),
            PageFrame(title: visit.words["email.title"], tab: .me),
            status: error.map { ProblemStatus.status(of: $0.code) } ?? .ok)
    }

    private init(_ me: Person, in visit: Visit, form: SubmittedForm, error: ServiceError?) {
        let words = visit.words
        let typed = form["email"].nonEmpty ?? me.email ?? ""
        var fields = [
            Field("email", words["form.email"]).with {
                $0.type = "email"
                $0.value = typed
                $0.autocomplete = "email"
                $0.inputmode = "email"
                $0.verbatim = true
                $0.required = true
            },
            Field.password(words["form.password"], .current, required: false, hint: words["email.passwordHint"]),
        ]
        problem = visit.mark(&fields, by: error)
        key = Visit.key(form)
        current = me.email
        open = me.emailVerified == false ? words["email.open", ["email": me.email ?? ""]] : nil
        (email, password) = (fields[0], fields[1])
    }
}

extension ServiceError {
    /// The same, where a session does not show who asks, as something that a field of the form can mend.
    func asking(at field: String) -> ServiceError {
        code == .proofNeeded ? .invalid([FieldError(field, "proof", detail)]) : self
    }
}
