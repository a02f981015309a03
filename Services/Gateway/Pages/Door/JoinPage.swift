import HTTPTypes
import Hummingbird
import WireProtocol

/// `/join`: makes an account and signs in.
struct JoinPage {
    var problem: String?
    var key: String
    var next: String
    var nextQuery: String
    var name: Field
    var email: Field
    var password: Field

    static func register(on routes: PageRoutes) {
        routes.get("/join") { visit in
            let next = LocalPath.from(visit.query("next"))
            if visit.isSignedIn { return visit.redirect(to: next ?? "/") }
            return try await show(JoinPage(in: visit.words, next: next), visit)
        }
        routes.post("/join") { visit in
            let form = try await visit.form()
            return try await join(form, visit)
        }
    }

    private static func join(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let next = LocalPath.from(form["next"])
        do {
            let body = SignUp(email: form["email"], password: form.fields["password"] ?? "", name: form["name"])
            let sessions = visit.site.services.sessions
            let account = try await sessions.signUp(
                body, for: visit.request, in: visit.context, id: visit.requestID(form, doing: AuthMethods.signUp.name))
            var response = visit.redirect(to: next ?? "/", done: "joined")
            sessions.start(account.session, on: &response)
            return response
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending has made the account: another one is not what is wanted.
            return visit.redirect(to: "/sign-in" + LocalPath.query(next: next), done: "joinedBefore")
        } catch let error as ServiceError {
            let page = JoinPage(in: visit.words, next: next, form: form, error: error, told: visit.told(error))
            return try await show(page, visit, status: ProblemStatus.status(of: error.code))
        }
    }

    private static func show(
        _ page: JoinPage, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        try await visit.page("door/join", page, PageFrame(title: visit.words["door.welcome.join"]), status: status)
    }

    init(
        in words: Words, next: String?, form: SubmittedForm = SubmittedForm(), error: ServiceError? = nil,
        told: String? = nil
    ) {
        var fields = [
            Field("name", words["form.name"]).with {
                $0.value = form["name"]
                $0.autocomplete = "name"
                $0.required = true
                $0.maxlength = "80"
            },
            Self.emailField(words, form["email"]),
            // A password is never written into a page, not even one's own.
            Field("password", words["form.password"]).with {
                $0.type = "password"
                $0.secret = true
                $0.required = true
                $0.autocomplete = "new-password"
                $0.hint = words["form.passwordHint"]
            },
        ]
        let errors = error.map { FieldErrors($0, words) }
        errors?.mark(&fields)
        problem = errors?.isEmpty == true ? told : nil
        key = Visit.key(form)
        self.next = next ?? ""
        nextQuery = LocalPath.query(next: next)
        (name, email, password) = (fields[0], fields[1], fields[2])
    }

    static func emailField(_ words: Words, _ value: String) -> Field {
        Field("email", words["form.email"]).with {
            $0.type = "email"
            $0.value = value
            $0.autocomplete = "username"
            $0.inputmode = "email"
            $0.verbatim = true
            $0.required = true
        }
    }
}
