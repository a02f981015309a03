import FoundationEssentials

/// A value kept as `jsonb` by its Codable form; times as RFC 3339 in UTC with milliseconds.
package struct JSON<Value: Codable & Sendable>: PostgresCodable {
    package var value: Value
    package init(_ value: Value) { self.value = value }

    package static var postgresType: PostgresType { .jsonb }
    package static var postgresArrayType: PostgresType { .jsonbArray }

    /// A value that cannot be encoded (a NaN, say) is a mistake in the program: it is sent as text that the server refuses.
    package var postgresParameter: PostgresParameter {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Self.text(of: date))
        }
        guard let data = try? encoder.encode(value) else { return .text("not encodable") }
        return .text(String(decoding: data, as: UTF8.self))
    }

    package init?(postgresText text: String) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            if let date = try? Self.timeStyle.parse(text) { return date }
            return try Date.ISO8601FormatStyle().parse(text)
        }
        guard let value = try? decoder.decode(Value.self, from: Data(text.utf8)) else { return nil }
        self.value = value
    }

    /// To the nearest millisecond: the style cuts off, and half of a tenth of one keeps .123 from being written as .122.
    private static func text(of date: Date) -> String {
        let milliseconds = (date.timeIntervalSinceReferenceDate * 1000).rounded()
        return Date(timeIntervalSinceReferenceDate: (milliseconds + 0.05) / 1000).formatted(timeStyle)
    }

    private static var timeStyle: Date.ISO8601FormatStyle { Date.ISO8601FormatStyle(includingFractionalSeconds: true) }
}

extension JSON: Equatable where Value: Equatable {}

/// JSON that is encoded already, or is read by someone else. `jsonb` keeps the meaning, not the bytes.
package struct RawJSON: PostgresCodable, Hashable {
    package var text: String
    package init(text: String) { self.text = text }
    package init(bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }
    package var bytes: [UInt8] { Array(text.utf8) }

    package static var postgresType: PostgresType { .jsonb }
    package static var postgresArrayType: PostgresType { .jsonbArray }
    package var postgresParameter: PostgresParameter { .text(text) }
    package init?(postgresText text: String) { self.text = text }
}
