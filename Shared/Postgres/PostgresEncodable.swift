/// A value that can be bound to a statement.
package protocol PostgresEncodable: Sendable {
    /// What the server shall take it for.
    static var postgresType: PostgresType { get }
    /// What the server shall take an array of it for.
    static var postgresArrayType: PostgresType { get }
    var postgresParameter: PostgresParameter { get }
    /// Only `UInt8` answers something else than the ordinary array: `[UInt8]` is `bytea`.
    static func postgresParameter(of elements: [Self]) -> PostgresParameter
}

/// A value that can be read from a row.
package protocol PostgresDecodable: Sendable {
    /// Reads the server's text form; nil where it is no such value.
    init?(postgresText text: String)
    /// The value for NULL; nil for types that have none, and reading NULL as one of those is an error.
    static var postgresNull: Self? { get }
    /// Reads an array; only `UInt8` reads something else than the ordinary form.
    static func postgresArray(_ text: String) -> [Self]?
}

/// Both.
package typealias PostgresCodable = PostgresEncodable & PostgresDecodable

/// The bytes of a parameter.
package enum PostgresParameter: Hashable, Sendable {
    case null
    case text(String)
    case binary([UInt8])
}

/// A type of the server by its object identifier (`pg_type.oid`, which never changes for built-in types).
package struct PostgresType: Hashable, Sendable {
    package var oid: UInt32
    package init(oid: UInt32) { self.oid = oid }

    /// The server derives it from where the parameter stands.
    package static let derived = PostgresType(oid: 0)
    package static let bool = PostgresType(oid: 16)
    package static let bytea = PostgresType(oid: 17)
    package static let int8 = PostgresType(oid: 20)
    package static let int2 = PostgresType(oid: 21)
    package static let int4 = PostgresType(oid: 23)
    package static let float8 = PostgresType(oid: 701)
    package static let timestamptz = PostgresType(oid: 1184)
    package static let numeric = PostgresType(oid: 1700)
    package static let uuid = PostgresType(oid: 2950)
    package static let jsonb = PostgresType(oid: 3802)
    package static let tstzrange = PostgresType(oid: 3910)

    static let boolArray = PostgresType(oid: 1000)
    static let byteaArray = PostgresType(oid: 1001)
    static let int2Array = PostgresType(oid: 1005)
    static let int4Array = PostgresType(oid: 1007)
    static let int8Array = PostgresType(oid: 1016)
    static let float8Array = PostgresType(oid: 1022)
    static let timestamptzArray = PostgresType(oid: 1185)
    static let numericArray = PostgresType(oid: 1231)
    static let uuidArray = PostgresType(oid: 2951)
    static let jsonbArray = PostgresType(oid: 3807)
    static let tstzrangeArray = PostgresType(oid: 3911)

    private static let names: [PostgresType: String] = [
        .bool: "bool", .bytea: "bytea", .int8: "int8", .int2: "int2", .int4: "int4", .float8: "float8",
        .timestamptz: "timestamptz", .numeric: "numeric", .uuid: "uuid", .jsonb: "jsonb", .tstzrange: "tstzrange",
        .boolArray: "bool[]", .byteaArray: "bytea[]", .int2Array: "int2[]", .int4Array: "int4[]",
        .int8Array: "int8[]", .float8Array: "float8[]", .timestamptzArray: "timestamptz[]",
        .numericArray: "numeric[]", .uuidArray: "uuid[]", .jsonbArray: "jsonb[]", .tstzrangeArray: "tstzrange[]",
    ]

    /// As SQL writes it; nil where the server derives it.
    var name: String? { Self.names[self] }
}

extension PostgresEncodable {
    package static var postgresArrayType: PostgresType { .derived }
    package static func postgresParameter(of elements: [Self]) -> PostgresParameter {
        .text(ArrayText.text(of: elements.map(\.postgresParameter)))
    }
}

extension PostgresDecodable {
    package static var postgresNull: Self? { nil }

    package static func postgresArray(_ text: String) -> [Self]? {
        guard let elements = ArrayText.elements(of: text) else { return nil }
        var values: [Self] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            guard let value = element.map({ Self(postgresText: $0) }) ?? postgresNull else { return nil }
            values.append(value)
        }
        return values
    }
}

// MARK: Types made of others

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    package static var postgresType: PostgresType { Wrapped.postgresType }
    package static var postgresArrayType: PostgresType { Wrapped.postgresArrayType }
    package var postgresParameter: PostgresParameter { self?.postgresParameter ?? .null }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    package init?(postgresText text: String) {
        guard let value = Wrapped(postgresText: text) else { return nil }
        self = .some(value)
    }
    package static var postgresNull: Self? { .some(.none) }
}

extension Array: PostgresEncodable where Element: PostgresEncodable {
    package static var postgresType: PostgresType { Element.postgresArrayType }
    package var postgresParameter: PostgresParameter { Element.postgresParameter(of: self) }
}

extension Array: PostgresDecodable where Element: PostgresDecodable {
    package init?(postgresText text: String) {
        guard let elements = Element.postgresArray(text) else { return nil }
        self = elements
    }
}

/// An enum with raw values needs only to say that it conforms.
extension PostgresEncodable where Self: RawRepresentable, RawValue: PostgresEncodable {
    package static var postgresType: PostgresType { RawValue.postgresType }
    package static var postgresArrayType: PostgresType { RawValue.postgresArrayType }
    package var postgresParameter: PostgresParameter { rawValue.postgresParameter }
}

extension PostgresDecodable where Self: RawRepresentable, RawValue: PostgresDecodable {
    package init?(postgresText text: String) {
        guard let raw = RawValue(postgresText: text) else { return nil }
        self.init(rawValue: raw)
    }
}
