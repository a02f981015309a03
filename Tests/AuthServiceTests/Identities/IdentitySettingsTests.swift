import Foundation
import Testing
import WireProtocol

@testable import AuthService

@Suite struct IdentitySettingsTests {
    private func read(_ text: String) throws -> IdentitySettings { try IdentitySettings.read(Array(text.utf8)) }

    @Test func a_file_names_providers() throws {
        let settings = try read(
            #"""
            {"passwords": false, "providers": [
              {"id": "campus", "name": "Campus Login", "issuer": "https://id.example.org", "client": "kampong", "secret": "tell nobody",
               "emailsAreVerified": true},
              {"id": "other", "name": "Other", "issuer": "http://127.0.0.1:5000/", "client": "k"}]}
            """#)
        #expect(!settings.passwords && settings.providers.map(\.id) == ["campus", "other"])
        #expect(settings.providers[0].secret == "tell nobody" && settings.providers[1].secret == nil)
        #expect(settings.providers[0].emailsAreVerified && !settings.providers[1].emailsAreVerified)
        for text in ["\(settings)", "\(settings.providers)", String(reflecting: settings.providers[0])] {
            #expect(!text.contains("tell nobody") && text.contains("campus"))
        }
    }

    @Test(arguments: [
        "[]", "{}", #"{"providers": [{"id": "a"}]}"#, #"{"passwords": false, "providers": []}"#,
        #"{"providers": [{"id": "A B", "name": "A", "issuer": "https://a.example", "client": "k"}]}"#,
        #"{"providers": [{"id": "a", "name": "A", "issuer": "http://a.example", "client": "k"}]}"#,
        #"{"providers": [{"id": "a", "name": "A", "issuer": "https://a.example?x=1", "client": "k"}]}"#,
        #"{"providers": [{"id": "a", "name": " ", "issuer": "https://a.example", "client": "k"}]}"#,
        #"{"providers": [{"id": "a", "name": "A", "issuer": "https://a.example", "client": "k", "secret": ""}]}"#,
        #"{"providers": [{"id": "a", "name": "A", "issuer": "https://a.example", "client": "k"}, {"id": "a", "name": "B", "issuer": "https://b.example", "client": "k"}]}"#,
    ])
    func a_file_that_will_not_do_is_refused_in_a_sentence(_ text: String) {
        let error = #expect(throws: IdentitySettings.Unreadable.self) { try read(text) }
        #expect(error.map { !$0.reason.isEmpty } == true)
    }
}
