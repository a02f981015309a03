package import Logging

/// What the web pages are built on. Pages ask the same services as `/v1`, through the same backend.
package struct PageServices: Sendable {
    package let backend: any Backend
    package let community: Community
    package let photos: any ClientPhotos
    package let relay: StreamRelay
    package let sessions: WebSessions
    package let csrf: CSRF
    package let assets: AssetCatalog
    package let maps: MapCatalog
    /// Where `Templates`, `Assets` and `Strings` lie.
    package let resources: GatewayResources
    package let logger: Logger
    /// What people share here.
    var verticals = Verticals.all

    package init(
        backend: any Backend, community: Community, photos: any ClientPhotos, relay: StreamRelay, sessions: WebSessions,
        csrf: CSRF, assets: AssetCatalog, maps: MapCatalog = .none, resources: GatewayResources, logger: Logger
    ) {
        self.backend = backend
        self.community = community
        self.photos = photos
        self.relay = relay
        self.sessions = sessions
        self.csrf = csrf
        self.assets = assets
        self.maps = maps
        self.resources = resources
        self.logger = logger
    }
}
