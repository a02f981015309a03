/// A PNG file as its chunks (ISO/IEC 15948), to take out what is not the picture before anything unpacks it.
///
/// Text in it may be compressed, a thousand to one, and as often as one likes: reading ten megabytes of that took libvips a minute.
enum PNGFile {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Besides what every reader must know: transparency, colours, and which side is up. Each of them once.
    private static let kept: Set<String> = ["tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "eXIf"]

    /// The same picture without the rest; nil where the bytes are no PNG file, or not a whole one.
    static func stripped(_ file: [UInt8]) -> [UInt8]? {
        guard file.starts(with: signature) else { return nil }
        var picture = signature
        picture.reserveCapacity(file.count)
        var seen: Set<String> = []
        var at = signature.count
        while at + 12 <= file.count {
            let length = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            let end = at + 12 + length
            guard end <= file.count else { return nil }
            let name = String(decoding: file[at + 4..<at + 8], as: UTF8.self)
            // A capital first letter: nobody can show the picture without it.
            let isCritical = (0x41...0x5A).contains(file[at + 4])
            if isCritical || kept.contains(name) && seen.insert(name).inserted { picture += file[at..<end] }
            if name == "IEND" { return picture }
            at = end
        }
        return nil
    }
}
