package import NIOCore

/// The text of Server-Sent Events (HTML Living Standard, 9.2).
package enum StreamText {
    /// Milliseconds after which a browser comes back.
    static let retry = 2000

    /// An event's name and data; a line of the payload that breaks is continued by the next `data:`.
    package static func event(_ name: String, _ payload: some Collection<UInt8>) -> ByteBuffer {
        var buffer = ByteBuffer(string: "event: \(name)\n")
        for line in payload.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            buffer.writeString("data: ")
            buffer.writeBytes(line)
            buffer.writeString("\n")
        }
        buffer.writeString("\n")
        return buffer
    }

    static func withID(_ id: String, _ frame: ByteBuffer) -> ByteBuffer {
        var buffer = ByteBuffer(string: "id: \(id)\n")
        buffer.writeImmutableBuffer(frame)
        return buffer
    }

    /// What opens a stream: when to come back, and where the listener stands already.
    static func opening(_ id: String) -> ByteBuffer {
        ByteBuffer(string: "retry: \(retry)\n" + position(id))
    }

    /// A heartbeat. It moves the listener's `Last-Event-ID` past events that were not for them. An event and no comment, since browsers tell
    /// scripts of events alone: by it a page knows that its line is not dead.
    package static func beat(_ id: String) -> ByteBuffer { ByteBuffer(string: "event: beat\ndata:\n" + position(id)) }

    private static func position(_ id: String) -> String { id.isEmpty ? "\n" : "id: \(id)\n\n" }

    /// Some events cannot be given again: load what you show anew.
    static func resync(_ publisher: String) -> ByteBuffer {
        event("resync", Array("{\"publisher\":\"\(publisher)\"}".utf8))
    }

    /// The last event of a stream that ends for a reason.
    static func end(_ reason: StreamEnd) -> ByteBuffer {
        event(reason == .stopping ? "bye" : "end", Array("{\"reason\":\"\(reason.rawValue)\"}".utf8))
    }
}

/// Why the gateway ends a stream.
package enum StreamEnd: String, Sendable {
    /// The access token has expired: refresh, and come back with `Last-Event-ID`.
    case expired
    /// The session was ended.
    case revoked
    /// Something was missed that only a new connection can fetch.
    case restart
    /// A service could not say what was missed: come back later.
    case unavailable
    /// The gateway is stopping.
    case stopping
}
