import HTTPTypes
import Hummingbird
import WireProtocol

extension Visit {
    /// Until when and why somebody is suspended, as far as it was said.
    private func suspended(_ error: ServiceError) -> String {
        func said(_ field: String) -> String? { error.errors.first { $0.field == field }?.message }
        guard let reason = said(ServiceError.suspendedWhy) else { return words["suspended.now"] }
        let until = said(ServiceError.suspendedUntil).flatMap { WireJSON.date(from: $0) }
        return words[
            until == nil ? "suspended.forGood" : "suspended.until",
            ["date": until.map { moment($0, .date).full } ?? "", "reason": reason]]
    }
}

/// What `frame/error` shows.
struct ErrorPage {
    var icon: String
    var heading: String
    var text: String
    /// Where trying again leads; nil where it would not help.
    var retry: String?
    var back = "/"
    var backText: String
    /// What the operator finds the request by, where something went wrong.
    var reference: String?
}

extension Visit {
    /// A refusal as a page in the frame; without a session the way to sign in, and from there back to where one was.
    func answer(_ error: ServiceError) async -> Response {
        if error.code == .unauthenticated { return signInFirst() }
        // And back to the page whose form it was.
        if error.code == .proofNeeded {
            return leave(for: ProofPage.path + LocalPath.query(next: LocalPath.from(request.uri.path)))
        }
        let page = errorPage(for: error)
        let frame = PageFrame(title: page.heading)
        var response = html(
            framed("frame/error", page, frame, person: nil), status: ProblemStatus.status(of: error.code))
        if let seconds = ProblemStatus.retryAfter(error) { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    private func signInFirst() -> Response {
        let next =
            request.method == .get && !isFragment
            ? LocalPath.from(here)
            : LocalPath.of(address: request.headers[Self.currentAddress] ?? request.headers[.referer])
        let path = "/sign-in" + LocalPath.query(next: next)
        guard isFragment else { return redirect(to: path) }
        // htmx follows this header and leaves the page; a plain redirect would put the sign-in form into a corner of it.
        var response = html("", status: .unauthorized)
        response.headers[Self.redirectHeader] = path
        return response
    }

    static let currentAddress = HTTPField.Name("HX-Current-URL")!
    static let redirectHeader = HTTPField.Name("HX-Redirect")!

    private func errorPage(for error: ServiceError) -> ErrorPage {
        // Where a provider sent them back, the same address is of no more use.
        let isBack = context.path.hasPrefix("/v1/") && context.path.hasSuffix("/callback")
        let beginning = isSignedIn ? "/me/identities" : "/sign-in"
        let again = request.method == .get ? isBack ? beginning : here : nil
        func page(_ icon: String, _ key: String, retry: String? = nil, text: String? = nil) -> ErrorPage {
            ErrorPage(
                icon: icon, heading: words["error.\(key)"], text: text ?? words["error.\(key)Text"], retry: retry,
                backText: words["error.home"])
        }
        switch error.code {
        case .notFound, .methodNotAllowed: return page("search", "notFound")
        case .stalePage: return page("refresh", "outOfDate")
        case .notAvailable: return page("lock", "notAvailable")
        case .suspended:
            var suspended = page("lock", "suspended", text: told(error))
            // What is theirs stays theirs: the way to it leads through the door.
            suspended.back = isSignedIn ? SuspendedPage.path : "/sign-in"
            suspended.backText = words["suspended.toOwn"]
            return suspended
        case .forbidden: return page("lock", "forbidden", text: told(error))
        case .identityDenied: return page("lock", "identityDenied", retry: beginning)
        case .identityStale: return page("wait", "identityStale", retry: beginning)
        case .identityAway: return page("wait", "identityAway", retry: again)
        case .passkeyStale: return page("wait", "passkeyStale", retry: again)
        case .identityTaken: return page("lock", "identityTaken", text: told(error))
        case .lastWayIn: return page("lock", "lastWayIn", text: told(error))
        case .identityRefused: return page("warning", "identityRefused", retry: beginning)
        case .tooManyRequests:
            return page(
                "wait", "tooMany", retry: again, text: words["error.tooManyText", count: max(1, error.retryAfter ?? 1)])
        case .unavailable: return page("wait", "unavailable", retry: again)
        case .outcomeUnknown: return page("wait", "unknown", retry: again)
        case .tooLarge, .unsupportedMediaType: return page("image", "tooLarge")
        case .internalError:
            var wrong = page("warning", "wrong", retry: again)
            wrong.reference = String(context.trace.dropFirst(3).prefix(32))
            return wrong
        default: return page("undo", "conflict", text: told(error))
        }
    }

    /// The refusal in the person's language where the catalogue knows it, else in the service's own words.
    func told(_ error: ServiceError) -> String {
        if error.code == .suspended { return suspended(error) }
        return words.find("problem.\(error.code.rawValue)", count: error.retryAfter) ?? error.detail
    }
}
