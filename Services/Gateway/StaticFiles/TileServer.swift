package import Configuration
import FoundationEssentials
package import ServiceKit

/// A server of map tiles that the operator shows instead of the community's own maps. Whoever looks at a map then tells it where they look.
package struct TileServer: Encodable, Hashable, Sendable {
    struct Attribution: Encodable, Hashable, Sendable {
        var text: String
        var link: String?
    }

    /// With `{z}`, `{x}` and `{y}`, and `{r}` where there are tiles for fine screens: `https://tiles.example.org/{z}/{x}/{y}{r}.png`.
    let url: String
    let attribution: Attribution
    /// The last zoom that there are tiles of.
    let maxZoom: Int
    /// What `img-src` of the Content-Security-Policy must name besides ourselves; nil where tiles come from our own address.
    package let origin: String?

    private enum CodingKeys: CodingKey { case url, attribution, maxZoom }

    /// Reads `map.tiles.url` and what goes with it; nil where there is none.
    ///
    /// - Throws: `ConfigurationProblem`, which names the setting.
    package init?(_ config: ConfigReader, isSecure: Bool) throws(ConfigurationProblem) {
        guard let url = config.string(forKey: "map.tiles.url"), !url.isEmpty else { return nil }
        origin = try Self.origin(of: url, isSecure: isSecure)
        self.url = url
        guard let text = config.string(forKey: "map.tiles.attribution"), !text.isEmpty, text.count <= 200 else {
            throw .bad("map.tiles.attribution", "must say in 1 to 200 characters whose tiles they are")
        }
        let link = config.string(forKey: "map.tiles.link").flatMap { $0.isEmpty ? nil : $0 }
        if let link, !link.hasPrefix("https://") || URL(string: link)?.host() == nil {
            throw .bad("map.tiles.link", "is no address that begins with https://")
        }
        attribution = Attribution(text: text, link: link)
        maxZoom = config.int(forKey: "map.tiles.maxzoom", default: 19)
        guard (1...22).contains(maxZoom) else { throw .bad("map.tiles.maxzoom", "is not between 1 and 22") }
    }

    /// Scheme, host and port; nil for a path of our own.
    private static func origin(of url: String, isSecure: Bool) throws(ConfigurationProblem) -> String? {
        let bare = ["{z}", "{x}", "{y}", "{r}"].reduce(url) { $0.replacing($1, with: "0") }
        for place in ["{z}", "{x}", "{y}"] where !url.contains(place) {
            throw .bad("map.tiles.url", "has no \(place) in it")
        }
        // A semicolon or a comma would end what the policy says.
        guard bare.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), bare.allSatisfy({ !"{}\"'<>\\^`|;,".contains($0) })
        else {
            throw .bad(
                "map.tiles.url",
                "has other characters in it than an address has, or other places than {z}, {x}, {y} and {r}")
        }
        if url.hasPrefix("/"), !url.hasPrefix("//") { return nil }
        guard url.hasPrefix("https://") || url.hasPrefix("http://"), let parts = URL(string: bare),
            let scheme = parts.scheme, let host = parts.host(), !host.isEmpty, parts.user() == nil
        else { throw .bad("map.tiles.url", "is no address that begins with https://, http:// or /") }
        guard let named = URL(string: url.replacing("{", with: "").replacing("}", with: ""))?.host(), named == host
        else {
            throw .bad("map.tiles.url", "must name one host")
        }
        if isSecure, scheme == "http" {
            throw .bad("map.tiles.url", "must begin with https://, as the pages that show the tiles do")
        }
        return "\(scheme)://\(host)\(parts.port.map { ":\($0)" } ?? "")"
    }
}
