import HTTPTypes
import Hummingbird

/// Puts on every answer what keeps browsers from being used against people.
package struct SecurityHeaders: Sendable {
    private let fields: HTTPFields

    /// - Parameters:
    ///   - secure: whether browsers reach us by TLS, so that they can be told to insist on it.
    ///   - tiles: where the operator's tile server is, whose pictures maps then show.
    package init(secure: Bool, tiles: String? = nil) {
        var fields = HTTPFields()
        fields[Self.name("Content-Security-Policy")] = Self.policy(tiles: tiles)
        fields[Self.name("X-Content-Type-Options")] = "nosniff"
        // Not no-referrer: then browsers send `Origin: null` with our own forms.
        fields[Self.name("Referrer-Policy")] = "same-origin"
        fields[Self.name("Permissions-Policy")] =
            "camera=(self), geolocation=(self), publickey-credentials-create=(self), publickey-credentials-get=(self), "
            + "microphone=(), payment=(), usb=(), browsing-topics=()"
        fields[Self.name("Cross-Origin-Opener-Policy")] = "same-origin"
        fields[Self.name("Cross-Origin-Resource-Policy")] = "same-origin"
        if secure { fields[Self.name("Strict-Transport-Security")] = "max-age=31536000; includeSubDomains" }
        self.fields = fields
    }

    package static func policy(tiles: String?) -> String {
        let images = "img-src 'self' data: blob:" + (tiles.map { " " + $0 } ?? "")
        return (["default-src 'self'", images] + others).joined(separator: "; ")
    }

    private static let others = [
        "script-src 'self'", "style-src 'self'",
        "connect-src 'self'", "media-src 'self' blob:", "worker-src 'self'", "manifest-src 'self'", "object-src 'none'",
        "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'",
    ]

    func add(to response: inout Response) {
        for field in fields where response.headers[field.name] == nil { response.headers.append(field) }
    }

    private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text)! }
}
