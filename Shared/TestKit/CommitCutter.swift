import FoundationEssentials
import Glibc
import Reactor
import Synchronization

/// A door to PostgreSQL that slams at the worst moment: when a COMMIT goes through it, or its answer comes back.
///
/// Everything but `arm`, `cutAll`, `cuts` and `url` happens on its reactor's thread.
package final class CommitCutter: @unchecked Sendable {
    package enum Moment: Sendable {
        /// The server never gets the COMMIT.
        case before
        /// The server has committed, and its client never hears of it.
        case after
    }

    /// The database's URL through this door.
    package let url: String
    private let reactor = Reactor(name: "cutter")
    private let listener: Int32
    private let upstream: (host: String, port: UInt16)
    private let state = Mutex<(armed: Moment?, cuts: Int, staysShut: Bool, isShut: Bool)>((nil, 0, false, false))
    private var peers: [Int32: Int32] = [:]

    /// - Parameter url: must name a host and a port.
    package init(to url: String) throws {
        guard var parts = URLComponents(string: url), let host = parts.host, let port = parts.port else {
            throw CannotCut(
                description: "The database URL must name a host and a port for the tests of lost connections.")
        }
        upstream = (host == "localhost" ? "127.0.0.1" : host, UInt16(port))
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address("127.0.0.1", 0)
        guard Self.with(&address, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else {
            throw CannotCut(description: "No port is free on 127.0.0.1.")
        }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        self.listener = listener
        parts.host = "127.0.0.1"
        parts.port = Int(UInt16(bigEndian: address.sin_port))
        self.url = parts.string!
        reactor.submit { [self] in reactor.watch(listener, for: .readable) { [self] _ in admit() } }
    }

    /// Cuts the next connection that a COMMIT goes through.
    /// - Parameter stayShut: lets nobody in afterwards.
    package func arm(_ moment: Moment, stayShut: Bool = false) {
        state.withLock { ($0.armed, $0.staysShut) = (moment, stayShut) }
    }

    /// Cuts every connection that there is, whatever goes through it.
    /// - Returns: how many those were.
    package func cutAll() async -> Int {
        await withCheckedContinuation { continuation in
            reactor.submit { [self] in
                let count = peers.count / 2
                for fd in Array(peers.keys) { drop(fd) }
                continuation.resume(returning: count)
            }
        }
    }

    /// How often it has cut at a COMMIT.
    package var cuts: Int { state.withLock { $0.cuts } }

    /// Closes everything; not from the reactor's own thread.
    package func stop() {
        reactor.submit { [self] in
            for fd in Array(peers.keys) { drop(fd) }
            reactor.unwatch(listener)
            close(listener)
        }
        reactor.stop()
    }

    private func admit() {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        guard !state.withLock({ $0.isShut }) else {
            close(client)
            return
        }
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(upstream.host, upstream.port)
        guard Self.with(&address, { connect(server, $0, $1) }) == 0 else {
            close(client)
            close(server)
            return
        }
        peers[client] = server
        peers[server] = client
        reactor.watch(client, for: .readable) { [self] _ in pass(from: client, isClient: true) }
        reactor.watch(server, for: .readable) { [self] _ in pass(from: server, isClient: false) }
    }

    private func pass(from fd: Int32, isClient: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = read(fd, &buffer, buffer.count)
        guard count > 0, let peer = peers[fd] else { return drop(fd) }
        let bytes = buffer[..<count]
        guard !cuts(bytes, isClient) else { return drop(fd) }
        bytes.withUnsafeBytes { _ = send(peer, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// COMMIT is a statement's text one way, and the server's word for its completion the other way.
    private func cuts(_ bytes: ArraySlice<UInt8>, _ isClient: Bool) -> Bool {
        state.withLock { state in
            let isDue =
                switch state.armed {
                case nil: false
                case .before: isClient && bytes.containsCommit
                case .after: !isClient && bytes.containsCommit
                }
            if isDue { state = (nil, state.cuts + 1, false, state.staysShut) }
            return isDue
        }
    }

    private func drop(_ fd: Int32) {
        guard let peer = peers[fd] else { return }
        for end in [fd, peer] {
            peers[end] = nil
            reactor.unwatch(end)
            close(end)
        }
    }

    private static func address(_ host: String, _ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return address
    }

    private static func with(
        _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var containsCommit: Bool {
        let word = Array("COMMIT\0".utf8)
        return indices.contains { self[$0...].starts(with: word) }
    }
}

/// Why there can be no such door.
package struct CannotCut: Error, CustomStringConvertible {
    package var description: String
}
