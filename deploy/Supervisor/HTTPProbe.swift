#if canImport(Glibc)
    import Glibc
#endif

/// The least HTTP client that can ask whether a process is well: one GET on a connection of its own.
///
/// It shares nothing with the servers that it looks at, so that a fault of theirs is not one of its own.
package enum HTTPProbe {
    package struct Answer: Hashable, Sendable {
        package var status: Int
        package var body: String
    }

    /// Asks once; nil when nobody answers in HTTP within the limit. At most 1 MiB of the answer is read.
    /// - Parameter url: `http://host:port/path`; no other scheme.
    package static func get(_ url: String, within limit: Duration = .seconds(2)) async -> Answer? {
        guard let target = Target(url) else { return nil }
        return await BackgroundThread.run { exchange(with: target, until: ContinuousClock.now + limit) }
    }

    struct Target: Hashable, Sendable {
        var host: String
        var port: String
        var path: String

        init?(_ url: String) {
            guard url.hasPrefix("http://") else { return nil }
            let rest = url.dropFirst(7)
            let authority = rest.prefix { $0 != "/" }
            let path = rest.dropFirst(authority.count)
            let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count), !parts[0].isEmpty else { return nil }
            host = String(parts[0])
            port = parts.count == 2 ? String(parts[1]) : "80"
            self.path = path.isEmpty ? "/" : String(path)
            guard UInt16(port) != nil, !self.path.contains(where: \.isWhitespace) else { return nil }
        }
    }

    private static func exchange(with target: Target, until deadline: ContinuousClock.Instant) -> Answer? {
        let descriptor = connected(to: target, until: deadline)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let request = "GET \(target.path) HTTP/1.1\r\nHost: \(target.host):\(target.port)\r\nConnection: close\r\n\r\n"
        guard send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count else {
            return nil
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16384)
        while bytes.count < 1 << 20, wait(for: descriptor, POLLIN, until: deadline) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { return parse(bytes) }
            bytes += buffer[..<count]
        }
        return nil
    }

    private static func connected(to target: Target, until deadline: ContinuousClock.Instant) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(target.host, target.port, &hints, &list) == 0 else { return -1 }
        defer { freeaddrinfo(list) }
        var next = list
        while let address = next?.pointee {
            next = address.ai_next
            let type = address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            let descriptor = socket(address.ai_family, type, address.ai_protocol)
            guard descriptor >= 0 else { continue }
            let result = connect(descriptor, address.ai_addr, address.ai_addrlen)
            if result == 0 || (errno == EINPROGRESS && wait(for: descriptor, POLLOUT, until: deadline)),
                pendingError(of: descriptor) == 0
            {
                return descriptor
            }
            close(descriptor)
        }
        return -1
    }

    private static func pendingError(of descriptor: Int32) -> Int32 {
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : errno
    }

    private static func wait(for descriptor: Int32, _ events: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            guard left > 0 else { return false }
            var poll = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let ready = Glibc.poll(&poll, 1, Int32(min(left.rounded(.up), 60_000)))
            if ready > 0 { return true }
            if ready < 0, errno != EINTR { return false }
        }
    }

    /// The status and what follows the empty line. A chunked body keeps its chunk marks, which no probe minds.
    private static func parse(_ bytes: [UInt8]) -> Answer? {
        let text = String(decoding: bytes, as: UTF8.self)
        let line = text.prefix { $0 != "\r\n" }
        let words = line.split(separator: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { return nil }
        let end = text.firstRange(of: "\r\n\r\n")
        return Answer(status: status, body: end.map { String(text[$0.upperBound...]) } ?? "")
    }
}
