import HTTPTypes
import Hummingbird
import WireProtocol

/// Refuses what other sites try to do with a person's cookies: whatever changes something must come from a page of ours, and a
/// script must also show that it has read one.
package struct OriginCheck: Sendable {
    private let csrf: CSRF

    package init(csrf: CSRF) { self.csrf = csrf }

    func check(_ request: Request, _ context: GatewayContext) throws(ServiceError) {
        guard ![.get, .head, .options].contains(request.method) else { return }
        // What the link of a mail ends, whoever has the link may end, from wherever (RFC 8058).
        guard !context.path.hasPrefix(UnsubscribePage.path) else { return }
        let isAPI = context.path.hasPrefix("/v1/")
        // Without a session `/v1` hands its tokens to the one who asks, not to the browser: nothing to protect.
        if isAPI, context.webSession == nil { return }
        guard csrf.isFromOurPages(request.head) else {
            throw ServiceError(.forbidden, "This request came from another site.")
        }
        if isAPI, let session = context.webSession {
            try csrf.check(request.headers[CSRF.header], session: session.id)
        }
    }
}
