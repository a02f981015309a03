import HTTPTypes
import Hummingbird
import WireProtocol

/// `/me/proof`: that it is oneself, before a way into the account is added or removed; then back to where one was.
struct ProofPage {
    var problem: String?
    var key: String
    var next: String
    /// For the browser's password manager.
    var email: String?
    var password: Field

    static let path = "/me/proof"

    static func register(on routes: PageRoutes) {
        routes.get("/me/proof") { visit in
            try visit.context.requirePerson()
            return try await show(visit, next: visit.query("next"))
        }
        routes.post("/me/proof") { visit in
            try visit.context.requirePerson()
            return try await prove(try await visit.form(), visit)
        }
    }

    private static func prove(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        do {
            _ = try await visit.command(
                AuthMethods.prove, Nothing(), ProofOfPerson(password: form.fields["password"] ?? ""), of: form)
            return visit.redirect(to: LocalPath.from(form["next"]) ?? "/me", done: "proven")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            return visit.redirect(to: path + LocalPath.query(next: LocalPath.from(form["next"])))
        } catch let error as ServiceError where error.code != .unauthenticated {
            return try await show(visit, next: form["next"], form, error)
        }
    }

    private static func show(
        _ visit: Visit, next: String?, _ form: SubmittedForm = SubmittedForm(), _ error: ServiceError? = nil
    ) async throws -> Response {
        let me = try await visit.ask(AuthMethods.me, Nothing(), Nothing())
        return try await visit.page(
            "me/proof", ProofPage(me, next: LocalPath.from(next) ?? "", in: visit, form: form, error: error),
            PageFrame(title: visit.words["proof.title"], tab: .me),
            status: error.map { ProblemStatus.status(of: $0.code) } ?? .ok)
    }

    private init(_ me: Person, next: String, in visit: Visit, form: SubmittedForm, error: ServiceError?) {
        var fields = [SignInPage.passwordField(visit.words)]
        problem = visit.mark(&fields, by: error)
        key = Visit.key(form)
        self.next = next
        email = me.email
        password = fields[0]
    }
}
