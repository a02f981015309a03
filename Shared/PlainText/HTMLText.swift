/// Text within HTML: between tags, and in quoted attributes.
package enum HTMLText {
    /// Escapes byte by byte: by `Character`, markup behind U+0600 or before an accent is another character than `<`, and stays what it is.
    package static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { entity(of: $0) != nil }) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 2)
        for byte in text.utf8 {
            if let entity = entity(of: byte) { bytes += entity.utf8 } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func entity(of byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }
}
