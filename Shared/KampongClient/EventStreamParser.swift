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

/// Cuts bytes into Server-Sent Events, wherever the network cut them (HTML Living Standard, 9.2.6).
struct EventStreamParser {
    private var line: [UInt8] = []
    private var afterCarriageReturn = false
    private var lastID = ""
    private var name = ""
    private var data: [String] = []

    init(lastID: String = "") { self.lastID = lastID }

    mutating func consume(_ bytes: some Sequence<UInt8>) -> [StreamEvent] {
        var events: [StreamEvent] = []
        for byte in bytes {
            defer { afterCarriageReturn = byte == UInt8(ascii: "\r") }
            if byte == UInt8(ascii: "\n"), afterCarriageReturn { continue }
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
                line.append(byte)
                continue
            }
            if let event = endLine() { events.append(event) }
        }
        return events
    }

    private mutating func endLine() -> StreamEvent? {
        let text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        guard text.isEmpty else {
            field(text)
            return nil
        }
        defer { (name, data) = ("", []) }
        guard !data.isEmpty else { return nil }
        return StreamEvent(id: lastID, name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"))
    }

    private mutating func field(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count > 1 ? String(parts[1]) : ""
        if value.hasPrefix(" ") { value.removeFirst() }
        switch parts[0] {
        case "id" where !value.contains("\0"): lastID = value
        case "event": name = value
        case "data": data.append(value)
        default: break  // a comment, `retry`, or something newer than this client
        }
    }
}
