import Crypto
import FoundationEssentials
import WireProtocol

/// Encrypts what waits in the queue, with a key that is not in the database: codes and links are of no use to who reads the table or
/// a backup of it. Each text is bound to its row.
struct MailSeal: Sendable {
    private let key: SymmetricKey

    /// - Parameter secret: of this service, and kept by it.
    init(secret: [UInt8]) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Array("kampong notification mail 1".utf8),
            outputByteCount: 32)
    }

    func seal(_ order: some Encodable, of id: UUID) throws -> [UInt8] {
        let box = try AES.GCM.seal(WireJSON.encode(order), using: key, authenticating: Self.binding(id))
        return Array(box.combined!)  // there is one whenever the nonce has the usual size
    }

    /// - Throws: where it was sealed for another row, or by a key that is no longer there.
    func open<Order: Decodable>(_ sealed: [UInt8], of id: UUID) throws -> Order {
        let plain = try AES.GCM.open(.init(combined: sealed), using: key, authenticating: Self.binding(id))
        return try WireJSON.decode(from: Array(plain))
    }

    private static func binding(_ id: UUID) -> [UInt8] { Array("mails/\(id.uuidString.lowercased())".utf8) }
}
