import Crypto
package import FoundationEssentials

/// Writes and reads what a stream's `id:` says, so that one can come back only to where a gateway has said that one is, and only for
/// a while. What people took back is still in the publishers' tables: who may name any position may read it all again.
///
/// As text `auth.1f0c9a3e.17,listings.77b2d401.2044~tgk3a1.m5bVxQ0u9GyTfWkE`: positions, since when nothing is missing up to them
/// (Unix seconds in base 36), and 96 bits of HMAC-SHA256 over both. Any replica reads what another wrote.
package struct StreamIDs: Sendable {
    /// What a `Last-Event-ID` comes to.
    package enum Reading: Hashable, Sendable {
        case resume(StreamPositions, since: Int)
        /// Not given out by a gateway of this community, or too long ago.
        case refuse
    }

    /// Seconds of missed events that one can be given again.
    package static let keeps = 15 * 60
    private static let codeLength = 16
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private let key: SymmetricKey
    private let publishers: Set<String>
    private let clock: @Sendable () -> Date

    /// - Parameters:
    ///   - secret: of every replica of this gateway, and there after a restart; a key for this purpose alone is made of it.
    ///   - publishers: all that are relayed; others that an older id names are passed over.
    package init(
        secret: [UInt8], publishers: Set<String>, clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Array("kampong stream".utf8), outputByteCount: 32)
        self.publishers = publishers
        self.clock = clock
    }

    /// Unix seconds.
    package var now: Int { Int(clock().timeIntervalSince1970) }

    /// - Parameter since: when the listener had everything up to `positions`.
    /// - Returns: empty where there are no positions.
    package func text(_ positions: StreamPositions, since: Int) -> String {
        guard !positions.places.isEmpty else { return "" }
        var text = positions.text
        text += "~"
        text += String(since, radix: 36)
        let code = code(of: text)
        text += "."
        text += String(decoding: code, as: UTF8.self)
        return text
    }

    package func read(_ text: String) -> Reading {
        guard text.utf8.count <= 512, let tilde = text.lastIndex(of: "~"), let dot = text[tilde...].firstIndex(of: "."),
            let since = Int(text[text.index(after: tilde)..<dot], radix: 36),
            Self.areEqual(Array(text[dot...].utf8.dropFirst()), code(of: String(text[..<dot]))),
            now - since <= Self.keeps,
            var positions = StreamPositions(String(text[..<tilde]))
        else { return .refuse }
        positions.places = positions.places.filter { publishers.contains($0.key) }
        return .resume(positions, since: since)
    }

    /// In base64url. One is made for each event, so without the detour by `Data` and its padding, which costs more than the HMAC.
    private func code(of text: String) -> [UInt8] {
        let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
        return code.withUnsafeBytes { code in
            (0..<Self.codeLength).map { index in
                let (byte, bit) = (index * 6 / 8, index * 6 % 8)
                let pair = UInt16(code[byte]) << 8 | UInt16(code[byte + 1])
                return Self.digits[Int(pair >> UInt16(10 - bit) & 0x3F)]
            }
        }
    }

    /// Takes as long where the first byte differs as where the last does.
    private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// Where a listener stands who has had all up to `positions`, and how that is written.
package struct StreamMark: Hashable, Sendable {
    package var positions: StreamPositions
    /// Unix seconds.
    package var since: Int
    package var id: String

    package init(_ positions: StreamPositions, _ ids: StreamIDs) {
        self.positions = positions
        since = ids.now
        id = ids.text(positions, since: since)
    }
}
