import FoundationEssentials
import Reactor
import WebClient
import WireProtocol

/// Where a browser may say that its server is. Whoever registers a device names the address that we write to, so it must be out in the
/// world: `https`, and nothing of this machine or the networks that it stands in.
struct PushReach: Sendable {
    /// `host:port`, as the operator names them: servers within, by `http` too. For trying out.
    var privateHosts: Set<String> = []

    /// Nil where it is no address, or can never be one of a server of browsers.
    func address(_ endpoint: String) -> WebAddress? {
        guard let address = WebAddress(endpoint, plain: true) else { return nil }
        return !address.isPlain || isPrivate(address) ? address : nil
    }

    /// What a request has to be made with: the address that a connection goes to is looked at then, whatever the name led to before.
    func request(_ address: WebAddress) -> WebRequest {
        var request = WebRequest(address)
        request.reach = isPrivate(address) ? .anywhere : .publicOnly
        return request
    }

    /// Looks at where an address leads now.
    /// - Throws: `invalid` at `endpoint`.
    func check(_ endpoint: String, with web: WebClient) async throws -> WebAddress {
        guard let address = address(endpoint) else {
            throw Self.refused("endpoint", "This is no address that can be written to.")
        }
        if isPrivate(address) { return address }
        guard let isPublic = try await web.isPublic(address) else {
            throw Self.refused("unreachable", "The server of this browser cannot be found from here.")
        }
        guard isPublic else { throw Self.refused("endpoint", "This address leads into a network that is not public.") }
        return address
    }

    private func isPrivate(_ address: WebAddress) -> Bool { privateHosts.contains(address.authority) }

    private static func refused(_ code: String, _ sentence: String) -> ServiceError {
        .invalid([FieldError("endpoint", code, sentence)])
    }
}
