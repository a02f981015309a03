#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// UUIDs in the canonical text form of RFC 9562, in lower case. Foundation goes through `printf` and `scanf`, which is dear for what
/// every answer holds many of.
enum UUIDText {
    private static let length = 36
    private static let dash = UInt8(ascii: "-")
    private static let digits = Array("0123456789abcdef".utf8)

    static func text(of uuid: UUID) -> String {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            String(unsafeUninitializedCapacity: length) { text in
                var place = 0
                for (index, byte) in bytes.enumerated() {
                    if isDash(before: index) {
                        text[place] = dash
                        place += 1
                    }
                    text[place] = digits[Int(byte >> 4)]
                    text[place + 1] = digits[Int(byte & 15)]
                    place += 2
                }
                return place
            }
        }
    }

    /// Reads digits in either case; nil for anything else than the canonical form.
    static func uuid(_ text: String) -> UUID? {
        var text = text
        return text.withUTF8 { text in
            guard text.count == length else { return nil }
            var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).uuid
            let isRead = withUnsafeMutableBytes(of: &uuid) { bytes in
                var place = 0
                for index in bytes.indices {
                    if isDash(before: index) {
                        guard text[place] == dash else { return false }
                        place += 1
                    }
                    guard let high = value(of: text[place]), let low = value(of: text[place + 1]) else { return false }
                    bytes[index] = high << 4 | low
                    place += 2
                }
                return true
            }
            return isRead ? UUID(uuid: uuid) : nil
        }
    }

    private static func isDash(before index: Int) -> Bool { index == 4 || index == 6 || index == 8 || index == 10 }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
