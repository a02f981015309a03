import ServiceKit
import Testing

/// Where there are passkeys, and to whom they belong.
@Suite struct RelyingPartyTests {
    @Test(arguments: [
        ("https://share.example.org", "share.example.org", "https://share.example.org"),
        ("https://Share.Example.ORG/", "share.example.org", "https://share.example.org"),
        ("https://share.example.org:443", "share.example.org", "https://share.example.org"),
        ("https://share.example.org:8443/kampong?x#y", "share.example.org", "https://share.example.org:8443"),
        ("https://intranet", "intranet", "https://intranet"),
        ("https://xn--kln-sna.example", "xn--kln-sna.example", "https://xn--kln-sna.example"),
        ("http://localhost:8080", "localhost", "http://localhost:8080"),
        ("http://localhost", "localhost", "http://localhost"),
        ("http://kampong.localhost:80", "kampong.localhost", "http://kampong.localhost"),
    ])
    func a_name_with_tls_or_this_machine(_ url: String, _ id: String, _ origin: String) throws {
        let party = try #require(RelyingParty(publicURL: url))
        #expect(party.id == id && party.origins == [origin])
    }

    @Test(arguments: [
        "http://share.example.org", "https://192.0.2.1", "https://192.0.2.1:8443", "https://[2001:db8::1]:8443",
        "http://127.0.0.1:8080", "https://0x7f.1", "https://example.0x1", "https://1", "https://", "https://-a.example",
        "https://a..example", "https://share.example.org.", "https://a_b.example", "https://köln.example",
        "share.example.org",
        "ftp://localhost", "https://share.example.org:port", "https://user@share.example.org", "",
        "http://localhost.example",
    ])
    func anything_else_has_none(_ url: String) {
        #expect(RelyingParty(publicURL: url) == nil)
    }

    @Test func apps_have_origins_of_their_own() async throws {
        let (config, _) = try await Settings.load(
            arguments: [],
            environment: [
                "KAMPONG_PUBLIC_URL": "https://share.example.org",
                "KAMPONG_PASSKEYS_ORIGINS": "android:apk-key-hash:abc,android:apk-key-hash:def",
            ])
        #expect(
            RelyingParty(config)?.origins == [
                "https://share.example.org", "android:apk-key-hash:abc", "android:apk-key-hash:def",
            ])
        let (none, _) = try await Settings.load(arguments: [], environment: [:])
        #expect(RelyingParty(none) == nil)
    }
}
