package import FoundationEssentials
package import Hummingbird
import NIOCore
package import WireProtocol

/// What is known of one HTTP request beside its bytes. Middleware fills it in; handlers read it.
package struct GatewayContext: RequestContext {
    package var coreContext: CoreRequestContextStorage

    /// On whose behalf the services are asked; anonymous where nobody is signed in.
    package var caller = Caller.anonymous
    /// Set where the request came with a session cookie that holds (not with a Bearer token).
    package var webSession: WebSession?
    /// Why credentials that came with the request were not accepted: a dead session, or auth being away.
    package var sessionTrouble: ServiceError?
    /// When the access token expires, in Unix seconds.
    package var sessionExpiry: Int?
    /// The request id that commands travel with: derived from `Idempotency-Key`, or fresh.
    package var requestID = UUID.version7()
    /// What the person's browser prefers, best first, lower case (`en-gb`, `en`, `fi`).
    package var languages: [String] = []
    /// The address's path. Hummingbird looks for it in the address each time that it is asked.
    package internal(set) var path = ""
    /// W3C `traceparent` of this request.
    package var trace = ""
    /// The person's own address, behind any trusted proxies.
    package var remoteAddress: String
    /// What the body may take of the memory for bodies; nil where none is expected.
    var bodyLease: BodyLease?
    /// The connection, for what must be cut when its reader is too slow.
    let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        remoteAddress = source.channel.remoteAddress?.ipAddress ?? "unknown"
    }

    /// Bodies that Hummingbird itself would collect; the limits that matter are in `BodyLimits`.
    package var maxUploadSize: Int { BodyLimits.json }

    /// For a page that anybody may see: whoever came with a session that holds no longer is told so, and not taken for a stranger.
    /// - Throws: `unauthenticated`, or `unavailable` where auth could not be asked.
    package func requireSoundSession() throws(ServiceError) {
        if let sessionTrouble { throw sessionTrouble }
    }

    /// Who is signed in, for a page or call that needs somebody.
    /// - Throws: `unauthenticated`, or `unavailable` where auth could not be asked.
    @discardableResult
    package func requirePerson() throws(ServiceError) -> PersonID {
        try requireSoundSession()
        return try caller.requirePerson()
    }

    /// The best of the `available` languages (`en`, `fi`), or the first of them.
    package func language(among available: [String]) -> String {
        for wanted in languages {
            if let match = available.first(where: { wanted == $0 || wanted.hasPrefix($0 + "-") }) { return match }
        }
        return available.first ?? "en"
    }
}
