import FoundationEssentials
import Glibc
import Synchronization
import WireProtocol

/// An answer as it came over the wire, decoded from nothing but its transfer encoding.
struct RawResponse: Sendable {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    subscript(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
    func all(_ name: String) -> [String] { headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value) }
    var text: String { String(decoding: body, as: UTF8.self) }
    func problem() throws -> Problem { try WireJSON.decode(from: body) }
    func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value { try WireJSON.decode(from: body) }
}

struct RawHTTPError: Error { var what: String }

/// HTTP/1.1 on a socket, where a library would add and take away headers that a test is about.
enum RawHTTP {
    static func send(
        port: Int, _ method: String, _ path: String, _ headers: [(String, String)], body: [UInt8]
    ) async throws -> RawResponse {
        let socket = try RawSocket(port: port)
        defer { socket.close() }
        var head = "\(method) \(path) HTTP/1.1\r\n"
        if !headers.contains(where: { $0.0.lowercased() == "host" }) { head += "Host: 127.0.0.1:\(port)\r\n" }
        head += "Connection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method) { head += "Content-Length: \(body.count)\r\n" }
        let request = Array((head + "\r\n").utf8) + body
        let bytes = try await offThread {
            // A server may answer, and stop reading, before it has everything.
            _ = try? socket.write(request)
            return try socket.readToEnd()
        }
        return try parse(bytes)
    }

    /// The statuses of all answers in what was said on a connection.
    static func statuses(_ text: String) -> [Int] {
        text.split(separator: "HTTP/1.").dropFirst(text.hasPrefix("HTTP/1.") ? 0 : 1).compactMap {
            Int($0.dropFirst(2).prefix(3))
        }
    }

    static func offThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let box = Box { continuation.resume(with: Result(catching: body)) }
            var thread = pthread_t()
            let pointer = Unmanaged.passRetained(box).toOpaque()
            pthread_create(
                &thread, nil,
                { argument in
                    Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().run()
                    return nil
                }, pointer)
            pthread_detach(thread)
        }
    }

    private final class Box {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    static func parse(_ bytes: [UInt8]) throws -> RawResponse {
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) }) else {
            throw RawHTTPError(what: "no answer: \(String(decoding: bytes.prefix(200), as: UTF8.self))")
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let headers = lines.dropFirst().map { line -> (name: String, value: String) in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), String(parts[1].drop { $0 == " " }))
        }
        let status = Int(lines[0].split(separator: " ")[1])!
        var body = Array(bytes[(end + 4)...])
        if headers.contains(where: { $0.name.lowercased() == "transfer-encoding" && $0.value == "chunked" }) {
            body = dechunk(body)
        }
        return RawResponse(status: status, headers: headers, body: body)
    }

    private static func dechunk(_ bytes: [UInt8]) -> [UInt8] {
        var rest = bytes[...]
        var body: [UInt8] = []
        while let lineEnd = rest.firstIndex(of: 0x0D),
            let length = Int(String(decoding: rest[rest.startIndex..<lineEnd], as: UTF8.self), radix: 16), length > 0
        {
            rest = rest[(lineEnd + 2)...]
            body += rest.prefix(length)
            rest = rest.dropFirst(length + 2)
        }
        return body
    }
}

/// A connected TCP socket. Used by one thread at a time.
final class RawSocket: @unchecked Sendable {
    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw RawHTTPError(what: "cannot connect") }
        var time = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { throw RawHTTPError(what: "cannot send") }
            rest = rest.dropFirst(sent)
        }
    }

    /// Some bytes; empty at the end.
    func read() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else {
            if errno == ECONNRESET { return [] }
            throw RawHTTPError(what: "nothing came for a minute")
        }
        return Array(buffer[..<count])
    }

    func readToEnd() throws -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let some = try read()
            if some.isEmpty { return all }
            all += some
        }
    }

    func close() { _ = Glibc.close(descriptor) }
    func finishWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }
    func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}
