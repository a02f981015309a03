/// Bytes as hexadecimal digits in lower case, two for each.
package enum HexText {
    private static let digits = Array("0123456789abcdef".utf8)

    package static func text(of bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether it is what a SHA-256 looks like, as photos are called.
    package static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { digits.contains($0) }
    }

    /// Sixteen digits, zeros ahead.
    package static func text(of number: UInt64) -> String {
        withUnsafeBytes(of: number.bigEndian) { text(of: $0) }
    }
}
