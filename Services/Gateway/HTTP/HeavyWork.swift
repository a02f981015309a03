/// What computes for long (pages, pictures) and so leaves the reactor, where it would hold up everybody else's requests.
package enum HeavyWork {
    /// The rest of `/v1` passes bytes on, and changes fewer threads where the bus already is.
    static func isHeavy(_ path: String) -> Bool {
        !path.hasPrefix("/v1/") || path == "/v1/photos" || path == "/v1/me/export/archive"
    }
}
