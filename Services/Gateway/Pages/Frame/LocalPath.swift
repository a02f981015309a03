import FoundationEssentials
import WireProtocol

/// Addresses to come back to: on this site only, whoever wrote the link.
enum LocalPath {
    /// Where one comes who has signed in and wanted nowhere in particular: home, where it says what waits for them.
    static let landing = "/"

    /// Bytes: a search for the most that may be typed, each letter of it percent-encoded, is not lost.
    private static let longest = 8_000

    /// A path with its query, or nil where it leads away, back to the door, or to something that is no page.
    /// - Parameter door: whether the pages that one signs in and joins on count too.
    static func from(_ text: String?, door: Bool = false) -> String? {
        guard let text, text.hasPrefix("/"), text.utf8.count <= longest,
            // `//host` and `/\host` lead to other sites; browsers drop tabs and line breaks before they look.
            !text.hasPrefix("//"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return nil }
        let path = text.prefix { $0 != "?" && $0 != "#" }
        let elsewhere =
            ["/sign-out", "/v1", "/photos", "/assets", "/language", "/me/alive", "/me/pass", "/sw.js", "/offline"]
            + (door ? [] : ["/sign-in", "/join", "/forgot-password", "/new-password"])
        return elsewhere.contains { path == $0 || path.hasPrefix($0 + "/") } ? nil : text
    }

    /// The path of a whole address (`Referer`, `HX-Current-URL`).
    static func of(address: String?) -> String? {
        guard let address, let scheme = address.firstRange(of: "://") else { return nil }
        let rest = address[scheme.upperBound...]
        return from(rest.firstIndex(of: "/").map { String(rest[$0...].prefix { $0 != "#" }) })
    }

    /// `?next=…` for a link, empty where there is nothing to come back to.
    static func query(next: String?) -> String {
        guard let next, next != "/" else { return "" }
        return "?next=\(encoded(next))"
    }

    static func encoded(_ text: String) -> String { text.percentEncoded }
}
