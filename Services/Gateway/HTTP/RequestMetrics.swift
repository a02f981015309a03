import HTTPTypes
package import Hummingbird
import Metrics
import Synchronization

/// Counts and times requests under the names of Hummingbird's own middleware. That one learns of the end by wrapping every body in
/// a closure, and a body in a closure leaves in three writes instead of one.
///
/// An answer whose length is known counts as done when it is handed to the connection; a stream when it ends.
package struct RequestMetrics: RouterMiddleware {
    package typealias Context = GatewayContext

    private let instruments = Instruments()

    package init() {}

    package func handle(
        _ request: Request, context: GatewayContext, next: (Request, GatewayContext) async throws -> Response
    ) async throws -> Response {
        let (begin, method) = (ContinuousClock.now, request.method)
        let active = instruments.active(method)
        active.increment()
        do {
            var response = try await next(request, context)
            let series = instruments.series(
                Series(route: context.endpointPath ?? "Unknown", method: method, status: response.status))
            let end = { @Sendable in
                series.requests.increment()
                series.duration.recordNanoseconds((.now - begin).nanoseconds)
                active.decrement()
            }
            if response.body.contentLength == nil {
                let body = response.body
                response.body = ResponseBody { writer in
                    defer { end() }
                    try await body.write(writer)
                }
            } else {
                end()
            }
            return response
        } catch {
            let status = (error as? any HTTPResponseError)?.status ?? .internalServerError
            let series = instruments.series(
                Series(route: context.endpointPath ?? "NotFound", method: method, status: status))
            series.requests.increment()
            series.errors.increment()
            active.decrement()
            throw error
        }
    }

    fileprivate struct Series: Hashable {
        var route: String
        var method: HTTPRequest.Method
        var status: HTTPResponse.Status
    }
}

/// Made once for each series: making them is dearer than using them.
private final class Instruments: Sendable {
    struct Metrics: Sendable {
        let requests: Counter
        let duration: Timer
        let errors: Counter
    }

    private let known = Mutex<[RequestMetrics.Series: Metrics]>([:])
    private let meters = Mutex<[HTTPRequest.Method: Meter]>([:])

    func active(_ method: HTTPRequest.Method) -> Meter {
        meters.withLock { meters in
            if let meter = meters[method] { return meter }
            let meter = Meter(
                label: "http.server.active_requests", dimensions: [("http.request.method", method.rawValue)])
            meters[method] = meter
            return meter
        }
    }

    func series(_ series: RequestMetrics.Series) -> Metrics {
        known.withLock { known in
            if let metrics = known[series] { return metrics }
            let place = [("http.route", series.route), ("http.request.method", series.method.rawValue)]
            let status = "\(series.status.code)"
            let all = place + [("http.response.status_code", status)]
            let metrics = Metrics(
                requests: Counter(label: "hb.requests", dimensions: all),
                duration: Timer(
                    label: "http.server.request.duration", dimensions: all, preferredDisplayUnit: .seconds),
                errors: Counter(label: "hb.request.errors", dimensions: place + [("error.type", status)]))
            known[series] = metrics
            return metrics
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
