import Supervisor
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// A server that sends back what it gets, and a client, on plain blocking sockets with time limits.
private final class Echo: Sendable {
    let port: Int
    private let listener: Int32

    init() {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let chosen = FreePort.next()
        address.sin_port = UInt16(chosen).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) }
        }
        precondition(result == 0 && listen(listener, 16) == 0)
        port = chosen
        BackgroundThread.start {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                BackgroundThread.start {
                    var buffer = [UInt8](repeating: 0, count: 4096)
                    while case let count = recv(connection, &buffer, buffer.count, 0), count > 0 {
                        send(connection, buffer, count, Int32(MSG_NOSIGNAL))
                    }
                    close(connection)
                }
            }
        }
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }
}

private final class Client: Sendable {
    private let descriptor: Int32

    init(port: Int) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
        }
        try #require(result == 0)
    }

    deinit { close(descriptor) }

    func say(_ text: String) { send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

    /// What came within the limit; nil when nothing did, and "" or an error's number when the connection ended.
    func hear(within milliseconds: Int) async -> String? {
        let descriptor = descriptor
        return await BackgroundThread.run {
            var limit = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count >= 0 { return String(decoding: buffer[..<count], as: UTF8.self) }
            return errno == EAGAIN ? nil : "errno \(errno)"
        }
    }
}

@Suite("Fault proxy")
struct FaultProxyTests {
    private func withProxy(_ body: (FaultProxy) async throws -> Void) async throws {
        let echo = Echo()
        let proxy = FaultProxy(to: echo.port)
        let result: Result<Void, any Error>
        do { result = .success(try await body(proxy)) } catch { result = .failure(error) }
        proxy.stop()
        echo.stop()
        try result.get()
    }

    @Test func `passes both ways`() async throws {
        try await withProxy { proxy in
            let client = try Client(port: proxy.port)
            client.say("hello")
            #expect(await client.hear(within: 5000) == "hello")
            #expect(proxy.accepted == 1 && proxy.open == 1)
            try await eventually("both ways to be counted") { proxy.bytes == 10 }
        }
    }

    @Test func `cuts what is there and what comes, until it passes again`() async throws {
        try await withProxy { proxy in
            let client = try Client(port: proxy.port)
            client.say("hello")
            #expect(await client.hear(within: 5000) == "hello")
            proxy.mode = .cut
            #expect(await client.hear(within: 5000) == "errno \(ECONNRESET)")
            let second = try Client(port: proxy.port)
            #expect(await second.hear(within: 5000) == "errno \(ECONNRESET)")
            proxy.mode = .pass
            let third = try Client(port: proxy.port)
            third.say("again")
            #expect(await third.hear(within: 5000) == "again")
        }
    }

    @Test func `stalls without a word, and delivers afterwards`() async throws {
        try await withProxy { proxy in
            let client = try Client(port: proxy.port)
            client.say("hello")
            #expect(await client.hear(within: 5000) == "hello")
            proxy.mode = .stall
            let new = try Client(port: proxy.port)
            client.say("lost?")
            new.say("me too")
            #expect(await client.hear(within: 200) == nil)
            #expect(await new.hear(within: 50) == nil)
            proxy.mode = .pass
            #expect(await client.hear(within: 5000) == "lost?")
            #expect(await new.hear(within: 5000) == "me too")
        }
    }

    @Test func `delays each way`() async throws {
        try await withProxy { proxy in
            proxy.mode = .delay(.milliseconds(100))
            let client = try Client(port: proxy.port)
            let begin = ContinuousClock.now
            client.say("slow")
            #expect(await client.hear(within: 5000) == "slow")
            #expect(ContinuousClock.now - begin >= .milliseconds(200))
        }
    }

    @Test func `resets when nobody listens behind it`() async throws {
        let proxy = FaultProxy(to: FreePort.next())
        defer { proxy.stop() }
        let client = try Client(port: proxy.port)
        #expect(await client.hear(within: 5000) == "errno \(ECONNRESET)")
    }
}
