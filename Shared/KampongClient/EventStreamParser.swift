/// One message of a Server-Sent Events stream.
public struct StreamEvent: Hashable, Sendable {
    /// What to resume after; the last one that was seen where the message names none.
    public var id: String
    /// `spotAdded`, `spotClaimed` …
    public var name: String
    /// JSON.
    public var data: String

    public init(id: String, name: String, data: String) {
        self.id = id
        self.name = name
        self.data = data
    }
}

/// What a stream says.
public enum StreamMessage: Hashable, Sendable {
    case event(StreamEvent)
    /// Nothing happened: the opening of a stream, or a heartbeat. The listener stands at this id now (empty where the server does
    /// not say), and resumes after it.
    case position(String)
}

/// Cuts bytes into Server-Sent Events, wherever the network cut them (HTML Living Standard, 9.2.6).
struct EventStreamParser {
    private var line: [UInt8] = []
    private var afterCarriageReturn = false
    private var lastID = ""
    private var name = ""
    private var data: [String] = []
    /// Whether the message that is being read has any line.
    private var isBegun = false
    private var isFirstLine = true

    init(lastID: String = "") { self.lastID = lastID }

    mutating func consume(_ bytes: some Sequence<UInt8>) -> [StreamMessage] {
        var messages: [StreamMessage] = []
        for byte in bytes {
            defer { afterCarriageReturn = byte == UInt8(ascii: "\r") }
            if byte == UInt8(ascii: "\n"), afterCarriageReturn { continue }
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
                line.append(byte)
                continue
            }
            if let message = endLine() { messages.append(message) }
        }
        return messages
    }

    private mutating func endLine() -> StreamMessage? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine, line.starts(with: Self.byteOrderMark) { line.removeFirst(Self.byteOrderMark.count) }
        isFirstLine = false
        guard line.isEmpty else {
            field()
            isBegun = true
            return nil
        }
        defer { (name, data, isBegun) = ("", [], false) }
        guard !data.isEmpty else { return isBegun ? .position(lastID) : nil }
        let event = StreamEvent(id: lastID, name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"))
        return .event(event)
    }

    /// By bytes: an accent after the colon would make one character with it.
    private mutating func field() {
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        var bytes = parts.count > 1 ? parts[1] : []
        if bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
        let value = String(decoding: bytes, as: UTF8.self)
        switch String(decoding: parts[0], as: UTF8.self) {
        case "id" where !bytes.contains(0): lastID = value
        case "event": name = value
        case "data": data.append(value)
        default: break  // a comment, `retry`, or something newer than this client
        }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
