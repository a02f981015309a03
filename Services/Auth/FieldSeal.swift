import Crypto
import FoundationEssentials

/// Encrypts personal data, each field of each row by itself: `version of the key ‖ nonce ‖ ciphertext ‖ tag` (AES-256-GCM).
///
/// What is authenticated beside it is the key's version, the field's name and the row's id: a value that was moved to another row or
/// column does not open there. The keys are not in the database; values sealed with an older one still open, and get the newest
/// when they are written next.
struct FieldSeal: Sendable {
    private let keys: [UInt8: SymmetricKey]
    private let newest: UInt8

    /// - Parameter keys: By version; the highest is what is sealed with from now on.
    init(keys: [UInt8: SymmetricKey]) {
        precondition(!keys.isEmpty)
        self.keys = keys
        newest = keys.keys.max()!
    }

    func seal(_ text: String, field: String, of row: UUID) throws -> [UInt8] {
        let context = Self.context(newest, field, row)
        let box = try AES.GCM.seal(Array(text.utf8), using: keys[newest]!, authenticating: context)
        return [newest] + Array(box.combined!)  // there is one whenever the nonce has the usual size
    }

    /// - Throws: Where it was sealed for another field or row, with a key that is not here, or was tampered with.
    func open(_ sealed: [UInt8], field: String, of row: UUID) throws -> String {
        guard let version = sealed.first, let key = keys[version] else { throw UnknownKey() }
        let box = try AES.GCM.SealedBox(combined: sealed.dropFirst())
        let plain = try AES.GCM.open(box, using: key, authenticating: Self.context(version, field, row))
        return String(decoding: plain, as: UTF8.self)
    }

    struct UnknownKey: Error {}

    /// Lengths are fixed but for the name, which comes last.
    private static func context(_ version: UInt8, _ field: String, _ row: UUID) -> [UInt8] {
        [version] + withUnsafeBytes(of: row.uuid) { Array($0) } + Array(field.utf8)
    }
}
