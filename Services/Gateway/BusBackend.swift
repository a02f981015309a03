package import FoundationEssentials
package import Messaging
package import WireProtocol

/// The services over the bus.
package struct BusBackend: Backend {
    private let client: RequestClient

    package init(client: RequestClient) { self.client = client }

    package func call<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, _ body: Body, as caller: Caller, id: UUID,
        deadline: Date
    ) async throws -> Reply {
        try await client.call(method, parameters, body, as: caller, id: id, deadline: deadline)
    }

    package func forward<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, body: [UInt8], as caller: Caller, id: UUID,
        deadline: Date
    ) async throws -> ServiceReply {
        let reply = try await client.forward(
            method, parameters, body: body, as: caller, id: id, deadline: deadline)
        return ServiceReply(body: reply.bytes, tag: reply.tag)
    }
}
