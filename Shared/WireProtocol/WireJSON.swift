#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The one way in which Kampong writes and reads JSON: RFC 3339 times in UTC with milliseconds, ids as text.
public enum WireJSON {
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        if value is Nothing { return [] }
        return try JSONWriter.bytes(of: value) ?? encodeByFoundation(value)
    }

    /// The same bytes, more slowly; and what `JSONWriter` does not know.
    static func encodeByFoundation(_ value: some Encodable) throws -> [UInt8] { Array(try encoder.encode(value)) }

    /// Made once: nothing of it changes afterwards, and setting it up costs as much as a small document.
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        // Sorted, so that a value has the same bytes in every process: ETags and digests are taken of them.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(text(of: date))
        }
        return encoder
    }()

    private static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = date(from: try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 time")
            }
            return date
        }
        return decoder
    }()

    /// - Throws: `ServiceError` with code `malformed`, naming the place in the document, when the bytes do not fit.
    public static func decode<Value: Decodable>(_ type: Value.Type = Value.self, from bytes: [UInt8]) throws -> Value {
        if type == Nothing.self, bytes.isEmpty { return Nothing() as! Value }
        // Foundation also reads UTF-16 and UTF-32, which RFC 8259 does not let travel; UTF-8 never has this byte in JSON.
        guard !bytes.contains(0) else { throw ServiceError(.malformed, "The body is not JSON in UTF-8.") }
        do {
            return try decoder.decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw ServiceError(malformed: error)
        }
    }

    static let timeStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// RFC 3339 to the nearest millisecond.
    public static func text(of date: Date) -> String {
        if let text = RFC3339.text(of: date) { return text }
        // The format style cuts off, and most milliseconds are no binary fraction: half of a tenth of one is added.
        let milliseconds = (date.timeIntervalSinceReferenceDate * 1000).rounded()
        return Date(timeIntervalSinceReferenceDate: (milliseconds + 0.05) / 1000).formatted(timeStyle)
    }

    /// Reads a time of RFC 3339, with or without fractional seconds and with any offset.
    public static func date(from text: String) -> Date? {
        guard WireTime.isWellFormed(text) else { return nil }
        return (try? timeStyle.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text)) ?? farDate(from: text)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// RFC 3339 has offsets up to 23:59; Foundation knows those of real places only.
    private static func farDate(from text: String) -> Date? {
        let (utc, offset) = (String(text.dropLast(6)) + "Z", Array(text.suffix(6).utf8))
        guard offset.count == 6, offset[0] == UInt8(ascii: "+") || offset[0] == UInt8(ascii: "-"),
            offset[3] == UInt8(ascii: ":"), offset[1...2].allSatisfy(isDigit), offset[4...5].allSatisfy(isDigit),
            let hours = Int(String(decoding: offset[1...2], as: UTF8.self)),
            let minutes = Int(String(decoding: offset[4...5], as: UTF8.self)), (0...23).contains(hours),
            (0...59).contains(minutes),
            let date = (try? timeStyle.parse(utc)) ?? (try? Date.ISO8601FormatStyle().parse(utc))
        else { return nil }
        let seconds = Double(hours * 3600 + minutes * 60)
        return date.addingTimeInterval(offset[0] == UInt8(ascii: "+") ? -seconds : seconds)
    }
}
