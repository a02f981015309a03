import Crypto
import Foundation
import ServiceKit
import TestKit
import Testing

@testable import NotificationService

/// What an operator may set about push, and what is refused in one sentence.
@Suite struct PushConfigurationTests {
    private func read(_ settings: [String: String], url: String = "https://share.example.org/") async throws
        -> PushConfiguration
    {
        let environment = settings.reduce(into: ["KAMPONG_PUBLIC_URL": url, "KAMPONG_MAIL_FOLDER": "/mail"]) {
            $0["KAMPONG_PUSH_\($1.key)"] = $1.value
        }
        let config = try await Settings.load(arguments: [], environment: environment).config
        return try PushConfiguration(config, public: try NotificationConfiguration(config))
    }

    @Test func browsers_are_reached_without_a_setting() async throws {
        let plain = try await read([:])
        #expect(plain.contact == "https://share.example.org" && plain.reach.privateHosts.isEmpty)
        #expect(plain.apns == nil && plain.fcm == nil)
        #expect(try await read([:], url: "http://localhost:8080").contact == "mailto:kampong@localhost")
        let set = try await read([
            "CONTACT": "mailto:village@example.org", "PRIVATE_HOSTS": "127.0.0.1:9000, push.internal:443",
        ])
        #expect(set.contact == "mailto:village@example.org")
        #expect(set.reach.privateHosts == ["127.0.0.1:9000", "push.internal:443"])
    }

    @Test func apps_are_reached_by_the_files_that_apple_and_google_give() async throws {
        let directory = try TemporaryDirectory()
        let key = try directory.write("key.p8", P256.Signing.PrivateKey().pemRepresentation)
        let apple = try await read([
            "APNS_KEYFILE": key, "APNS_KEYID": "KEY1234567", "APNS_TEAM": "TEAM123456",
            "APNS_TOPIC": "org.example.village", "APNS_URL": "https://api.sandbox.push.apple.com/",
        ])
        #expect(apple.apns?.topic == "org.example.village" && apple.apns?.url == "https://api.sandbox.push.apple.com")
        await #expect(throws: ConfigurationProblem.self) { try await read(["APNS_KEYFILE": key]) }
    }

    @Test(arguments: [
        ("CONTACT", "village@example.org"), ("CONTACT", "http://example.org"), ("CONTACT", "mailto:nobody"),
        ("PRIVATE_HOSTS", "127.0.0.1"), ("PRIVATE_HOSTS", "https://127.0.0.1:9"), ("PRIVATE_HOSTS", "a b:9"),
        ("APNS_KEYFILE", "/nowhere"), ("APNS_KEYFILE", "/etc/hostname"), ("FCM_ACCOUNTFILE", "/nowhere"),
        ("FCM_ACCOUNTFILE", "/etc/hostname"),
    ])
    func what_cannot_work_is_refused(_ key: String, _ value: String) async throws {
        await #expect(throws: ConfigurationProblem.self) { try await read([key: value]) }
    }
}
