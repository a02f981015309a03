import Glibc

/// Connections in plain TCP, for what no ZeroMQ peer would do. 127.0.0.1 only.
final class Strangers {
    private let port: UInt16
    private var descriptors: [Int32] = []

    /// - Parameter endpoint: as `bind` returns it.
    init(to endpoint: String) {
        port = UInt16(endpoint.split(separator: ":").last!)!
        // Both ends are in this process, which may have as few as 1024 descriptors by default.
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 8192)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    deinit { leave() }

    func leave() {
        for descriptor in descriptors { close(descriptor) }
        descriptors = []
    }

    /// Connects `count` times, says `bytes` on each, and stays.
    @discardableResult
    func come(_ count: Int = 1, saying bytes: [UInt8] = []) -> Int {
        var connected = 0
        for _ in 0..<count {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { break }
            descriptors.append(descriptor)
            guard dial(descriptor) else { continue }
            connected += 1
            _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }
        return connected
    }

    /// How many connections the other side has ended by now.
    var ended: Int {
        descriptors.count { descriptor in
            var byte: UInt8 = 0
            // What it says before the end (its greeting) is read away.
            while true {
                let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
                if count == 0 { return true }
                if count < 0 { return errno != EAGAIN }
            }
        }
    }

    private func dial(_ descriptor: Int32) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

/// What ZMTP 3 begins with: signature, version, mechanism, whether a server, filler (RFC 23).
func greeting(_ mechanism: String = "CURVE") -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3, 0]
    bytes += Array(mechanism.utf8) + [UInt8](repeating: 0, count: 20 - mechanism.utf8.count)
    return bytes + [UInt8](repeating: 0, count: 32)
}
