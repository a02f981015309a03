import PlainText

/// A header value with parameters: `form-data; name="photo"; filename="a \"b\".jpg"`. Read byte by byte: an accent behind a quotation mark is none.
struct HeaderParameters {
    let value: String
    private var parameters: [String: String] = [:]

    /// - Parameter name: In lower case.
    subscript(_ name: String) -> String? { parameters[name] }

    init(_ text: String) {
        var rest = Array(text.utf8)[...]
        value = Self.word(&rest, until: ";")
        while rest.popFirst() != nil {
            let name = Self.word(&rest, until: ";", or: "=").lowercased()
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop { $0 == UInt8(ascii: " ") }
            let content = rest.first == UInt8(ascii: "\"") ? Self.quoted(&rest) : Self.word(&rest, until: ";")
            rest = rest.drop { $0 != UInt8(ascii: ";") }
            if parameters[name] == nil { parameters[name] = content }
        }
    }

    private static func word(_ rest: inout ArraySlice<UInt8>, until end: Unicode.Scalar, or other: Unicode.Scalar = ";")
        -> String
    {
        let word = rest.prefix { $0 != UInt8(ascii: end) && $0 != UInt8(ascii: other) }
        rest = rest[word.endIndex...]
        return String(decoding: word, as: UTF8.self).trimmed
    }

    private static func quoted(_ rest: inout ArraySlice<UInt8>) -> String {
        let (mark, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        var bytes: [UInt8] = []
        rest.removeFirst()
        while let byte = rest.popFirst(), byte != mark {
            // Browsers write a quotation mark as %22 and leave a backslash alone; older programs escape with a backslash.
            if byte == backslash, let next = rest.first, next == mark || next == backslash {
                bytes.append(next)
                rest.removeFirst()
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
