import Crypto
import FoundationEssentials
import Logging
import Synchronization
import WireProtocol

/// A word that the database keeps and cannot read.
enum SealedWord: Hashable, Sendable {
    case door(OrderID)
    case pickUpCode(OrderID)
    /// The orderer's four.
    case digits(MatchID)

    fileprivate var binding: [UInt8] {
        let name =
            switch self {
            case .door(let order): "orders/\(order)/door"
            case .pickUpCode(let order): "orders/\(order)/pick-up code"
            case .digits(let match): "matches/\(match)/digits"
            }
        return Array(name.utf8)
    }
}

/// Encrypts doors, pick-up codes and digits with a key that is not in the database, each bound to where it stands.
struct SealedWords: Sendable {
    private let key: SymmetricKey
    private let complaint: Complaint

    /// - Parameters:
    ///   - secret: of this service, and kept by it.
    ///   - logger: hears once of words that can't be read.
    init(secret: [UInt8], logger: Logger) {
        complaint = Complaint(logger)
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Array("kampong matching words 1".utf8),
            outputByteCount: 32)
    }

    /// - Returns: nonce, ciphertext and tag; nil of nothing.
    func seal(_ text: String?, as word: SealedWord) throws -> [UInt8]? {
        guard let text else { return nil }
        let box = try AES.GCM.seal(Array(text.utf8), using: key, authenticating: word.binding)
        return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    /// Nil of nothing, and of what was sealed as something else, or by a key that is no longer there: the two can still write to each other.
    func open(_ sealed: [UInt8]?, as word: SealedWord) -> String? {
        guard let sealed else { return nil }
        do {
            let plain = try AES.GCM.open(.init(combined: sealed), using: key, authenticating: word.binding)
            return String(decoding: plain, as: UTF8.self)
        } catch {
            complaint.utter()
            return nil
        }
    }

    /// Where the key is another one nothing can be read any more: it is said once, and not at each.
    private final class Complaint: Sendable {
        private let isUttered = Mutex(false)
        private let logger: Logger

        init(_ logger: Logger) { self.logger = logger }

        func utter() {
            let wasUttered = isUttered.withLock { isUttered in
                let before = isUttered
                isUttered = true
                return before
            }
            guard !wasUttered else { return }
            logger.error("a door or a code of an order can't be read: it was sealed by another key; this is said once")
        }
    }
}
