import Crypto
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What somebody sent whose session had ended, on its way through the sign-in page: nobody who has that page can read it, and only the same person
/// gets it back.
struct KeptForm: Codable, Hashable, Sendable {
    /// Who the page was made for, as its forms say.
    static let sender = "sender"
    /// Bytes of names and texts together.
    static let largest = 32 * 1024
    static let lifetime: TimeInterval = 3600
    /// Where one of these is asked for, nothing is gone on with by itself.
    private static let secrets: Set = ["password", "code", "credential"]

    var person: PersonID
    /// The path that it was sent to.
    var action: String
    var fields: [String: String]
    /// Whether pictures came along, which are not kept.
    var hadFiles: Bool
    var until: Date

    /// Nil where it is not to be kept.
    init?(_ form: SubmittedForm, sentTo action: String, at now: Date) {
        guard let person = PersonID(form[Self.sender]), LocalPath.from(action) != nil,
            Self.secrets.isDisjoint(with: form.fields.keys)
        else { return nil }
        let fields = form.fields.filter { $0.key != CSRF.field && $0.key != Self.sender }
        guard fields.reduce(0, { $0 + $1.key.utf8.count + $1.value.utf8.count }) <= Self.largest else { return nil }
        self.person = person
        self.action = action
        self.fields = fields
        hadFiles = !form.files.isEmpty
        until = now + Self.lifetime
    }
}

/// Seals such forms with a key of the gateway's, which every replica has.
struct FormSeal: Sendable {
    private let key: SymmetricKey

    init(_ secret: SymmetricKey) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, info: Array("kampong typed forms".utf8), outputByteCount: 32)
    }

    func seal(_ form: KeptForm) -> String? {
        guard let bytes = try? WireJSON.encode(form), let box = try? AES.GCM.seal(bytes, using: key),
            let sealed = box.combined
        else { return nil }
        return Base64URL.encode(Array(sealed))
    }

    /// Nil where the seal is not ours, or is too old.
    func open(_ text: String, at now: Date) -> KeptForm? {
        guard let sealed = Base64URL.decode(text), let box = try? AES.GCM.SealedBox(combined: sealed),
            let bytes = try? AES.GCM.open(box, using: key),
            let form = try? WireJSON.decode(KeptForm.self, from: Array(bytes)), now < form.until
        else { return nil }
        return form
    }
}
