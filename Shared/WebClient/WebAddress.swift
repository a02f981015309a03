import FoundationEssentials

/// An address in the web that may be asked: `https`, or `http` on this machine itself and where the operator allows it.
package struct WebAddress: Hashable, Sendable {
    package let text: String
    /// Whether it is `http`.
    package let isPlain: Bool
    /// A name, or an address without brackets; in lower case.
    package let host: String
    package let port: Int
    /// `https://id.example.org:8443`.
    package let origin: String

    /// Nil for other schemes, and for what carries a user or a fragment.
    ///
    /// - Parameter plain: Whether `http` may leave this machine: within a network that the operator trusts.
    package init?(_ text: String, plain: Bool = false) {
        guard (1...2000).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }),
            let url = URL(string: text), let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased(),
            !host.isEmpty, url.user() == nil, url.password() == nil, url.fragment() == nil
        else { return nil }
        let isPlain = scheme == "http"
        guard scheme == "https" || isPlain && (plain || Self.isThisMachine(host)) else { return nil }
        self.text = text
        self.isPlain = isPlain
        self.host = host.trimmingBrackets
        port = url.port ?? (isPlain ? 80 : 443)
        let bracketed = self.host.contains(":") ? "[\(self.host)]" : self.host
        origin = "\(scheme)://\(bracketed):\(port)"
    }

    /// `id.example.org:8443`, with the port that its scheme has anyway.
    package var authority: String { String(origin.drop { $0 != "/" }.dropFirst(2)) }

    /// By its name in the address, not by what that resolves to: a name server must not lift the demand for TLS.
    private static func isThisMachine(_ host: String) -> Bool {
        let host = host.trimmingBrackets
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil && !$0.hasPrefix("+") }
    }

    /// As forms and queries are written (RFC 3986's unreserved characters stay).
    package static func encoded(_ pairs: [(String, String)]) -> String {
        pairs.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
    }

    package static func encoded(_ text: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        return text.utf8.map { byte in
            if plain.contains(byte) { return String(UnicodeScalar(byte)) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}

extension String {
    fileprivate var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}
