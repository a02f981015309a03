#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The identity of one `Entity`: a UUID on the wire, its own type in the code, so that a spot's id is never passed for a person's.
public struct ID<Entity>: Hashable, Sendable {
    public let uuid: UUID

    public init(_ uuid: UUID) { self.uuid = uuid }

    /// Reads the canonical text form, or nil.
    public init?(_ text: String) {
        guard let uuid = UUIDText.uuid(text) else { return nil }
        self.uuid = uuid
    }

    /// A new identity (UUID version 7): ids made later sort later.
    public static func new(at now: Date = Date()) -> ID { ID(UUID.version7(at: now)) }
}

extension ID: Comparable {
    /// As their texts sort, and as PostgreSQL sorts them.
    public static func < (one: ID, other: ID) -> Bool { one.uuid < other.uuid }
}

extension ID: CustomStringConvertible {
    /// The canonical text form, in lower case as RFC 9562 writes it.
    public var description: String { UUIDText.text(of: uuid) }
}

extension ID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = ID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension UUID {
    /// Reads the canonical text form (RFC 9562, 4), or nil.
    ///
    /// `UUID(uuidString:)` takes a sign or a space for a digit, and whatever follows a zero byte: many texts for one id.
    public init?(canonical text: String) {
        guard let uuid = UUIDText.uuid(text) else { return nil }
        self = uuid
    }

    /// A UUID of version 7 (RFC 9562, 5.7): 48 bits of Unix milliseconds, then 74 random bits.
    public static func version7(
        at now: Date = Date(), using generator: inout some RandomNumberGenerator
    ) -> UUID {
        let milliseconds = UInt64(max(0, now.timeIntervalSince1970 * 1000))
        var bytes = withUnsafeBytes(of: (milliseconds << 16).bigEndian) { Array($0) }
        let random = (generator.next(), generator.next())
        withUnsafeBytes(of: random) { bytes.replaceSubrange(6..., with: $0.prefix(10)) }
        bytes[6] = bytes[6] & 0x0F | 0x70
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    public static func version7(at now: Date = Date()) -> UUID {
        var generator = BufferedRandom()
        return version7(at: now, using: &generator)
    }
}
