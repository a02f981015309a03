#if canImport(Glibc)
    import Glibc
#endif

/// TCP ports of 127.0.0.1 that nobody listens on, and that stay free until they are bound.
///
/// They lie below the ports that the kernel gives to outgoing connections (32768 and up, unless `ip_local_port_range` says
/// otherwise): a port of that range can become the near end of anybody's connection between being found free and being bound.
/// A UDP socket of the same number, open for the life of the process, keeps other processes that ask here from picking it too.
package enum FreePort {
    private static let range = 20_000..<32_768

    /// A port that nobody listens on and that no other process has been given.
    ///
    /// Ends the process when a thousand picks find none. Whoever can bind to port 0 and tell others should do that.
    package static func next() -> Int {
        for _ in 0..<1000 {
            let port = Int.random(in: range)
            if claim(port) { return port }
        }
        preconditionFailure("no free port among \(range)")
    }

    private static func claim(_ port: Int) -> Bool {
        let claim = LoopbackSocket.make(SOCK_DGRAM)
        guard LoopbackSocket.bind(claim, to: port) else {
            close(claim)
            return false
        }
        let probe = LoopbackSocket.make()
        defer { close(probe) }
        guard LoopbackSocket.bind(probe, to: port) else {
            close(claim)
            return false
        }
        return true
    }
}

/// The few socket calls that the helpers here share.
enum LoopbackSocket {
    /// A TCP socket bound to 127.0.0.1, not listening yet.
    static func bound(port: Int) -> Int32 {
        let descriptor = make()
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        precondition(bind(descriptor, to: port), "cannot bind 127.0.0.1:\(port): errno \(errno)")
        return descriptor
    }

    /// - Returns: false when somebody has the port already.
    static func bind(_ descriptor: Int32, to port: Int) -> Bool {
        withAddress(port: port) { Glibc.bind(descriptor, $0, $1) } == 0
    }

    static func make(_ type: __socket_type = SOCK_STREAM) -> Int32 {
        let descriptor = socket(AF_INET, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        precondition(descriptor >= 0, "no socket: errno \(errno)")
        return descriptor
    }

    static func port(of descriptor: Int32) -> Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        precondition(result == 0, "getsockname: errno \(errno)")
        return Int(UInt16(bigEndian: address.sin_port))
    }

    static func withAddress<Result>(port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
