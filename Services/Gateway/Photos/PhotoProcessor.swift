import Crypto
import FoundationEssentials
import Logging
import WireProtocol

/// Makes of a picture that someone sent the three that are kept: turned upright, in sRGB, as WebP, without a word about where
/// and by what it was taken.
struct PhotoProcessor: Sendable {
    /// Width times height, read from the header before anything is decoded.
    static let mostPixels = 40_000_000

    var tools = VipsTools()

    struct Result: Sendable {
        /// SHA-256 of the full size.
        var digest: String
        var width: Int
        var height: Int
    }

    /// Writes `thumb.webp`, `medium.webp` and `full.webp` into `directory`, which only this call uses.
    func process(_ bytes: [UInt8], in directory: String) async throws -> Result {
        guard let format = PhotoFormat(bytes) else { throw Self.unknownKind }
        guard let picture = format == .png ? PNGFile.stripped(bytes) : bytes else { throw Self.unreadable }
        let original = directory + "/original"
        try Data(picture).write(to: URL(filePath: original))
        defer { try? FileManager.default.removeItem(atPath: original) }
        let size = try await dimensions(of: original, in: directory)
        guard size.width * size.height <= Self.mostPixels else {
            throw ServiceError(
                .tooLarge, "The picture has \(size.width) × \(size.height) pixels; 40 megapixels can be taken.")
        }
        let full = try await shrink(original, to: .full, from: .ofOthers, in: directory)
        // The smaller ones from the full one: it is upright, harmless and quickly read.
        for size in [PhotoSize.medium, .thumb] { _ = try await shrink(full, to: size, from: .sRGB, in: directory) }
        let kept = try await dimensions(of: full, in: directory)
        let data = try Data(contentsOf: URL(filePath: full))
        return Result(digest: HexText.text(of: SHA256.hash(data: data)), width: kept.width, height: kept.height)
    }

    private func dimensions(of path: String, in directory: String) async throws -> (width: Int, height: Int) {
        // `original: 4000x3000 uchar, 3 bands, srgb, jpegload`: one line, whatever the picture says of itself.
        let outcome = try await run("vipsheader", [path], in: directory)
        guard let (_, width, height) = outcome.firstMatch(of: /: (\d{1,9})x(\d{1,9})\x20/)?.output,
            let width = Int(width), let height = Int(height), width > 0, height > 0
        else { throw Self.unreadable }
        return (width, height)
    }

    /// What the colours of a picture are.
    private enum Colours {
        /// As its profile says; sRGB where it has none.
        case ofOthers
        case sRGB
    }

    private func shrink(
        _ path: String, to size: PhotoSize, from colours: Colours, in directory: String
    ) async throws -> String {
        let raw = "\(directory)/raw.webp"
        defer { try? FileManager.default.removeItem(atPath: raw) }
        // `--size down`: never larger than it is. `--fail-on truncated`: half a picture is none.
        let thumbnail = [
            "thumbnail", path, "\(raw)[Q=80,strip,profile=none]", "\(size.pixels)", "--height", "\(size.pixels)",
            "--size", "down", "--fail-on", "truncated",
        ]
        // Without a profile to begin from, libvips takes sRGB for another space and shifts it.
        let converted = thumbnail + ["--import-profile", "srgb", "--export-profile", "srgb"]
        // Grey has no room for either, nor for the RGB profile that some cameras put into it: it is what it is.
        var isMade = false
        if colours == .ofOthers { isMade = try await outcome("vips", converted, in: directory).succeeded }
        if !isMade { _ = try await run("vips", thumbnail, in: directory) }
        guard let written = FileManager.default.contents(atPath: raw), let clean = WebPFile.stripped(Array(written))
        else { throw Self.unreadable }
        let target = "\(directory)/\(size.rawValue).webp"
        try Data(clean).write(to: URL(filePath: target))
        return target
    }

    private func run(_ tool: String, _ arguments: [String], in directory: String) async throws -> String {
        let outcome = try await outcome(tool, arguments, in: directory)
        guard outcome.succeeded else { throw Self.unreadable }
        return outcome.output
    }

    private func outcome(
        _ tool: String, _ arguments: [String], in directory: String
    ) async throws -> VipsTools.Outcome {
        do {
            return try await tools.run(tool, arguments, in: directory)
        } catch is VipsTools.TooMuchSaid {
            throw Self.unreadable
        } catch is VipsTools.TimedOut {
            throw ServiceError.invalid([
                FieldError("photo", "too_complex", "This picture takes too long to read. Try another one.")
            ])
        }
    }

    static let unknownKind = ServiceError(
        .unsupportedMediaType, "A picture is needed: JPEG, PNG, WebP, GIF, HEIF or AVIF.")
    static let unreadable = ServiceError.invalid([
        FieldError("photo", "unreadable", "This picture is damaged and cannot be read. Try another one.")
    ])
}
