import Hummingbird
import Synchronization
import WireProtocol

/// What one comes to who signs in again after a form had found the session ended: what was typed, ready to be sent. Without scripts; with them the
/// form itself is filled in (`js/typed.js`).
struct ResumePage {
    struct Typed {
        var name: String
        var value: String
    }

    var action: String
    var typed: [Typed]
    var hadFiles: Bool
    var back: String

    /// The sign-in page, which takes along what was sent; nil where there is nothing to take.
    static func door(_ visit: Visit) async -> Response? {
        // Who unsubscribes needs no session, and their form is read in another way.
        guard visit.request.method == .post, !visit.isFragment, !visit.context.path.hasPrefix(UnsubscribePage.path),
            let form = await sent(visit), let kept = KeptForm(form, sentTo: visit.request.uri.path, at: visit.now),
            let sealed = visit.site.services.csrf.forms.seal(kept)
        else { return nil }
        let back = LocalPath.of(address: visit.request.headers[.referer])
        var page = SignInPage(in: visit.words, next: back)
        page.kept = sealed
        return try? await SignInPage.show(page, visit, status: .unauthorized)
    }

    private static func sent(_ visit: Visit) async -> SubmittedForm? {
        switch visit.sent.state.withLock({ $0 }) {
        case .read(let form): return form
        case .gone: return nil
        case .unread: return try? await visit.form()
        }
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
        let page = ResumePage(
            action: kept.action, typed: kept.fields.sorted { $0.key < $1.key }.map { Typed(name: $0, value: $1) },
            hadFiles: kept.hadFiles, back: back ?? LocalPath.landing)
        let signedIn = Visit(site: visit.site, request: visit.request, context: context)
        return try? await signedIn.page("door/resume", page, PageFrame(title: visit.words["door.resume.title"]))
    }
}
