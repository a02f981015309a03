import Crypto
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the links in mails carry: a person and a kind, with a MAC that nobody else can make. Nothing of them is kept, and they are good for
/// as long as the service has its key: a mail may be years old when somebody has had enough.
struct UnsubscribeTokens: Sendable {
    struct Named: Hashable, Sendable {
        var person: PersonID
        /// Nil for mails of all kinds.
        var kind: InboxNoticeKind?
    }

    private let key: SymmetricKey

    /// - Parameter secret: of this service, and kept by it.
    init(secret: [UInt8]) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Array("kampong notification unsubscribe 1".utf8),
            outputByteCount: 32)
    }

    /// `<person>.<kind>.<MAC>`: safe in the path of an address.
    func token(for named: Named) -> String {
        let plain = Self.plain(named)
        let mac = HMAC<SHA256>.authenticationCode(for: Data(plain.utf8), using: key)
        return "\(plain).\(Base64URL.encode(Array(mac)))"
    }

    /// Nil for what is none of ours.
    func named(by token: String) -> Named? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard token.utf8.count <= 200, parts.count == 3, let person = PersonID(parts[0]),
            let mac = Base64URL.decode(parts[2])
        else { return nil }
        let kind = InboxNoticeKind(rawValue: parts[1])
        guard kind != nil || parts[1] == Self.all else { return nil }
        let named = Named(person: person, kind: kind)
        // One text for one token: upper case and other spellings of an id are not ours.
        guard Self.plain(named) == "\(parts[0]).\(parts[1])",
            HMAC<SHA256>.isValidAuthenticationCode(mac, authenticating: Data(Self.plain(named).utf8), using: key)
        else { return nil }
        return named
    }

    private static var all: String { "all" }

    private static func plain(_ named: Named) -> String { "\(named.person).\(named.kind?.rawValue ?? all)" }
}
