import CZeroMQ

/// A Curve25519 key, public or secret, as the 40 characters of Z85 in which ZeroMQ writes it.
package struct CurveKey: Hashable, Sendable {
    package let text: String

    /// Nil unless `text` (white space around it aside) is 32 bytes in Z85.
    package init?(_ text: some StringProtocol) {
        let trimmed = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        guard trimmed.utf8.count == 40 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 32)
        guard zmq_z85_decode(&bytes, trimmed) != nil else { return nil }
        self.text = trimmed
    }

    /// The key of 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        var text = [CChar](repeating: 0, count: 41)
        guard zmq_z85_encode(&text, bytes, 32) != nil else { return nil }
        self.text = String(decoding: text.prefix(40).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// A secret key and the public one that belongs to it. Its description shows the public half only.
package struct CurveKeyPair: Sendable, CustomStringConvertible {
    package let publicKey: CurveKey
    package let secretKey: CurveKey

    /// A new pair, from the operating system's randomness.
    package static func generate() -> CurveKeyPair {
        var (publicText, secretText) = ([CChar](repeating: 0, count: 41), [CChar](repeating: 0, count: 41))
        let result = zmq_curve_keypair(&publicText, &secretText)
        precondition(result == 0, "this libzmq was built without CURVE")
        _ = publicText
        let text = { (characters: [CChar]) in
            String(decoding: characters.prefix(40).map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        return CurveKeyPair(secretKey: CurveKey(text(secretText))!)!
    }

    /// The pair of a secret key.
    package init?(secretKey: CurveKey) {
        var text = [CChar](repeating: 0, count: 41)
        guard zmq_curve_public(&text, secretKey.text) == 0 else { return nil }
        self.secretKey = secretKey
        publicKey = CurveKey(String(decoding: text.prefix(40).map(UInt8.init(bitPattern:)), as: UTF8.self))!
    }

    package var description: String { "CurveKeyPair(public: \(publicKey.text))" }
}
