/// What a file is that is no text in UTF-8, by how it begins: all of it would be left out, line by line, or read as something else.
enum FirstBytes {
    private static let known: [(bytes: [UInt8], what: String)] = [
        ([0x1F, 0x8B], "compressed by gzip"), ([0x42, 0x5A, 0x68], "compressed by bzip2"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "compressed by xz"), ([0x28, 0xB5, 0x2F, 0xFD], "compressed by zstd"),
        ([0x50, 0x4B, 0x03, 0x04], "a zip archive or a spreadsheet"), ([0xFF, 0xFE], "UTF-16"),
        ([0xFE, 0xFF], "UTF-16"),
    ]

    static func problem(of bytes: [UInt8]) -> ImportProblem? {
        if let (_, what) = known.first(where: { bytes.starts(with: $0.bytes) }) { return .noText(what) }
        let beginning = bytes.prefix(64)
        guard beginning.contains(0) else { return nil }
        let isExtract = String(decoding: beginning, as: UTF8.self).contains("OSMHeader")
        return .noText(isExtract ? "an extract of OpenStreetMap (call it .osm.pbf)" : "UTF-16, or no text at all")
    }
}
