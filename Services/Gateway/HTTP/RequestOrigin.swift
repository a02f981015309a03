import HTTPTypes
import Hummingbird
import Logging
import Tracing
import WireProtocol

/// Establishes where a request comes from: address behind proxies, trace, languages.
package struct RequestOrigin: Sendable {
    private let proxies: TrustedProxies

    package init(proxies: TrustedProxies) { self.proxies = proxies }

    func identify(_ request: Request, _ context: inout GatewayContext) {
        context.remoteAddress = proxies.client(
            peer: context.remoteAddress, forwardedFor: request.headers[values: Self.forwardedFor])
        context.caller.address = context.remoteAddress
        if let languages = request.headers[.acceptLanguage] { context.languages = Self.languages(languages) }
        context.trace = Self.trace(request.headers[Self.traceparent])
    }

    /// What whoever is asked for this request is told of where it belongs.
    static func serviceContext(_ context: GatewayContext) -> ServiceContext {
        var service = ServiceContext.current ?? .topLevel
        InstrumentationSystem.instrument.extract(
            ["traceparent": context.trace], into: &service, using: DictionaryExtractor())
        return service
    }

    static func sign(_ response: inout Response, _ context: GatewayContext) {
        response.headers[Self.requestID] = String(context.trace.dropFirst(3).prefix(32))
    }

    static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
    static let traceparent = HTTPField.Name("traceparent")!
    /// The trace's id, for people who report that something went wrong.
    static let requestID = HTTPField.Name("X-Request-Id")!

    /// A well-formed `traceparent` as it came, or a new one.
    static func trace(_ given: String?) -> String {
        if let given, given.utf8.count == 55, given.hasPrefix("00-"),
            given.split(separator: "-").map(\.utf8.count) == [2, 32, 16, 2],
            given.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        {
            return given
        }
        let generator = BufferedRandom()
        let words = (0..<3).map { _ in HexText.text(of: generator.next()) }
        return "00-\(words[0])\(words[1])-\(words[2])-01"
    }

    /// The languages of `Accept-Language`, best first, lower case.
    static func languages(_ header: String) -> [String] {
        let choices = String(header.unicodeScalars.prefix(500)).split(separator: ",").map {
            choice -> (String, Double) in
            let parameters = HeaderParameters(String(choice))
            return (parameters.value.lowercased(), parameters["q"].flatMap { Double($0) } ?? 1)
        }
        // Stable: those of the same weight keep their order.
        return choices.enumerated().filter { $0.element.1 > 0 && !$0.element.0.isEmpty }
            .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }.map(\.element.0)
    }
}

private struct DictionaryExtractor: Extractor {
    func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
}
