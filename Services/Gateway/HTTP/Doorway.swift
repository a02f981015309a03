import Hummingbird
import ServiceContextModule
import WireProtocol

/// All that stands between a connection and a route, in its order.
///
/// One middleware whose steps are plain functions, rather than one for each step: an asynchronous function in another's way costs a
/// change of executors going in and coming out, and a copy of the context; eleven of them were a third of the gateway's work.
struct Doorway: RouterMiddleware {
    typealias Context = GatewayContext
    typealias Next = @concurrent (Request, GatewayContext) async throws -> Response

    private let metrics = RequestMetrics()
    private let origin: RequestOrigin
    private let credentials: SessionCredentials
    private let originCheck: OriginCheck
    private let pageLimits: PageLimits
    private let bodies: BodyMemory
    private let problems: Problems
    private let security: SecurityHeaders

    init(_ parts: DoorParts, _ allowed: AllowedMethods) {
        let pages = parts.pages
        origin = RequestOrigin(proxies: parts.proxies)
        credentials = SessionCredentials(sessions: pages.sessions, csrf: pages.csrf, limits: parts.limits)
        originCheck = OriginCheck(csrf: pages.csrf)
        pageLimits = PageLimits(limits: parts.limits)
        bodies = parts.bodies
        problems = Problems(allowed: allowed) { problem, request, context in
            await Pages.problem(problem, for: request, in: context, services: pages)
        }
        security = SecurityHeaders(secure: pages.community.isSecure, tiles: pages.maps.tileServer?.origin)
    }

    func handle(_ given: Request, context before: GatewayContext, next: Next) async throws -> Response {
        let measurement = metrics.begin(given.method)
        let (request, trouble) = ReadableHead.of(given)
        var context = before
        context.path = request.uri.path
        origin.identify(request, &context)
        let cookies = await credentials.establish(request, &context)
        var response = await ServiceContext.withValue(RequestOrigin.serviceContext(context)) { [context] in
            if let trouble { return await problem(trouble, request, context) }
            guard HeavyWork.isHeavy(context.path) else { return await answer(request, context, next) }
            return await withTaskExecutorPreference(globalConcurrentExecutor) {
                await answer(request, context, next)
            }
        }
        // With a refusal too: a session that was renewed on the way must reach the browser.
        credentials.put(cookies, on: &response)
        security.add(to: &response)
        RequestOrigin.sign(&response, context)
        metrics.end(measurement, of: context.endpointPath, with: &response)
        return response
    }

    private func answer(_ request: Request, _ context: GatewayContext, _ next: Next) async -> Response {
        do {
            var response = try await checked(request, context, next)
            try await Compression.compress(&response, for: request)
            return response
        } catch {
            return await problem(error, request, context)
        }
    }

    private func problem(_ error: any Error, _ request: Request, _ context: GatewayContext) async -> Response {
        var response = await problems.answer(error, to: request, context)
        try? await Compression.compress(&response, for: request)
        return response
    }

    private func checked(_ request: Request, _ context: GatewayContext, _ next: Next) async throws -> Response {
        try originCheck.check(request, context)
        try pageLimits.check(request, context)
        guard request.method != .get, request.method != .head else { return try await next(request, context) }
        var context = context
        let lease = BodyLease(of: bodies, for: RateLimits.key(for: context))
        context.bodyLease = lease
        // Its bytes may be in use until the answer is made.
        defer { withExtendedLifetime(lease) {} }
        return try await next(request, context)
    }
}
