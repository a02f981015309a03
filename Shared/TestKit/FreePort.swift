internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#endif

/// TCP ports of 127.0.0.1 that nobody listens on.
package enum FreePort {
    private static let given = Mutex<Set<Int>>([])

    /// A port that was free a moment ago and that this process has not given out before.
    ///
    /// The kernel picks it from its ephemeral range, in turns, so another process is unlikely to get the same one before it
    /// is bound; whoever can bind to port 0 itself should.
    package static func next() -> Int {
        while true {
            let port = pick()
            if given.withLock({ $0.insert(port).inserted }) { return port }
        }
    }

    private static func pick() -> Int {
        let descriptor = LoopbackSocket.bound(port: 0)
        defer { close(descriptor) }
        return LoopbackSocket.port(of: descriptor)
    }
}

/// The few socket calls that the helpers here share.
enum LoopbackSocket {
    /// A TCP socket bound to 127.0.0.1, not listening yet.
    static func bound(port: Int) -> Int32 {
        let descriptor = make()
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let result = withAddress(port: port) { bind(descriptor, $0, $1) }
        precondition(result == 0, "cannot bind 127.0.0.1:\(port): errno \(errno)")
        return descriptor
    }

    static func make() -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
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
