/// What a listener reads, over a real connection. Unchecked, because a test reads one thing after the other.
final class StreamReader: @unchecked Sendable {
    struct Event: Hashable, Sendable {
        var id = ""
        var name = ""
        var data = ""
    }

    private let socket: RawSocket
    private var buffer: [UInt8] = []
    private var isHead = true
    private(set) var status = 0
    private var lastID = ""

    convenience init(_ door: TestDoor, _ query: String = "", _ headers: [(String, String)] = []) throws {
        try self.init(port: door.port, query, headers)
    }

    init(port: Int, _ query: String = "", _ headers: [(String, String)] = []) throws {
        socket = try RawSocket(port: port)
        var head = "GET /v1/stream\(query) HTTP/1.1\r\nHost: x\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        try socket.write(Array((head + "\r\n").utf8))
    }

    func close() { socket.shutDown() }

    /// The next events, ids of heartbeats included; fewer at the end of the stream.
    func next(_ count: Int) async throws -> [Event] {
        try await RawHTTP.offThread {
            var events: [Event] = []
            var event = Event()
            while events.count < count, let line = try self.line() {
                if line.isEmpty {
                    if !event.data.isEmpty {
                        event.id = self.lastID
                        events.append(event)
                    }
                    event = Event()
                }
                if line.hasPrefix("id: ") { self.lastID = String(line.dropFirst(4)) }
                if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
                if line.hasPrefix("data: ") { event.data += line.dropFirst(6) }
            }
            return events
        }
    }

    /// Reads until the stream says where it stands: from then on nothing is missed.
    func opened() async throws -> String {
        try await RawHTTP.offThread {
            while let line = try self.line() {
                if line.hasPrefix("retry:") {
                    let position = try self.line() ?? ""
                    if position.hasPrefix("id: ") { self.lastID = String(position.dropFirst(4)) }
                    return self.lastID
                }
            }
            throw RawHTTPError(what: "the stream did not open: \(self.status)")
        }
    }

    /// A line without its end. Lines of HTTP's chunks end in CR LF, those of events in LF alone.
    private func line() throws -> String? {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                let line = Array(buffer[..<end])
                buffer.removeFirst(end + 1)
                if line.last == 0x0D {
                    let text = String(decoding: line.dropLast(), as: UTF8.self)
                    if isHead, text.hasPrefix("HTTP/1.1 ") { status = Int(text.split(separator: " ")[1]) ?? 0 }
                    if isHead, text.isEmpty { isHead = false }
                    continue
                }
                return String(decoding: line, as: UTF8.self)
            }
            let more = try socket.read()
            if more.isEmpty { return nil }
            buffer += more
        }
    }
}
