/// One parser of bytes that is ours, and what it promises about any bytes at all.
///
/// Driven by libFuzzer (`deploy/fuzz`), and by `swift test` over the corpus that is kept.
struct Parser: Sendable {
    /// What `deploy/fuzz` calls it, and the folder of its corpus.
    let name: String
    /// Throws `Broken` where a promise is not kept. A trap is a finding as well.
    let check: @Sendable ([UInt8]) throws -> Void

    static let all: [Parser] = wire + texts + names + forms + pictures + streams + database + maps + places + passkeys
}

/// A promise that a parser did not keep.
struct Broken: Error, CustomStringConvertible {
    let description: String
}

func promise(_ what: @autoclosure () -> String, _ isKept: Bool) throws {
    if !isKept { throw Broken(description: what()) }
}

/// Cuts a fuzzer's bytes into frames: each has its length before it, one byte, or three where that is 255.
enum Frames {
    static func cut(_ bytes: [UInt8]) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var rest = bytes[...]
        while let first = rest.popFirst(), frames.count < 64 {
            var length = Int(first)
            if first == 0xFF, let high = rest.popFirst(), let low = rest.popFirst() {
                length = Int(high) << 8 | Int(low)
            }
            frames.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return frames
    }
}
