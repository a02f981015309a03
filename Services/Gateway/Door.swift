import HTTPTypes
package import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import WireProtocol

/// What the gateway is put together from.
package struct DoorParts: Sendable {
    package var pages: PageServices
    package var photos: PhotoStore
    package var limits: RateLimits
    package var proxies: TrustedProxies
    package var connections: ConnectionLimits
    package var times: ConnectionTimes
    package var bodies: BodyMemory
    package var relay: StreamRelay { pages.relay }

    package init(
        pages: PageServices, photos: PhotoStore, limits: RateLimits, proxies: TrustedProxies = .none,
        connections: ConnectionLimits = .init(), times: ConnectionTimes = .init(), bodies: BodyMemory = .init()
    ) {
        self.pages = pages
        self.photos = photos
        self.limits = limits
        self.proxies = proxies
        self.connections = connections
        self.times = times
        self.bodies = bodies
    }
}

/// The HTTP server: every route there is, behind the same middleware.
package enum Door {
    /// - Throws: where the OpenAPI document cannot be put together.
    package static func router(_ parts: DoorParts) throws -> Router<GatewayContext> {
        // The methods of each address are known only when all routes are there: register them once to list them.
        let listed = try routes(parts, behind: nil)
        let allowed = AllowedMethods(listed.routes.map { ($0.path.description, $0.method) })
        return try routes(parts, behind: allowed)
    }

    private static func routes(_ parts: DoorParts, behind allowed: AllowedMethods?) throws -> Router<GatewayContext> {
        let router = Router(context: GatewayContext.self, options: .autoGenerateHeadEndpoints)
        if let allowed { router.add(middleware: Doorway(parts, allowed)) }
        FileRoutes(assets: parts.pages.assets, photos: parts.photos).register(on: router)
        MapRoutes(maps: parts.pages.maps).register(on: router)
        let own = try GatewayEndpoints(
            community: parts.pages.community, photos: parts.photos,
            stream: StreamEndpoint(relay: parts.relay, backend: parts.pages.backend),
            archives: ArchiveBuilder(
                backend: parts.pages.backend, photos: parts.photos, directory: parts.photos.archives),
            identities: IdentityDoor(
                backend: parts.pages.backend, sessions: parts.pages.sessions, community: parts.pages.community),
            site: .of(parts.pages))
        for route in APIRoute.all {
            let endpoint = APIEndpoint(route: route, backend: parts.pages.backend, limits: parts.limits, own: own)
            router.on(RouterPath(route.path), method: route.method) { request, context in
                try await endpoint.respond(to: request, context)
            }
        }
        Pages.register(on: router, services: parts.pages)
        return router
    }

    package static func application(
        _ parts: DoorParts, host: String, port: Int, logger: Logger,
        onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws -> some ApplicationProtocol {
        let server = HTTPServerBuilder { responder in
            DoorChannel(
                responder: responder, limits: parts.connections, times: parts.times, proxies: parts.proxies)
        }
        return Application(
            responder: DoorResponder(routes: try router(parts).buildResponder()), server: server,
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port), backlog: 1024,
                // Whom the guard turns away needs a descriptor to be told so.
                availableConnectionsDelegate: MaximumAvailableConnections(
                    parts.connections.most + ConnectionLimits.spare)),
            onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? port) }, logger: logger)
    }
}

/// The routes, with a task of its own for each request that opens a live stream.
///
/// A task keeps the memory of its deepest call until it ends, and that of a connection lives as long as the connection: each who listens
/// cost more than twice as much.
struct DoorResponder<Routes: HTTPResponder>: HTTPResponder where Routes.Context == GatewayContext {
    let routes: Routes

    func respond(to request: Request, context: GatewayContext) async throws -> Response {
        guard request.head.path?.hasPrefix(StreamEndpoint.path) == true else {
            return try await routes.respond(to: request, context: context)
        }
        return try await withThrowingTaskGroup(of: Response.self) { opening in
            opening.addTask { try await routes.respond(to: request, context: context) }
            return try await opening.next()!  // as many as were added
        }
    }
}
