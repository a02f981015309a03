import Hummingbird
import PlainText
import ServiceKit
import WireProtocol

/// What the sign-in page has for passkeys: a button that a script shows where the browser can, and `/sign-in/passkey`, to which it sends
/// what the browser has signed.
struct PasskeyDoorPage {
    var party: String
    var key = Visit.newKey()
    /// What came of the last try; said at the button.
    var said: String?

    /// Nil where there are no passkeys.
    static func here(said: String? = nil, in visit: Visit) -> PasskeyDoorPage? {
        visit.community.passkeys.map { PasskeyDoorPage(party: $0.id, said: said) }
    }

    static func register(on routes: PageRoutes) {
        routes.post("/sign-in/passkey") { visit in
            let form = try await visit.form()
            return try await signIn(form, visit)
        }
    }

    private static func signIn(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let next = LocalPath.from(form["next"])
        do {
            guard let credential = form.json("credential", as: PasskeyAssertion.self) else {
                throw ServiceError.invalid([FieldError("credential", "unreadable", "The passkey cannot be read.")])
            }
            let sessions = visit.site.services.sessions
            let session = try await sessions.signIn(
                PasskeySignIn(credential: credential), for: visit.request, in: visit.context,
                id: visit.requestID(form, doing: AuthMethods.signInWithPasskey.name))
            return await SignInPage.enter(session, with: form, next: next, visit)
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            return visit.redirect(to: "/sign-in" + LocalPath.query(next: next))
        } catch let error as ServiceError where error.code != .notFound {
            let said = visit.passkeyProblem(error) ?? visit.told(error)
            var page = SignInPage(in: visit.words, next: next)
            page.take(form["kept"].nonEmpty, in: visit.words)
            return try await SignInPage.show(
                page, visit, status: ProblemStatus.status(of: error.code), passkeySaid: said)
        }
    }
}
