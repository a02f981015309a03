#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Whether a text is a time of RFC 3339 (5.6, in capitals): Foundation's own reader takes less care (it passes over whatever
/// follows, and makes 3 March of 31 February).
enum WireTime {
    private static let form = Array("0000-00-00T00:00:00".utf8)

    static func isWellFormed(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count > form.count,
            zip(bytes, form).allSatisfy({ $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 }), isWhole(bytes)
        else { return false }
        var rest = bytes[form.count...]
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix(while: isDigit)
            guard !digits.isEmpty else { return false }
            rest = rest[digits.endIndex...]
        }
        return isOffset(Array(rest))
    }

    /// A day that its month has, and a time that a clock shows. (No leap seconds: those are not ours to know.)
    private static func isWhole(_ bytes: [UInt8]) -> Bool {
        let (year, month, day) = (number(bytes[0..<4]), number(bytes[5..<7]), number(bytes[8..<10]))
        guard year > 0, (1...12).contains(month) else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        return (1...days).contains(day) && number(bytes[11..<13]) < 24 && number(bytes[14..<16]) < 60
            && number(bytes[17..<19]) < 60
    }

    /// `Z`, `+05:30`
    private static func isOffset(_ bytes: [UInt8]) -> Bool {
        if bytes == [UInt8(ascii: "Z")] { return true }
        guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
            bytes[3] == UInt8(ascii: ":"), [1, 2, 4, 5].allSatisfy({ isDigit(bytes[$0]) })
        else { return false }
        return number(bytes[1..<3]) < 24 && number(bytes[4..<6]) < 60
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int { digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
}
