#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Base64 for addresses, cookies and tokens (RFC 4648, section 5), without padding.
package enum Base64URL {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text = Data(bytes).base64EncodedData()
        while text.last == UInt8(ascii: "=") { text.removeLast() }
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "+"): text[index] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): text[index] = UInt8(ascii: "_")
            default: break
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil for anything else, padding and the other alphabet of Base64 included.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var usual: [UInt8] = []
        usual.reserveCapacity(text.utf8.count + 3)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): usual.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): usual.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: usual.append(byte)
            }
        }
        usual.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - usual.count % 4) % 4))
        return Data(base64Encoded: Data(usual)).map { Array($0) }
    }
}
