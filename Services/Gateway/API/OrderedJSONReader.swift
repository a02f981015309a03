extension OrderedJSON {
    /// - Throws: `Unreadable` where the bytes are no JSON.
    package init(_ bytes: [UInt8]) throws {
        var reader = OrderedJSONReader(bytes)
        self = try reader.document()
    }

    package struct Unreadable: Error, CustomStringConvertible {
        /// How many bytes could be read.
        package let position: Int
        package var description: String { "no JSON at byte \(position)" }
    }
}

/// Reads what lies in the tree: it says where something is no JSON, and not what it is instead.
private struct OrderedJSONReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws -> OrderedJSON {
        let whole = try value()
        guard next() == nil else { throw unreadable }
        return whole
    }

    private var unreadable: OrderedJSON.Unreadable { OrderedJSON.Unreadable(position: position) }

    /// The next byte that is no white space; nil at the end.
    private mutating func next() -> UInt8? {
        while position < bytes.count {
            guard bytes[position] <= UInt8(ascii: " ") else { return bytes[position] }
            position += 1
        }
        return nil
    }

    private mutating func take(_ byte: UInt8) throws {
        guard next() == byte else { throw unreadable }
        position += 1
    }

    private mutating func value() throws -> OrderedJSON {
        guard let first = next() else { throw unreadable }
        switch first {
        case UInt8(ascii: "{"): return .object(try list(until: UInt8(ascii: "}")) { try $0.member() })
        case UInt8(ascii: "["): return .array(try list(until: UInt8(ascii: "]")) { try $0.value() })
        case UInt8(ascii: "\""): return .literal(try text())
        default: return .literal(try word())
        }
    }

    /// What stands between brackets, with commas between.
    private mutating func list<Element>(
        until end: UInt8, _ element: (inout OrderedJSONReader) throws -> Element
    ) throws -> [Element] {
        position += 1
        var elements: [Element] = []
        while next() != end {
            if !elements.isEmpty { try take(UInt8(ascii: ",")) }
            elements.append(try element(&self))
        }
        position += 1
        return elements
    }

    private mutating func member() throws -> OrderedJSON.Member {
        let name = try text()
        try take(UInt8(ascii: ":"))
        return OrderedJSON.Member(String(name.dropFirst().dropLast()), try value())
    }

    /// A text with its quotes.
    private mutating func text() throws -> String {
        try take(UInt8(ascii: "\""))
        let start = position - 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard position < bytes.count else { throw unreadable }
        position += 1
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// A number, or one of the three words.
    private mutating func word() throws -> String {
        let start = position
        while position < bytes.count, Self.isOfWord(bytes[position]) { position += 1 }
        guard position > start else { throw unreadable }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
        }
    }
}
