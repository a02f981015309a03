import Reactor

/// One request to somebody else's server, with its limits.
package struct WebRequest: Sendable {
    package enum Reach: Sendable {
        /// Wherever the operator says.
        case anywhere
        /// Out in the world only: for addresses that strangers give.
        case publicOnly
    }

    package var address: WebAddress
    /// Of a POST, form-encoded where no header says otherwise; nil for a GET.
    package var body: String?
    /// Of a POST, in the place of `body`: what is no text.
    package var bytes: [UInt8]?
    /// Whole lines: `Accept: application/json`.
    package var headers: [String] = []
    /// A longer answer is none.
    package var mostBytes = 256 * 1024
    /// For all of it, in milliseconds.
    package var timeout = 5000
    /// How many redirects are followed, to `https` only.
    package var redirects = 0
    package var reach = Reach.anywhere
    /// Certificates to trust instead of the system's.
    package var certificates: String?

    package init(_ address: WebAddress) { self.address = address }
}

package struct WebAnswer: Hashable, Sendable {
    package var status: Int
    package var type: String
    package var bytes: [UInt8]
    /// In so many seconds one may ask again, where the server says so.
    package var retryAfter: Int?

    package init(status: Int, type: String, bytes: [UInt8], retryAfter: Int? = nil) {
        self.retryAfter = retryAfter
        self.status = status
        self.type = type
        self.bytes = bytes
    }
}

/// No answer, or none within the limits. The reason is for the log: it names hosts, and neither queries nor bodies.
package struct WebFailure: Error, Hashable, CustomStringConvertible {
    package var description: String
    package init(_ description: String) { self.description = description }
}

/// Asks other servers by libcurl, on threads of its own: a server that is slow keeps nobody waiting but those who asked it.
package final class WebClient: Sendable {
    private let pool: BlockingPool

    /// - Parameter atOnce: requests that are under way at the same time.
    package init(name: String, atOnce: Int) { pool = BlockingPool(name: name, limit: atOnce) }

    deinit { pool.stop() }

    /// - Throws: `WebFailure`, or `CancellationError` before it has begun.
    nonisolated(nonsending) package func send(_ request: WebRequest) async throws -> WebAnswer {
        try await pool.run { try WebTransfer(request).perform() }
    }

    /// Whether all that an address's host leads to is out in the world, as `publicOnly` would have it at this moment.
    ///
    /// - Returns: Nil where the name leads nowhere now.
    nonisolated(nonsending) package func isPublic(_ address: WebAddress) async throws -> Bool? {
        try await pool.run { PublicNetwork.contains(host: address.host) }
    }
}
