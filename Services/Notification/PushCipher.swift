import Crypto
import FoundationEssentials

/// What a browser gave to write to it: only the browser can read what is encrypted for these keys, and not its vendor's server.
struct PushKeys: Codable, Hashable, Sendable {
    /// A point of P-256, uncompressed: 65 bytes.
    let point: [UInt8]
    /// The secret that is authenticated with: 16 bytes.
    let secret: [UInt8]

    /// Nil where they are none: a wrong length, or a point that is not on the curve.
    init?(point: [UInt8], secret: [UInt8]) {
        guard point.count == 65, secret.count == 16,
            (try? P256.KeyAgreement.PublicKey(x963Representation: point)) != nil
        else { return nil }
        (self.point, self.secret) = (point, secret)
    }
}

/// Encrypts what a browser is told: RFC 8291, with the one content coding that it knows (`aes128gcm`, RFC 8188).
enum PushCipher {
    static let coding = "aes128gcm"
    /// Of the one record that there is; servers take no more than 4096 bytes in all.
    static let recordSize = 4096
    /// Salt, size of the record, length of the key, our key.
    private static let header = 16 + 4 + 1 + 65
    /// The tag, and the byte that ends the words.
    private static let overhead = 16 + 1
    static let mostWords = recordSize - header - overhead
    /// Lengths are rounded up to a multiple of it, so that they tell less of what is said.
    static let step = 256

    struct TooLong: Error {}

    /// - Parameters:
    ///   - sender: A key for this one message; given by tests alone, as the salt is.
    ///   - padded: Whether zeros follow that hide how long the words are.
    static func encrypt(
        _ words: [UInt8], for keys: PushKeys, sender: P256.KeyAgreement.PrivateKey = .init(),
        salt: [UInt8] = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }, padded: Bool = true
    ) throws -> [UInt8] {
        guard words.count <= mostWords else { throw TooLong() }
        let receiver = try P256.KeyAgreement.PublicKey(x963Representation: keys.point)
        let own = Array(sender.publicKey.x963Representation)
        let shared = try sender.sharedSecretFromKeyAgreement(with: receiver).hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: keys.secret, sharedInfo: Array("WebPush: info\0".utf8) + keys.point + own,
            outputByteCount: 32)
        func derived(_ purpose: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: shared, salt: salt, info: Array("Content-Encoding: \(purpose)\0".utf8),
                outputByteCount: count)
        }
        let nonce = try derived("nonce", 12).withUnsafeBytes { try AES.GCM.Nonce(data: $0) }
        let box = try AES.GCM.seal(padding(words, padded), using: derived(coding, 16), nonce: nonce)
        let size = withUnsafeBytes(of: UInt32(recordSize).bigEndian) { Array($0) }
        return salt + size + [UInt8(own.count)] + own + Array(box.ciphertext) + Array(box.tag)
    }

    /// The words, the byte that says that no record follows, and zeros.
    private static func padding(_ words: [UInt8], _ padded: Bool) -> [UInt8] {
        let rounded = min((words.count / step + 1) * step, mostWords)
        return words + [2] + Array(repeating: 0, count: padded ? rounded - words.count : 0)
    }
}
