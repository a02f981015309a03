import Glibc
import Reactor

/// A TCP proxy on 127.0.0.1 whose connections can fall silent: they stay open, take all that is written, and say nothing, as after
/// a cable was pulled. New connections work.
actor SilentProxy {
    nonisolated let reactor = Reactor(name: "proxy")
    nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }
    private let target: UInt16
    private var listener: Int32 = -1
    private var peers: [Int32: Int32] = [:]
    private var silent: Set<Int32> = []
    private(set) var connections = 0

    /// - Parameter endpoint: `tcp://127.0.0.1:port`.
    init(to endpoint: String) { target = UInt16(endpoint.split(separator: ":").last!)! }

    /// Listens, and returns the endpoint.
    func start() -> String {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(0)
        _ = Self.with(&address) { bind(listener, $0, $1) }
        listen(listener, 16)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        reactor.watch(listener, for: .readable) { [unowned self] _ in self.assumeIsolated { $0.accept() } }
        return "tcp://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    }

    /// Every connection that is there now falls silent.
    func fallSilent() { silent.formUnion(peers.keys) }

    func stop() {
        reactor.unwatch(listener)
        close(listener)
        for fd in Array(peers.keys) { drop(fd) }
    }

    private func accept() {
        let client = Glibc.accept(listener, nil, nil)
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(target)
        guard client >= 0, Self.with(&address, { connect(server, $0, $1) }) == 0 else {
            close(client)
            close(server)
            return
        }
        connections += 1
        (peers[client], peers[server]) = (server, client)
        for fd in [client, server] {
            reactor.watch(fd, for: .readable) { [unowned self] _ in self.assumeIsolated { $0.forward(fd) } }
        }
    }

    private func forward(_ fd: Int32) {
        guard let peer = peers[fd] else { return }
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = read(fd, &bytes, bytes.count)
        if silent.contains(fd) {
            // Not even the end is passed on.
            if count <= 0 { reactor.change(fd, to: []) }
            return
        }
        guard count > 0 else { return drop(fd) }
        var sent = 0
        while sent < count {
            let written = bytes.withUnsafeBytes {
                send(peer, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
            }
            guard written > 0 else { return drop(fd) }
            sent += written
        }
    }

    private func drop(_ fd: Int32) {
        guard let peer = peers.removeValue(forKey: fd) else { return }
        peers[peer] = nil
        for fd in [fd, peer] {
            reactor.unwatch(fd)
            close(fd)
        }
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func with(_ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32)
        -> Int32
    {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}
