import Crypto
import Foundation
import TestKit
import Testing
import WebClient
import WireProtocol

@testable import NotificationService

/// What apps are told, by servers that speak as Apple's and Google's do.
@Suite struct AppPushTests {
    private static let now = Date()

    private func letter(_ kind: InboxNoticeKind = .message) throws -> PushLetter {
        let notice = PushBench.notice(kind, count: 2, title: "Car park")
        let delivery = PushDelivery(
            id: UUID(), device: UUID(), person: .new(), notice: notice, unread: 4, attempts: 1,
            expiresAt: Self.now + 3600)
        return PushLetter(
            message: try PushBench.composer().message(for: delivery, in: "en", isBrief: false),
            topic: String(repeating: "t", count: 32), expiresAt: delivery.expiresAt, now: Self.now)
    }

    private func failure(_ transport: some PushTransport, _ target: PushTarget) async throws -> PushFailure? {
        do {
            try await transport.deliver(try letter(), to: target)
            return nil
        } catch let failure as PushFailure { return failure }
    }

    @Test func apple_is_asked_by_http_2_and_with_one_token_for_all() async throws {
        try await AppServers.run { servers in
            var settings = APNSSettings(
                key: try P256.Signing.PrivateKey(pemRepresentation: servers.appleKey), keyID: "KEY1234567",
                team: "TEAM123456", topic: "org.example.village")
            settings.url = "https://localhost:\(servers.apple)"
            settings.certificates = servers.certificate
            let transport = APNSTransport(settings: settings, web: WebClient(name: "apns", atOnce: 2))
            func told(_ beginning: String) async throws -> PushFailure? {
                try await failure(transport, .apns(token: beginning + String(repeating: "0", count: 62)))
            }
            for beginning in ["ff", "fe"] { #expect(try await told(beginning) == nil) }
            let received = try servers.received()
            let first = try #require(received.first)
            #expect(first.version == "2" && first.path == "/3/device/ff" + String(repeating: "0", count: 62))
            #expect(first.claims["iss"] == .text("TEAM123456") && first.claims["kid"] == .text("KEY1234567"))
            #expect(first.claims["iat"] == .number(Int(Self.now.timeIntervalSince1970)))
            #expect(first.headers["apns-topic"] == "org.example.village" && first.headers["apns-push-type"] == "alert")
            #expect(first.headers["apns-priority"] == "10")
            #expect(first.headers["apns-expiration"] == String(Int(Self.now.timeIntervalSince1970) + 3600))
            #expect(first.headers["apns-collapse-id"]?.count == 32)
            #expect(Set(received.map { $0.headers["authorization"] }).count == 1)
            let body = try JSONSerialization.jsonObject(with: Data(first.body.utf8)) as? [String: Any]
            let aps = try #require(body?["aps"] as? [String: Any])
            let alert: NSDictionary = ["title": "Ben Ong", "body": "2 new messages about “Car park”"]
            #expect(aps["alert"] as? NSDictionary == alert && aps["badge"] as? Int == 4)
            #expect(body?["link"] as? String == "/messages/1" && body?["kind"] as? String == "message")

            #expect(try await told("a1") == PushFailure(kind: .gone, reason: "Apple answers 410 (Unregistered)."))
            #expect(try await told("a2") == PushFailure(kind: .gone, reason: "Apple answers 400 (BadDeviceToken)."))
            #expect(
                try await told("a3") == PushFailure(kind: .later(90), reason: "Apple answers 429 (TooManyRequests)."))
            #expect(try await told("a4")?.kind == .tooLong)
            #expect(try await told("a5")?.kind == .final)
            #expect(try await told("a6")?.kind == .later(nil))
        }
    }

    @Test func google_opens_for_an_hour_and_is_told_then() async throws {
        try await AppServers.run { servers in
            var settings = try FCMSettings(servers.googleAccount)
            settings.url = "http://127.0.0.1:\(servers.google)"
            let transport = FCMTransport(settings: settings, web: WebClient(name: "fcm", atOnce: 4))
            func told(_ kind: String) async throws -> PushFailure? {
                try await failure(transport, .fcm(token: "\(kind)-\(String(repeating: "x", count: 30))"))
            }
            // Many at once are let in by one token.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        let failure = try await told("fine\(number)")
                        #expect(failure == nil)
                    }
                }
                try await group.waitForAll()
            }
            let received = try servers.received()
            let token = try #require(received.first { $0.server == "tokens" })
            #expect(received.filter { $0.server == "tokens" }.count == 1)
            #expect(token.body == "urn:ietf:params:oauth:grant-type:jwt-bearer")
            #expect(token.claims["iss"] == .text("push@village-1.iam.gserviceaccount.com"))
            #expect(token.claims["aud"] == .text("http://127.0.0.1:\(servers.google)/token"))
            #expect(token.claims["scope"] == .text("https://www.googleapis.com/auth/firebase.messaging"))
            #expect(token.claims["kid"] == .text("k1"))
            let sent = try #require(received.first { $0.server == "google" })
            #expect(sent.path == "/v1/projects/village-1/messages:send")
            #expect(sent.headers["authorization"] == "Bearer opens-1")
            let body = try JSONSerialization.jsonObject(with: Data(sent.body.utf8)) as? [String: Any]
            let message = try #require(body?["message"] as? [String: Any])
            let words: NSDictionary = ["title": "Ben Ong", "body": "2 new messages about “Car park”"]
            #expect(message["notification"] as? NSDictionary == words)
            let data = try #require(message["data"] as? [String: String])
            #expect(data["link"] == "/messages/1" && data["unread"] == "4")
            let android = try #require(message["android"] as? [String: Any])
            #expect(android["ttl"] as? String == "3600s" && android["priority"] as? String == "HIGH")

            #expect(
                try await told("unregistered") == PushFailure(kind: .gone, reason: "Google answers 404 (UNREGISTERED)."))
            #expect(try await told("invalid")?.kind == .final)
            #expect(
                try await told("busy") == PushFailure(kind: .later(75), reason: "Google answers 429 (QUOTA_EXCEEDED)."))
            #expect(try await told("away")?.kind == .later(nil))
            // What no longer opens is asked for anew.
            #expect(try await told("expired")?.kind == .later(nil))
            #expect(try await told("expired") == nil)
            #expect(try servers.received().filter { $0.server == "tokens" }.count == 2)
        }
    }
}
