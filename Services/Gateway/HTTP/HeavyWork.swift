package import Hummingbird

/// Takes what computes for long (pages, pictures) off the reactor, where it would hold up everybody else's requests.
package struct HeavyWork: RouterMiddleware {
    package typealias Context = GatewayContext

    package init() {}

    package func handle(
        _ request: Request, context: GatewayContext, next: (Request, GatewayContext) async throws -> Response
    ) async throws -> Response {
        guard Self.isHeavy(request.uri.path) else { return try await next(request, context) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try await next(request, context) }
    }

    /// The rest of `/v1` passes bytes on, and changes fewer threads where the bus already is.
    static func isHeavy(_ path: String) -> Bool { !path.hasPrefix("/v1/") || path == "/v1/photos" }
}
