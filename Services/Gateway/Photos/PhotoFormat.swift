/// What a picture is by its first bytes; what its name or sender says counts for nothing.
package enum PhotoFormat: String, CaseIterable, Sendable {
    case jpeg, png, webp, gif, heif

    package init?(_ bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(32))
        func text(_ range: Range<Int>) -> String {
            head.count >= range.upperBound ? String(decoding: head[range], as: UTF8.self) : ""
        }
        if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if text(0..<4) == "RIFF", text(8..<12) == "WEBP" {
            self = .webp
        } else if text(0..<6) == "GIF87a" || text(0..<6) == "GIF89a" {
            self = .gif
        } else if text(4..<8) == "ftyp", Self.heifBrands.contains(text(8..<12)) {
            self = .heif
        } else {
            return nil
        }
    }

    private static let heifBrands: Set<String> = ["heic", "heix", "heim", "heis", "mif1", "msf1", "avif", "avis"]
}

/// The sizes that a photo is kept in: the longer side in pixels, never more than the original has.
package enum PhotoSize: String, CaseIterable, Sendable {
    case thumb, medium, full

    package var pixels: Int {
        switch self {
        case .thumb: 320
        case .medium: 960
        case .full: 2048
        }
    }
}
