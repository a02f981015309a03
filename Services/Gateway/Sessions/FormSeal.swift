import Crypto
import FoundationEssentials
import WireProtocol

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
    /// The page that it was on.
    var back: String?
    var fields: [String: String]
    /// Whether pictures came along, which are not kept.
    var hadFiles: Bool
    var until: Date

    /// Nil where it is not to be kept.
    /// - Parameter person: whom the form was made for.
    init?(_ form: SubmittedForm, of person: PersonID, sentTo action: String, from back: String?, at now: Date) {
        guard LocalPath.from(action) != nil, Self.secrets.isDisjoint(with: form.fields.keys) else { return nil }
        self.person = person
        self.action = action
        self.back = back
        fields = form.fields.filter { $0.key != CSRF.field && $0.key != Self.sender }
        hadFiles = !form.files.isEmpty
        until = now + Self.lifetime
    }

    var isTooLarge: Bool { fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } > Self.largest }
}

/// Seals such forms with a key of the gateway's, which every replica has.
struct FormSeal: Sendable {
    /// Bytes of a form as JSON, in which a byte of a text may be six.
    private static let longest = 8 * KeptForm.largest

    private let key: SymmetricKey
    private let senders: SymmetricKey

    init(_ secret: SymmetricKey) {
        func derived(for purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, info: Array(purpose.utf8), outputByteCount: 32)
        }
        key = derived(for: "kampong typed forms")
        senders = derived(for: "kampong senders of forms")
    }

    /// Small, so that a cookie takes it.
    func seal(_ form: KeptForm) -> String? {
        guard let json = try? WireJSON.encode(form), let bytes = Gzip.compress(json, level: 9),
            let box = try? AES.GCM.seal(bytes, using: key), let sealed = box.combined
        else { return nil }
        return Base64URL.encode(Array(sealed))
    }

    /// Nil where the seal is not ours, or is too old.
    func open(_ text: String, at now: Date) -> KeptForm? {
        guard let sealed = Base64URL.decode(text), let box = try? AES.GCM.SealedBox(combined: sealed),
            let bytes = try? AES.GCM.open(box, using: key),
            let json = Gzip.decompress(Array(bytes), most: Self.longest),
            let form = try? WireJSON.decode(KeptForm.self, from: json), now < form.until
        else { return nil }
        return form
    }

    /// Whom a form is made for, as it says itself: whoever knows somebody's id could otherwise say so of them.
    func sender(_ person: PersonID) -> String { "\(person).\(Base64URL.encode(code(person)))" }

    /// Nil where it was not written by us.
    func person(sending text: String) -> PersonID? {
        let parts = text.split(separator: ".")
        guard parts.count == 2, let person = PersonID(String(parts[0])), let given = Base64URL.decode(parts[1]),
            HMAC<SHA256>.isValidAuthenticationCode(given, authenticating: Self.message(person), using: senders)
        else { return nil }
        return person
    }

    private static func message(_ person: PersonID) -> [UInt8] { Array("sender \(person)".utf8) }
    private func code(_ person: PersonID) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Self.message(person), using: senders))
    }
}
