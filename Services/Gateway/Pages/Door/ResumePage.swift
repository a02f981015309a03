import Hummingbird
import Synchronization
import WireProtocol

/// `/resume`: what one comes to who signs in again after a form had found the session ended: what was typed, ready to be sent. Without scripts; with
/// them the form itself is filled in (`js/typed.js`).
struct ResumePage {
    struct Typed {
        var name: String
        var value: String
    }

    var action: String
    var typed: [Typed]
    var hadFiles: Bool
    var back: String

    static let path = "/resume"

    static func register(on routes: PageRoutes) {
        routes.get("/resume") { visit in
            let person = try visit.context.requirePerson()
            let next = LocalPath.from(visit.query("next"))
            guard let kept = visit.keptForm, kept.person == person else {
                return visit.redirect(to: next ?? LocalPath.landing)
            }
            return try await show(kept, back: next, visit)
        }
    }

    /// The sign-in page, which takes along what was sent; nil where there is nothing to take.
    static func door(_ visit: Visit) async -> Response? {
        // Who unsubscribes needs no session, and their form is read in another way.
        guard visit.request.method == .post, !visit.isFragment, !visit.context.path.hasPrefix(UnsubscribePage.path)
        else { return nil }
        let back = LocalPath.of(address: visit.request.headers[.referer])
        var page = SignInPage(in: visit.words, next: back)
        var cookie: String?
        switch await taken(visit, from: back) {
        case .nothing: return nil
        case .tooLarge: page.taken = visit.words["door.signIn.lost"]
        case .form(let sealed):
            page.take(sealed, in: visit.words)
            cookie = KeptFormCookie.fits(sealed) ? sealed : nil
        }
        guard var response = try? await SignInPage.show(page, visit, status: .unauthorized) else { return nil }
        let sessions = visit.site.services.sessions
        // Nothing that was sent before stands in for what has just been sent.
        sessions.forgetKeptForm(of: visit.request, on: &response)
        if let cookie { sessions.keptForms.keep(cookie, on: &response) }
        return response
    }

    /// What is taken along of a form.
    private enum Taken {
        case nothing, tooLarge
        case form(sealed: String)
    }

    private static func taken(_ visit: Visit, from back: String?) async -> Taken {
        let form: SubmittedForm
        switch visit.sent.state.withLock({ $0 }) {
        case .read(let read): form = read
        case .gone: return .nothing
        case .unread:
            do {
                // Among pictures stands what was typed.
                form = try await visit.form(strangers: BodyLimits.joinForm)
            } catch {
                return (error as? ServiceError)?.code == .tooLarge ? .tooLarge : .nothing
            }
        }
        let seal = visit.site.services.csrf.forms
        guard let person = seal.person(sending: form[KeptForm.sender]),
            let kept = KeptForm(form, of: person, sentTo: visit.request.uri.path, from: back, at: visit.now)
        else { return .nothing }
        guard !kept.isTooLarge, let sealed = seal.seal(kept) else { return .tooLarge }
        return .form(sealed: sealed)
    }

    /// The page of whoever has just signed in; nil where nothing was taken along, or it is somebody else's.
    static func show(
        _ sealed: String, for session: SignedIn, back: String?, _ visit: Visit
    ) async -> Response? {
        let services = visit.site.services
        guard let kept = services.csrf.forms.open(sealed, at: visit.now), kept.person == session.person.id,
            session.suspended != true, let claims = try? await services.sessions.tokens.verify(session.accessToken)
        else { return nil }
        var context = visit.context
        context.adopt(claims)
        context.sessionTrouble = nil
        context.webSession = WebSession(
            id: claims.sid, person: claims.sub, csrfToken: services.csrf.token(for: claims.sid))
        return try? await show(kept, back: back, Visit(site: visit.site, request: visit.request, context: context))
    }

    private static func show(_ kept: KeptForm, back: String?, _ visit: Visit) async throws -> Response {
        let page = ResumePage(
            action: kept.action, typed: kept.fields.sorted { $0.key < $1.key }.map { Typed(name: $0, value: $1) },
            hadFiles: kept.hadFiles, back: back ?? kept.back ?? LocalPath.landing)
        return try await visit.page("door/resume", page, PageFrame(title: visit.words["door.resume.title"]))
    }
}

extension Visit {
    /// What this browser keeps of somebody whose session had ended; whose it is must be looked at before anything of it is shown.
    var keptForm: KeptForm? { site.services.sessions.keptForm(in: request, at: now) }

    /// What was sent after all is kept no longer.
    func forgetResumed(on response: inout Response) {
        guard request.method == .post, let person = context.caller.person, let kept = keptForm,
            kept.person == person, kept.action == request.uri.path
        else { return }
        site.services.sessions.keptForms.forget(on: &response)
    }
}
