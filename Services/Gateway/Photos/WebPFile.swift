/// A WebP file as its chunks (RFC 9649), to take out what is not the picture.
///
/// libvips 8.14 writes EXIF into WebP even when it is told to strip it, and with it where a photo was taken.
enum WebPFile {
    /// The same picture without metadata and colour profile; nil where the bytes are no WebP file.
    static func stripped(_ file: [UInt8]) -> [UInt8]? {
        guard file.count >= 12, name(file, 0) == "RIFF", name(file, 8) == "WEBP" else { return nil }
        var chunks: [UInt8] = []
        var at = 12
        while at + 8 <= file.count {
            let length = Int(littleEndian(file, at + 4))
            let end = at + 8 + length + length % 2
            guard end <= file.count else { return nil }
            if kept.contains(name(file, at)) {
                var chunk = Array(file[at..<end])
                // The header of extended files says what follows: of that only transparency is left.
                if name(file, at) == "VP8X", length > 0 { chunk[8] &= 0b0001_0000 }
                chunks += chunk
            }
            at = end
        }
        guard !chunks.isEmpty else { return nil }
        let length = UInt32(chunks.count + 4)
        return Array("RIFF".utf8) + (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * UInt32($0))) }
            + Array("WEBP".utf8) + chunks
    }

    private static let kept: Set<String> = ["VP8X", "ALPH", "VP8 ", "VP8L"]

    /// The names of a file's chunks, in order.
    static func chunks(_ file: [UInt8]) -> [String] {
        var names: [String] = []
        var at = 12
        while at + 8 <= file.count {
            names.append(name(file, at))
            let length = Int(littleEndian(file, at + 4))
            at += 8 + length + length % 2
        }
        return names
    }

    private static func name(_ file: [UInt8], _ at: Int) -> String {
        String(decoding: file[at..<at + 4], as: UTF8.self)
    }

    private static func littleEndian(_ file: [UInt8], _ at: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(file[at + $1]) << (8 * UInt32($1)) }
    }
}
