package import FoundationEssentials

// How Swift's plain values look on both ways. Times are in PostgresTime.swift, JSON in PostgresJSON.swift.

extension Bool: PostgresCodable {
    package static var postgresType: PostgresType { .bool }
    package static var postgresArrayType: PostgresType { .boolArray }
    package var postgresParameter: PostgresParameter { .text(self ? "t" : "f") }
    package init?(postgresText text: String) {
        switch text {
        case "t": self = true
        case "f": self = false
        default: return nil
        }
    }
}

extension Int: PostgresCodable {
    package static var postgresType: PostgresType { .int8 }
    package static var postgresArrayType: PostgresType { .int8Array }
    package var postgresParameter: PostgresParameter { .text(String(self)) }
    package init?(postgresText text: String) { self.init(text) }
}

extension Int64: PostgresCodable {
    package static var postgresType: PostgresType { .int8 }
    package static var postgresArrayType: PostgresType { .int8Array }
    package var postgresParameter: PostgresParameter { .text(String(self)) }
    package init?(postgresText text: String) { self.init(text) }
}

extension Int32: PostgresCodable {
    package static var postgresType: PostgresType { .int4 }
    package static var postgresArrayType: PostgresType { .int4Array }
    package var postgresParameter: PostgresParameter { .text(String(self)) }
    package init?(postgresText text: String) { self.init(text) }
}

extension Int16: PostgresCodable {
    package static var postgresType: PostgresType { .int2 }
    package static var postgresArrayType: PostgresType { .int2Array }
    package var postgresParameter: PostgresParameter { .text(String(self)) }
    package init?(postgresText text: String) { self.init(text) }
}

/// `[UInt8]` is `bytea`; a single one is a small integer.
extension UInt8: PostgresCodable {
    package static var postgresType: PostgresType { .int2 }
    package static var postgresArrayType: PostgresType { .bytea }
    package var postgresParameter: PostgresParameter { .text(String(self)) }
    package init?(postgresText text: String) { self.init(text) }
    package static func postgresParameter(of elements: [UInt8]) -> PostgresParameter { .binary(elements) }
    package static func postgresArray(_ text: String) -> [UInt8]? { Hex.bytes(of: text) }
}

/// `NaN` and the infinities are values of `float8` as well; their names differ from Swift's.
extension Double: PostgresCodable {
    package static var postgresType: PostgresType { .float8 }
    package static var postgresArrayType: PostgresType { .float8Array }
    package var postgresParameter: PostgresParameter {
        if isNaN { return .text("NaN") }
        if isInfinite { return .text(self > 0 ? "Infinity" : "-Infinity") }
        return .text(String(describing: self))
    }
    package init?(postgresText text: String) { self.init(text) }
}

/// Reads any type of the server in its text form; is sent without a type (see `SQLQuery`).
extension String: PostgresCodable {
    package static var postgresType: PostgresType { .derived }
    package var postgresParameter: PostgresParameter { .text(self) }
    package init?(postgresText text: String) { self = text }
}

extension UUID: PostgresCodable {
    package static var postgresType: PostgresType { .uuid }
    package static var postgresArrayType: PostgresType { .uuidArray }
    // Not by Foundation, which goes through `printf` and `scanf`. The server takes the digits without dashes as well.
    package var postgresParameter: PostgresParameter { .text(Hex.digits(of: withUnsafeBytes(of: uuid) { Array($0) })) }
    package init?(postgresText text: String) {
        guard let bytes = Hex.bytes(ofDigits: text.utf8.filter { $0 != UInt8(ascii: "-") }), bytes.count == 16 else {
            return nil
        }
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

/// `numeric` of up to 38 digits; what has more digits, and `NaN` and the infinities, cannot be read as a Decimal.
extension Decimal: PostgresCodable {
    package static var postgresType: PostgresType { .numeric }
    package static var postgresArrayType: PostgresType { .numericArray }
    package var postgresParameter: PostgresParameter { .text(isNaN ? "NaN" : description) }
    package init?(postgresText text: String) {
        let digits = text.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        // Decimal itself reads as far as it understands, and leaves out the rest.
        guard digits.count > 0, digits.drop(while: { $0 == UInt8(ascii: "0") }).count <= 38,
            text.utf8.count(where: { $0 == UInt8(ascii: ".") }) <= 1,
            text.utf8.count == digits.count + text.utf8.count(where: { $0 == UInt8(ascii: ".") })
                + (text.hasPrefix("-") ? 1 : 0),
            let value = Decimal(string: text), !value.isNaN
        else { return nil }
        self = value
    }
}

extension RawRepresentable where RawValue == String {
    /// Reads what a column of names holds.
    /// - Throws: `PostgresError` of kind `.unexpectedValue` where it is none of them.
    package static func stored(_ text: String) throws -> Self {
        guard let value = Self(rawValue: text) else {
            throw PostgresError(.unexpectedValue, debugDetail: "\(text) is no \(Self.self)")
        }
        return value
    }
}
