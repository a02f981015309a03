#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The one way in which Kampong writes and reads JSON: RFC 3339 times in UTC with milliseconds, ids as text.
public enum WireJSON {
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        if value is Nothing { return [] }
        let encoder = JSONEncoder()
        // Sorted, so that a value has the same bytes in every process: ETags and digests are taken of them.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(text(of: date))
        }
        return Array(try encoder.encode(value))
    }

    /// - Throws: `ServiceError` with code `malformed`, naming the place in the document, when the bytes do not fit.
    public static func decode<Value: Decodable>(_ type: Value.Type = Value.self, from bytes: [UInt8]) throws -> Value {
        if type == Nothing.self, bytes.isEmpty { return Nothing() as! Value }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = date(from: try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 time")
            }
            return date
        }
        do {
            return try decoder.decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw ServiceError(malformed: error)
        }
    }

    static let timeStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// RFC 3339 to the nearest millisecond. The format style cuts off, and most milliseconds are no binary fraction: half
    /// of a tenth of one is added so that .123 is not written as .122.
    public static func text(of date: Date) -> String {
        let milliseconds = (date.timeIntervalSinceReferenceDate * 1000).rounded()
        return Date(timeIntervalSinceReferenceDate: (milliseconds + 0.05) / 1000).formatted(timeStyle)
    }

    /// Reads a time of RFC 3339, with or without fractional seconds and with any offset.
    public static func date(from text: String) -> Date? {
        guard WireTime.isWellFormed(text) else { return nil }
        return (try? timeStyle.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
    }
}
