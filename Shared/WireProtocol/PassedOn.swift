/// A value that is passed on as JSON by somebody who does not read it, and is read by whoever gets it. Reading and writing anew what is only passed on would
/// be most of the work.
package struct PassedOn<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    private enum Content: Hashable, Sendable {
        case value(Value)
        case json(String)
        case unreadable
    }

    private let content: Content

    package init(_ value: Value) { content = .value(value) }

    /// - Parameter json: as a database keeps it: it is JSON, whatever it says.
    package init(json: String) { content = .json(json) }

    /// - Throws: `malformed` where it is no such value.
    package func read() throws -> Value {
        switch content {
        case .value(let value): value
        case .json(let text): try WireJSON.decode(from: Array(text.utf8))
        case .unreadable: throw ServiceError(.malformed, "What was passed on is something else.")
        }
    }

    /// How many bytes it has as JSON.
    package var size: Int {
        get throws {
            if case .json(let text) = content { return text.utf8.count }
            return try WireJSON.encode(read()).count
        }
    }

    /// One that is something else keeps nothing beside it from being read.
    package init(from decoder: any Decoder) {
        content = (try? Value(from: decoder)).map(Content.value) ?? .unreadable
    }

    package func encode(to encoder: any Encoder) throws {
        if case .json(let text) = content, let encoder = encoder as? JSONValueEncoder {
            encoder.writer.passOn(text)
        } else {
            try read().encode(to: encoder)
        }
    }
}
