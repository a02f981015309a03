import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/sign-in`, and from there back to where one was.
struct SignInPage {
    var problem: String?
    var key: String
    var next: String
    var nextQuery: String
    /// What was sent when the session had ended, sealed: this window's own.
    var kept: String?
    /// What becomes of what was sent; nil where nothing was.
    var taken: String?
    /// Whether somebody was on the way to a page.
    var returning: Bool
    var email: Field
    var password: Field
    var waysIn = WaysIn()
    var passkey: PasskeyDoorPage?

    static func register(on routes: PageRoutes) {
        routes.get("/sign-in") { visit in
            let next = LocalPath.from(visit.query("next"))
            if visit.isSignedIn { return visit.redirect(to: next ?? "/") }
            return try await show(SignInPage(in: visit.words, next: next), visit)
        }
        routes.post("/sign-in") { visit in
            let form = try await visit.form()
            return try await signIn(form, visit)
        }
    }

    private static func signIn(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let next = LocalPath.from(form["next"])
        let password = form.fields["password"] ?? ""
        var errors = FieldErrors(visit.words)
        if form["email"].isEmpty { errors.add("email", "required") }
        if password.isEmpty { errors.add("password", "missing") }
        guard errors.isEmpty else {
            let page = SignInPage(in: visit.words, next: next, form: form, errors: errors)
            return try await show(page, visit, status: .unprocessableContent)
        }
        do {
            let body = SignIn(email: form["email"], password: password)
            let sessions = visit.site.services.sessions
            let session = try await sessions.signIn(
                body, for: visit.request, in: visit.context, id: visit.requestID(form, doing: AuthMethods.signIn.name))
            return await enter(session, with: form, next: next, visit)
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // Signed in before, and then something else was typed: a form of its own. A session too many is in the list of
            // sessions, and ends by itself.
            return visit.redirect(to: "/sign-in" + LocalPath.query(next: next))
        } catch let error as ServiceError {
            let errors = FieldErrors(error, visit.words)
            let page = SignInPage(
                in: visit.words, next: next, form: form, errors: errors,
                told: errors.isEmpty || error.code == .suspended ? visit.told(error) : nil)
            return try await show(page, visit, status: ProblemStatus.status(of: error.code))
        }
    }

    /// The answer to whoever has just signed in.
    static func enter(
        _ session: SignedIn, with form: SubmittedForm, next: String?, _ visit: Visit
    ) async -> Response {
        let sessions = visit.site.services.sessions
        // What this window sent comes before what another one sent since.
        if let sealed = form["kept"].nonEmpty,
            var resumed = await ResumePage.show(sealed, for: session, back: next, visit)
        {
            sessions.start(session.tokens, on: &resumed)
            return resumed
        }
        return sessions.begin(
            session.tokens, of: session.person.id, for: visit.request, to: next ?? LocalPath.landing)
    }

    /// - Parameter passkeySaid: what came of a try with a passkey.
    static func show(
        _ page: SignInPage, _ visit: Visit, status: HTTPResponse.Status = .ok, passkeySaid: String? = nil
    ) async throws -> Response {
        var page = page
        if page.taken == nil, visit.keptForm != nil { page.taken = visit.words["door.signIn.kept"] }
        page.passkey = PasskeyDoorPage.here(said: passkeySaid, in: visit)
        // Browsers list passkeys there, beside what else could be filled in (HTML, "webauthn" in autofill).
        if page.passkey != nil { page.email.autocomplete = "username webauthn" }
        page.waysIn = await WaysIn.here(next: page.next.nonEmpty, in: visit)
        return try await visit.page(
            "door/sign-in", page,
            PageFrame(
                title: visit.words["door.signIn.submit"], scripts: page.passkey == nil ? [] : ["passkey"]),
            status: status)
    }

    init(
        in words: Words, next: String?, form: SubmittedForm = SubmittedForm(), errors: FieldErrors? = nil,
        told: String? = nil
    ) {
        var fields = [
            JoinPage.emailField(words, form["email"]),
            Self.passwordField(words),
        ]
        errors?.mark(&fields)
        problem = told
        key = Visit.key(form)
        self.next = next ?? ""
        nextQuery = LocalPath.query(next: next)
        returning = next != nil
        (email, password) = (fields[0], fields[1])
        take(form["kept"].nonEmpty, in: words)
    }

    /// Takes along what was sent, and says how far it comes.
    mutating func take(_ sealed: String?, in words: Words) {
        kept = sealed
        taken = sealed.map { words[KeptFormCookie.fits($0) ? "door.signIn.kept" : "door.signIn.keptHere"] }
    }

    static func passwordField(_ words: Words) -> Field {
        Field.password(words["form.password"], .current)
    }
}
