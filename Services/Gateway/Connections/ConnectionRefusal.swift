package import NIOCore
package import NIOHTTP1
package import WireProtocol

/// An answer to what is no request that could be routed: made without the router, and the last on its connection.
package struct ConnectionRefusal: Hashable, Sendable {
    package var error: ServiceError

    package init(_ error: ServiceError) { self.error = error }

    static let full = ConnectionRefusal(
        ServiceError(.tooManyConnections, "Too many connections are open at once.", retryAfter: 10))
    static let slowHead = ConnectionRefusal(
        ServiceError(.tooSlow, "The head of the request took too long to arrive."))

    /// What the decoder says.
    package init(_ error: HTTPParserError) {
        self =
            switch error {
            case .headerOverflow:
                ConnectionRefusal(
                    ServiceError(.headersTooLarge, "The address or the header fields are longer than can be taken."))
            case .invalidVersion:
                ConnectionRefusal(ServiceError(.versionNotSupported, "HTTP/1.0 and HTTP/1.1 are spoken here."))
            case .invalidEOFState:
                ConnectionRefusal(ServiceError(.malformed, "The request ended before it was complete."))
            default: ConnectionRefusal(ServiceError(.malformed, "This is not HTTP as RFC 9112 has it."))
            }
    }

    /// What the decoder lets through and RFC 9112 does not: nil where all is well.
    package init?(_ head: HTTPRequestHead) {
        let hosts = head.headers["Host"]
        // Section 3.2: two hosts are how one request is made to mean two things to two servers.
        guard hosts.count == 1 || (hosts.isEmpty && head.version.minor == 0) else {
            self.init(ServiceError(.malformed, "Exactly one Host is needed."))
            return
        }
        // Section 6.1: transfer codings came with HTTP/1.1, and what an older relay makes of them is anybody's guess.
        guard head.version.minor > 0 || !head.headers.contains(name: "Transfer-Encoding") else {
            self.init(ServiceError(.malformed, "HTTP/1.0 knows no Transfer-Encoding."))
            return
        }
        let expectations = head.headers[canonicalForm: "expect"]
        guard expectations.allSatisfy({ $0.lowercased() == "100-continue" }) else {
            self.init(ServiceError(.expectationFailed, "100-continue is the only expectation that can be met."))
            return
        }
        return nil
    }

    /// The answer, ready to be written.
    package var response: (HTTPResponseHead, ByteBuffer) {
        let problem = ProblemStatus.problem(error)
        let body = (try? WireJSON.encode(problem)) ?? []
        var headers: HTTPHeaders = [
            "Content-Type": "application/problem+json", "Content-Length": "\(body.count)", "Connection": "close",
            "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
        ]
        if let seconds = ProblemStatus.retryAfter(error) { headers.add(name: "Retry-After", value: "\(seconds)") }
        return (
            HTTPResponseHead(version: .http1_1, status: .init(statusCode: problem.status), headers: headers),
            ByteBuffer(bytes: body)
        )
    }
}
