import Crypto
import FoundationEssentials
import WireProtocol

/// What the links in mails carry: a person and the kinds that stood in the mail, with a MAC that nobody else can make. Nothing of them is kept, and
/// they are good for as long as the service has its key: a mail may be years old when somebody has had enough.
struct UnsubscribeTokens: Sendable {
    struct Named: Hashable, Sendable {
        var person: PersonID
        /// Nil for mails of all kinds, as links of earlier mails say where several kinds stood in them.
        var kinds: Set<InboxNoticeKind>?
    }

    /// With all kinds of which there are mails it is less.
    private static let longest = 600

    private let key: SymmetricKey
    private let kinds: NoticeKinds

    /// - Parameter secret: of this service, and kept by it.
    init(secret: [UInt8], kinds: NoticeKinds = .all) {
        self.kinds = kinds
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Array("kampong notification unsubscribe 1".utf8),
            outputByteCount: 32)
    }

    /// `<person>.<kind>-<kind>.<MAC>`: safe in the path of an address.
    func token(for named: Named) -> String {
        let names = named.kinds.map { kinds.kinds.filter($0.contains).map(\.rawValue).joined(separator: "-") }
        let plain = "\(named.person).\(names ?? Self.all)"
        let mac = HMAC<SHA256>.authenticationCode(for: Data(plain.utf8), using: key)
        return "\(plain).\(Base64URL.encode(Array(mac)))"
    }

    /// Nil for what is none of ours.
    func named(by token: String) -> Named? {
        guard token.utf8.count <= Self.longest else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        // Of the very text that was given: another spelling of an id or another order of kinds is none of ours.
        guard parts.count == 3, let person = PersonID(parts[0]), let mac = Base64URL.decode(parts[2]),
            HMAC<SHA256>.isValidAuthenticationCode(
                mac, authenticating: Data("\(parts[0]).\(parts[1])".utf8), using: key)
        else { return nil }
        guard parts[1] != Self.all else { return Named(person: person, kinds: nil) }
        // A kind that there is no more has no mails; the others of the same mail are still ended.
        let named = parts[1].split(separator: "-").map { InboxNoticeKind(rawValue: String($0)) }.filter(kinds.knows)
        return named.isEmpty ? nil : Named(person: person, kinds: Set(named))
    }

    private static let all = "all"
}
