import HTTPTypes
import Hummingbird
import Metrics
import Synchronization

/// Counts and times requests under the names of Hummingbird's own middleware, an error being an answer from 500 on. That one learns of the end by wrapping every body in
/// a closure, and a body in a closure leaves in three writes instead of one.
///
/// An answer whose length is known counts as done when it is handed to the connection; a stream when it ends.
package struct RequestMetrics: Sendable {
    private let instruments = Instruments()

    /// A request that is being answered.
    struct Measurement {
        fileprivate let began: ContinuousClock.Instant
        fileprivate let method: HTTPRequest.Method
        fileprivate let active: Meter
    }

    func begin(_ method: HTTPRequest.Method) -> Measurement {
        let active = instruments.active(method)
        active.increment()
        return Measurement(began: .now, method: method, active: active)
    }

    /// - Parameter route: as the router has it; nil where there is none at that address.
    func end(_ measurement: Measurement, of route: String?, with response: inout Response) {
        let series = instruments.series(
            Series(route: route ?? "NotFound", method: measurement.method, status: response.status))
        series.requests.increment()
        if response.status.code >= 500 { series.errors.increment() }
        let end = { @Sendable in
            series.duration.recordNanoseconds((.now - measurement.began).nanoseconds)
            measurement.active.decrement()
        }
        guard response.body.contentLength == nil else { return end() }
        let body = response.body
        response.body = ResponseBody { writer in
            defer { end() }
            try await body.write(writer)
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
