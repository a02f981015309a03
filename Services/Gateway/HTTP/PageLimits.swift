import Hummingbird
import WireProtocol

/// Limits what is not in the table of `/v1`: pages by what they do, files not at all.
struct PageLimits: Sendable {
    let limits: RateLimits

    func check(_ request: Request, _ context: GatewayContext) throws(ServiceError) {
        let path = context.path
        guard !["/v1/", "/assets/", "/photos/", "/map/"].contains(where: path.hasPrefix) else { return }
        let reads = request.method == .get || request.method == .head
        if path == UsernameCheck.path { try limits.check(.username, for: context) }
        // Someone who is not signed in and sends a form wants to sign in, or up.
        try limits.check(reads ? .read : context.caller.person == nil ? .signIn : .write, for: context)
    }
}
