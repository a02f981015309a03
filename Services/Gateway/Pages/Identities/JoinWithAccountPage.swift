import HTTPTypes
import Hummingbird
import WireProtocol

/// `/join/with/account`: who has an account already shows it by its password, once; then the provider leads into it.
struct JoinWithAccountPage {
    var problem: String?
    var key: String
    var lead: String
    var email: Field
    var password: Field
    var next: String

    static let path = "/join/with/account"

    static func register(on routes: PageRoutes) {
        routes.get("/join/with/account") { visit in
            if visit.isSignedIn { return visit.redirect(to: "/me/identities/link") }
            return try await show(JoinWithAccountPage(try await JoinWithPage.proposal(visit), in: visit), visit)
        }
        routes.post("/join/with/account") { visit in
            let form = try await visit.form()
            return try await signIn(form, visit)
        }
    }

    private static func signIn(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        do {
            let body = SignIn(email: form["email"], password: form.fields["password"] ?? "")
            let sessions = visit.site.services.sessions
            let session = try await sessions.signIn(
                body, for: visit.request, in: visit.context, id: visit.requestID(form, doing: AuthMethods.signIn.name))
            let isLinked = await link(form, session, visit)
            let target = isLinked ? LocalPath.from(form["next"]) ?? "/" : "/me/identities"
            var response = sessions.begin(
                session.tokens, of: session.person.id, for: visit.request, to: target,
                done: isLinked ? "linked" : "notLinked")
            visit.identityCookies.forgetTicket(on: &response)
            return response
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            return visit.redirect(to: path)
        } catch let error as ServiceError where error.code != .internalError {
            let page = JoinWithAccountPage(
                try await JoinWithPage.proposal(visit), in: visit, form: form, error: error)
            return try await show(page, visit, status: ProblemStatus.status(of: error.code))
        }
    }

    /// They are signed in by now, whatever becomes of this.
    private static func link(_ form: SubmittedForm, _ session: SignedIn, _ visit: Visit) async -> Bool {
        do {
            // The session that has just begun shows who asks.
            let claims = try await visit.site.services.sessions.tokens.verify(session.accessToken)
            let caller = Caller(person: claims.sub, session: claims.sid, address: visit.context.remoteAddress)
            _ = try await visit.site.services.backend.call(
                AuthMethods.linkIdentity, Nothing(), IdentityTicket(ticket: visit.identityTicket), as: caller,
                id: try Idempotency.requestID(form: form["key"], doing: "link", caller: caller), within: 5)
            return true
        } catch {
            return false
        }
    }

    private static func show(
        _ page: JoinWithAccountPage, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        try await visit.page(
            "identities/account", page, PageFrame(title: visit.words["identities.accountTitle"]), status: status)
    }

    private init(
        _ proposal: IdentityProposal, in visit: Visit, form: SubmittedForm? = nil, error: ServiceError? = nil
    ) {
        let (words, provider) = (visit.words, ["provider": proposal.provider.name])
        var fields = [
            JoinPage.emailField(words, form?["email"] ?? proposal.email ?? ""), SignInPage.passwordField(words),
        ]
        problem = visit.mark(&fields, by: error)
        key = form.map { Visit.key($0) } ?? Visit.newKey()
        lead = words[proposal.hasAccount ? "identities.accountThere" : "identities.accountLead", provider]
        (email, password) = (fields[0], fields[1])
        next = LocalPath.from(proposal.next) ?? ""
    }
}
