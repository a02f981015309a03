@testable import GatewayService

extension Parser {
    /// The first look at what somebody uploads.
    static let pictures = [
        Parser(name: "photo") { bytes in
            let format = PhotoFormat(bytes)
            try promise("more than the head decides", PhotoFormat(bytes.prefix(32)) == format)
            try promise("a slice is another picture", PhotoFormat(([0, 0] + bytes)[2...]) == format)
        },
        Parser(name: "png") { bytes in
            guard let stripped = PNGFile.stripped(bytes) else { return }
            try promise("it grows", stripped.count <= bytes.count)
            try promise("it is no PNG any more", PhotoFormat(stripped) == .png)
            try promise("what is stripped can be stripped again", PNGFile.stripped(stripped) == stripped)
        },
        Parser(name: "webp") { bytes in
            _ = WebPFile.chunks(bytes)
            guard let stripped = WebPFile.stripped(bytes) else { return }
            try promise("it grows", stripped.count <= bytes.count)
            try promise("it is no WebP any more", PhotoFormat(stripped) == .webp)
            let chunks = WebPFile.chunks(stripped)
            try promise("\(chunks)", chunks.allSatisfy { ["VP8X", "ALPH", "VP8 ", "VP8L"].contains($0) })
            try promise("what is stripped can be stripped again", WebPFile.stripped(stripped) == stripped)
        },
    ]
}
