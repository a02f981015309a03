/// The server's text form of a one-dimensional array: `{1,NULL,"a b"}`.
enum ArrayText {
    static func text(of elements: [PostgresParameter]) -> String {
        var text = "{"
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            switch element {
            case .null: text += "NULL"
            case .text(let value): quote(value, into: &text)
            case .binary(let bytes): quote(Hex.text(of: bytes), into: &text)
            }
        }
        return text + "}"
    }

    private static func quote(_ value: String, into text: inout String) {
        text += "\""
        if value.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
            for scalar in value.unicodeScalars {
                if scalar == "\"" || scalar == "\\" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
        } else {
            text += value
        }
        text += "\""
    }

    /// The elements, nil for NULL; nil altogether where the text is no such array.
    static func elements(of text: String) -> [String?]? {
        var reader = Reader(bytes: Array(text.utf8))
        return reader.elements()
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

        mutating func elements() -> [String?]? {
            // Bounds other than 1 come first: [0:2]={…}
            if current == UInt8(ascii: "[") {
                guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
                index = equals + 1
            }
            guard take("{") else { return nil }
            if take("}") { return index == bytes.count ? [] : nil }
            var elements: [String?] = []
            while true {
                guard let element = element() else { return nil }
                elements.append(element)
                if take(",") { continue }
                return take("}") && index == bytes.count ? elements : nil
            }
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard current == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        /// One element: nil where it cannot be read, .some(nil) for NULL.
        private mutating func element() -> String?? {
            if current == UInt8(ascii: "{") { return nil }  // more dimensions than one
            return take("\"") ? quoted().map { .some($0) } : plain()
        }

        private mutating func quoted() -> String? {
            var value: [UInt8] = []
            while var byte = current {
                index += 1
                if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
                if byte == UInt8(ascii: "\\") {
                    guard let escaped = current else { return nil }
                    byte = escaped
                    index += 1
                }
                value.append(byte)
            }
            return nil
        }

        private mutating func plain() -> String?? {
            let start = index
            while let byte = current, byte != UInt8(ascii: ","), byte != UInt8(ascii: "}") { index += 1 }
            guard index > start else { return nil }
            let value = String(decoding: bytes[start..<index], as: UTF8.self)
            return value == "NULL" ? .some(nil) : .some(value)
        }
    }
}

/// The server's text form of bytes: `\x00ff`.
enum Hex {
    private static let alphabet = Array("0123456789abcdef".utf8)

    static func text(of bytes: [UInt8]) -> String { "\\x" + digits(of: bytes) }

    static func digits(of bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = alphabet[Int(byte >> 4)]
                text[2 * index + 1] = alphabet[Int(byte & 15)]
            }
            return bytes.count * 2
        }
    }

    static func bytes(of text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        return digits.starts(with: "\\x".utf8) ? bytes(ofDigits: Array(digits[2...])) : nil
    }

    static func bytes(ofDigits digits: [UInt8]) -> [UInt8]? {
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(of: digits[index]), let low = value(of: digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
