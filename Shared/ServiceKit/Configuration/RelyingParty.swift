package import Configuration
import FoundationEssentials

/// Who we are to a passkey: the host name that it belongs to, and the pages that may ask for it (WebAuthn Level 3, 4, "RP ID").
package struct RelyingParty: Hashable, Sendable {
    /// A host's name in lower case; never an address.
    package let id: String
    /// In full: `https://share.example.org`, and those of apps.
    package let origins: Set<String>

    /// - Parameters:
    ///   - publicURL: the address in browsers.
    ///   - apps: origins of the community's own apps, such as `android:apk-key-hash:…`.
    /// - Returns: Nil where browsers know no passkeys: without TLS, but for this machine's own name, and where there is no name.
    package init?(publicURL: String, apps: [String] = []) {
        let (secure, plain) = ("https://", "http://")
        let text = publicURL.lowercased()
        guard let scheme = [secure, plain].first(where: text.hasPrefix) else { return nil }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let host = String(parts[0])
        guard Self.isName(host), scheme == secure || host == "localhost" || host.hasSuffix(".localhost") else {
            return nil
        }
        var origin = scheme + host
        if parts.count == 2 {
            guard let port = UInt16(parts[1]) else { return nil }
            // As browsers write it: without the scheme's own (RFC 6454, 6.2).
            if port != (scheme == secure ? 443 : 80) { origin += ":\(port)" }
        }
        id = host
        origins = Set(apps).union([origin])
    }

    /// What the settings come to; nil where there are no passkeys here.
    package init?(_ config: ConfigReader) {
        guard let url = config.string(forKey: "public.url") else { return nil }
        let apps = (config.stringArray(forKey: "passkeys.origins") ?? []).filter { !$0.isEmpty }
        self.init(publicURL: url, apps: apps)
    }

    /// Labels of letters, digits and hyphens; what ends in a number is an IPv4 address to a browser (URL Standard, "ends in a number").
    private static func isName(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, let last = labels.last, !last.allSatisfy(\.isNumber), !last.hasPrefix("0x") else {
            return false
        }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy {
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
                }
        }
    }
}
