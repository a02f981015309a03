import Logging

/// Writes a JSON object byte by byte; a log line is made far too often for an encoder, and must never fail.
struct JSONText {
    private(set) var isFirst = true
    var bytes: [UInt8] = []

    mutating func begin() {
        bytes.append(UInt8(ascii: "{"))
        isFirst = true
    }

    mutating func end() {
        bytes.append(UInt8(ascii: "}"))
        isFirst = false
    }

    mutating func add(_ key: String, _ value: String) {
        self.key(key)
        string(value)
    }

    mutating func add(_ key: String, _ value: Logger.Metadata.Value) {
        self.key(key)
        self.value(value)
    }

    private mutating func key(_ key: String) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        string(key)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func value(_ value: Logger.Metadata.Value) {
        switch value {
        case .string(let text): string(text)
        case .stringConvertible(let other): convertible(other)
        case .dictionary(let dictionary):
            begin()
            for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) { add(key, value) }
            end()
        case .array(let array):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in array.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                self.value(element)
            }
            bytes.append(UInt8(ascii: "]"))
        }
    }

    /// Numbers and truth values stay what they are; JSON has no infinity, which becomes text.
    private mutating func convertible(_ value: any CustomStringConvertible) {
        switch value {
        case let number as any BinaryInteger: bytes += Array(number.description.utf8)
        case let number as Double where number.isFinite: bytes += Array(number.description.utf8)
        case let truth as Bool: bytes += Array(truth.description.utf8)
        default: string(value.description)
        }
    }

    private mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case UInt8(ascii: "\r"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
            case UInt8(ascii: "\t"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
            case 0..<0x20, 0x7F:
                let digits = Array("0123456789abcdef".utf8)
                bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
