package import FoundationEssentials
package import WireProtocol

/// The services behind the door, as the gateway asks them: over the bus in a running gateway, by a fake in tests.
///
/// Both throw `ServiceError`: the service's own refusal, or `unavailable` (nothing was done) or `outcomeUnknown` (no answer in time).
package protocol Backend: Sendable {
    /// Asks with typed values; for pages, and for what the gateway needs to know itself.
    func call<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, _ body: Body, as caller: Caller,
        id: UUID, deadline: Date
    ) async throws -> Reply

    /// Asks with a body's bytes as they came, and answers with bytes; for `/v1`, which reads neither.
    func forward<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, body: [UInt8], as caller: Caller,
        id: UUID, deadline: Date
    ) async throws -> ServiceReply
}

/// A service's answer as it travelled: JSON bytes, and the tag that names this version (empty where it gave none).
package struct ServiceReply: Hashable, Sendable {
    package var body: [UInt8]
    package var tag: String

    package init(body: [UInt8], tag: String = "") {
        self.body = body
        self.tag = tag
    }
}

extension Backend {
    /// `call` with a fresh request id and five seconds to answer.
    package func call<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, _ body: Body,
        as caller: Caller = .anonymous, id: UUID = .version7(), within time: TimeInterval = 5
    ) async throws -> Reply {
        try await call(
            method, parameters, body, as: caller, id: id, deadline: Date(timeIntervalSinceNow: time))
    }
}
