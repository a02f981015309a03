import Crypto
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Encrypts number plates with a key that is not in the database, each bound to its thing, and digests them with another, so that one is
/// found again without being read.
struct PlateSeal: Sendable {
    private let sealing: SymmetricKey
    private let digesting: SymmetricKey

    /// - Parameter secret: of this service, and kept by it.
    init(secret: [UInt8]) {
        func key(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secret), info: Array("kampong listings \(purpose) 1".utf8),
                outputByteCount: 32)
        }
        sealing = key("plate")
        digesting = key("plate digest")
    }

    /// - Returns: nonce, ciphertext and tag.
    func seal(_ plate: String, of thing: ThingID) throws -> [UInt8] {
        let box = try AES.GCM.seal(Array(plate.utf8), using: sealing, authenticating: Self.binding(thing))
        return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    /// - Throws: where it was sealed for another thing, or by a key that is no longer there.
    func open(_ sealed: [UInt8], of thing: ThingID) throws -> String {
        let plain = try AES.GCM.open(.init(combined: sealed), using: sealing, authenticating: Self.binding(thing))
        return String(decoding: plain, as: UTF8.self)
    }

    func digest(_ plate: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(plate.utf8), using: digesting))
    }

    private static func binding(_ thing: ThingID) -> [UInt8] { Array("things/\(thing)/plate".utf8) }
}
