import Crypto
import FoundationEssentials
import Logging
import Synchronization
import WireProtocol

/// Encrypts number plates with a key that is not in the database, each bound to its thing, and digests them with another, so that one is
/// found again without being read.
struct PlateSeal: Sendable {
    private let sealing: SymmetricKey
    private let digesting: SymmetricKey
    private let complaint: Complaint

    /// - Parameters:
    ///   - secret: of this service, and kept by it.
    ///   - logger: hears once of plates that can't be read.
    init(secret: [UInt8], logger: Logger) {
        complaint = Complaint(logger)
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

    /// Nil where it was sealed for another thing, or by a key that is no longer there: who looks at lists, or rents the car, needs no plate, and its owner
    /// can give it again.
    func open(_ sealed: [UInt8], of thing: ThingID) -> String? {
        do {
            let plain = try AES.GCM.open(.init(combined: sealed), using: sealing, authenticating: Self.binding(thing))
            return String(decoding: plain, as: UTF8.self)
        } catch {
            complaint.utter(about: thing)
            return nil
        }
    }

    func digest(_ plate: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(plate.utf8), using: digesting))
    }

    private static func binding(_ thing: ThingID) -> [UInt8] { Array("things/\(thing)/plate".utf8) }

    /// Where the key is another one no plate can be read any more, and every list has some: it is said once, and not at each.
    private final class Complaint: Sendable {
        private let isUttered = Mutex(false)
        private let logger: Logger

        init(_ logger: Logger) { self.logger = logger }

        func utter(about thing: ThingID) {
            let wasUttered = isUttered.withLock { isUttered in
                let before = isUttered
                isUttered = true
                return before
            }
            guard !wasUttered else { return }
            logger.error(
                "a number plate can't be read: it was sealed by another key; this is said once",
                metadata: ["thing": "\(thing)"])
        }
    }
}
