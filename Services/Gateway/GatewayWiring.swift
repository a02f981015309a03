import FoundationEssentials
import Logging
import Messaging
package import ServiceKit
package import ServiceLifecycle
import WireProtocol

/// Who is connected to whom.
package enum GatewayWiring {
    /// The services behind the door, all of which are asked and heard.
    private static let peers = PeerRole.stateful

    /// The whole life of a gateway's process.
    package static func run() async { await ServiceHost.run("gateway", role: .gateway, wire) }

    @Sendable package static func wire(_ host: ServiceHost) async throws -> [any Service] {
        let settings = try GatewayConfiguration(host.config)
        let logger = host.logger
        if settings.community.hidesAddresses {
            logger.error(
                """
                KAMPONG_PUBLIC_URL begins with https, so there is a proxy in front that speaks TLS, and KAMPONG_TRUSTED_PROXIES names \
                none: everybody seems to come from its address and shares one limit. Name the proxy's address.
                """)
        }
        let client = try host.requestClient(to: peers)
        let photos = try PhotoStore(directory: settings.photosDirectory, logger: logger)
        let backend = PhotoCheck(BusBackend(client: client), photos: photos)

        let csrf = CSRF(key: CSRF.key(from: settings.secret), publicURL: settings.community.publicURL)
        let relay = StreamRelay(
            ids: StreamIDs(secret: settings.secret, publishers: Set(peers.map(\.rawValue))), limits: settings.streams,
            logger: logger)
        let tokens = AccessTokens(backend: backend, logger: logger, ended: { relay.end(sessions: $0) })
        let subscriber = try host.eventSubscriber(
            to: peers, client: client,
            consumer: GatewayEvents(relay: relay, tokens: tokens, backend: backend, logger: logger), startingAt: .head)
        host.readiness.require("signing keys") { if !tokens.isReady { throw NotReady() } }

        let resources = GatewayResources()
        let pages = PageServices(
            backend: backend, community: settings.community, photos: photos, relay: relay,
            sessions: WebSessions(
                backend: backend, tokens: tokens, csrf: csrf, secure: settings.community.isSecure),
            csrf: csrf,
            assets: AssetCatalog(
                [("", resources.path("Assets"))]
                    + [("vendor/", settings.vendorDirectory), ("map/", settings.mapDirectory.map { $0 + "/world" })]
                    .compactMap {
                        prefix, directory in directory.map { (prefix, $0) }
                    }),
            maps: MapCatalog(
                along: settings.mapDirectory.map { $0 + "/maps" }, imported: settings.importedMaps,
                tileServer: settings.tileServer),
            resources: resources, logger: logger)
        let parts = DoorParts(
            pages: pages, photos: photos, limits: RateLimits(perMinute: settings.limits), proxies: settings.proxies,
            connections: settings.connections)
        let door = try Door.application(parts, host: settings.host, port: settings.port, logger: logger) { port in
            logger.notice("listening", metadata: ["address": "\(settings.host):\(port)"])
        }
        // Stopped from the last to the first: listeners are sent away, then requests finish, then the bus is left.
        return [
            client, tokens,
            ErasedPhotosSweep(
                backend: backend, photos: photos, rest: TimeInterval(settings.photosRest), logger: logger),
            subscriber, door, relay,
        ]
    }

    private struct NotReady: Error {}
}
