/// `geo:` addresses (RFC 5870) with the name as the label of the pin, which map applications take from `q`.
package enum GeoAddress {
    package static func text(of name: String, at position: Position) -> String {
        let point = "\(degrees(position.latitude)),\(degrees(position.longitude))"
        return "geo:\(point)?q=\(point)(\(escaped(name)))"
    }

    /// Six decimals (a tenth of a metre), never with an exponent.
    private static func degrees(_ value: Double) -> String {
        let millionths = Int((abs(value) * 1e6).rounded())
        var fraction = String(millionths % 1_000_000 + 1_000_000).dropFirst()
        while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
        return "\(value < 0 && millionths > 0 ? "-" : "")\(millionths / 1_000_000).\(fraction)"
    }

    private static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
