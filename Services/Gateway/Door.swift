import HTTPTypes
package import Hummingbird
package import HummingbirdCore
package import Logging
package import NIOCore
import WireProtocol

/// What the gateway is put together from.
package struct DoorParts: Sendable {
    package var pages: PageServices
    package var photos: PhotoStore
    package var relay: StreamRelay
    package var limits: RateLimits
    package var proxies: TrustedProxies

    package init(
        pages: PageServices, photos: PhotoStore, relay: StreamRelay, limits: RateLimits,
        proxies: TrustedProxies = .none
    ) {
        self.pages = pages
        self.photos = photos
        self.relay = relay
        self.limits = limits
        self.proxies = proxies
    }
}

/// The HTTP server: every route there is, behind the same middleware.
package enum Door {
    /// - Throws: where the OpenAPI document is not to be found.
    package static func router(_ parts: DoorParts) throws -> Router<GatewayContext> {
        // The methods of each address are known only when all routes are there: register them once to list them.
        let listed = try routes(parts, behind: nil)
        let allowed = AllowedMethods(listed.routes.map { ($0.path.description, $0.method) })
        return try routes(parts, behind: allowed)
    }

    private static func routes(_ parts: DoorParts, behind allowed: AllowedMethods?) throws -> Router<GatewayContext> {
        let router = Router(context: GatewayContext.self, options: .autoGenerateHeadEndpoints)
        if let allowed { addMiddleware(to: router, parts, allowed) }
        FileRoutes(assets: parts.pages.assets, photos: parts.photos).register(on: router)
        let own = try GatewayEndpoints(
            community: parts.pages.community, photos: parts.photos,
            stream: StreamEndpoint(relay: parts.relay, backend: parts.pages.backend), resources: parts.pages.resources)
        for route in APIRoute.all {
            let endpoint = APIEndpoint(route: route, backend: parts.pages.backend, limits: parts.limits, own: own)
            router.on(RouterPath(route.path), method: route.method) { request, context in
                try await endpoint.respond(to: request, context)
            }
        }
        Pages.register(on: router, services: parts.pages)
        return router
    }

    private static func addMiddleware(
        to router: Router<GatewayContext>, _ parts: DoorParts, _ allowed: AllowedMethods
    ) {
        let pages = parts.pages
        let problems = ProblemMiddleware(allowed: allowed) { problem, request, context in
            await Pages.problem(problem, for: request, in: context, services: pages)
        }
        router.add(middleware: MetricsMiddleware())
        router.add(middleware: IdentifyMiddleware(proxies: parts.proxies))
        router.add(middleware: SecurityHeaders(secure: pages.community.isSecure))
        router.add(middleware: Compression())
        router.add(middleware: problems)
        router.add(middleware: SessionMiddleware(sessions: pages.sessions, csrf: pages.csrf))
        // Once more inside, so that a renewed session reaches the browser with a refusal too.
        router.add(middleware: problems)
        router.add(middleware: PageLimits(limits: parts.limits))
    }

    /// How connections are treated.
    package static func server(idle: TimeAmount = .seconds(60)) -> HTTPServerBuilder {
        var configuration = HTTP1Channel.Configuration(idleTimeout: idle)
        configuration.httpDecoder = .init(
            maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100)
        return .http1(configuration: configuration)
    }

    package static func application(
        _ parts: DoorParts, host: String, port: Int, idle: TimeAmount = .seconds(60), logger: Logger,
        onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws -> some ApplicationProtocol {
        Application(
            router: try router(parts), server: server(idle: idle),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port), backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(10_000)),
            onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? port) }, logger: logger)
    }
}

/// Limits what is not in the table of `/v1`: pages by what they do, files not at all.
struct PageLimits: RouterMiddleware {
    typealias Context = GatewayContext

    let limits: RateLimits

    func handle(
        _ request: Request, context: GatewayContext, next: (Request, GatewayContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        if !path.hasPrefix("/v1/"), !path.hasPrefix("/assets/"), !path.hasPrefix("/photos/") {
            let reads = request.method == .get || request.method == .head
            // Someone who is not signed in and sends a form wants to sign in, or up.
            if path == UsernameCheck.path { try limits.check(.username, for: context) }
            try limits.check(reads ? .read : context.caller.person == nil ? .signIn : .write, for: context)
        }
        return try await next(request, context)
    }
}
