import Foundation
import Hummingbird
import NIOCore
import Synchronization
import TestKit
import Testing
import WebClient

@testable import NotificationService

/// What a gateway is asked, and what its answers mean: files as operators write them, and a server of this test.
@Suite struct SMSGatewayTests {
    private static let message = TextMessage(
        id: UUID(uuidString: "019AA3F2-0002-7077-8F80-92A3B4C5D6E7")!, number: "+6591234567",
        text: "048213 & ist \"dein\" Code für {number}", date: Date(timeIntervalSince1970: 0))

    private func settings(_ json: String, secret: String? = "pass \"word\"") throws -> SMSGatewaySettings {
        try SMSGatewaySettings(Array(json.utf8), secret: secret)
    }

    private func request(_ json: String) throws -> WebRequest { try settings(json).request(for: Self.message) }

    @Test func kannel_is_asked_by_a_query() throws {
        let request = try request(SMSGatewayExamples.kannel(port: 13013))
        #expect(request.body == nil && request.headers.isEmpty)
        #expect(
            request.address.text
                == "http://127.0.0.1:13013/cgi-bin/sendsms?charset=UTF-8&coding=0&from=Kampong&password=pass%20%22word%22"
                + "&text=048213%20%26%20ist%20%22dein%22%20Code%20f%C3%BCr%20%7Bnumber%7D&to=%2B6591234567&username=kampong"
        )
    }

    @Test func twilio_is_asked_by_a_form_with_basic_credentials() throws {
        let request = try request(SMSGatewayExamples.twilio)
        #expect(request.address.text == "https://api.twilio.com/2010-04-01/Accounts/AC0123/Messages.json")
        #expect(
            request.body
                == "Body=048213%20%26%20ist%20%22dein%22%20Code%20f%C3%BCr%20%7Bnumber%7D&From=%2B15005550006&To=%2B6591234567"
        )
        let credentials = Data("AC0123:pass \"word\"".utf8).base64EncodedString()
        #expect(request.headers == ["Authorization: Basic \(credentials)"])
    }

    @Test func a_phone_in_the_house_is_asked_by_json() throws {
        let request = try request(SMSGatewayExamples.android)
        let body = try JSONSerialization.jsonObject(with: Data(try #require(request.body).utf8)) as? NSDictionary
        let wanted: NSDictionary = [
            "id": "019aa3f2-0002-7077-8f80-92a3b4c5d6e7", "phoneNumbers": ["+6591234567"], "ttl": 600,
            "textMessage": ["text": "048213 & ist \"dein\" Code für {number}"],
        ]
        #expect(body == wanted)
        #expect(request.headers.contains("Content-Type: application/json"))
    }

    @Test func a_secret_may_stand_in_a_header_and_a_number_go_without_its_plus_sign() throws {
        let json = """
            {"url": "https://sms.example.org/v2", "headers": {"Authorization": "AccessKey {secret}"},
             "json": {"messages": [{"to": "{digits}", "body": "{text}", "flash": false, "ref": null}]}}
            """
        let request = try settings(json, secret: "s3cr3t").request(for: Self.message)
        #expect(request.headers == ["Authorization: AccessKey s3cr3t", "Content-Type: application/json"])
        #expect(
            request.body?.contains(#""flash":false"#) == true && request.body?.contains(#""to":"6591234567""#) == true)
    }

    @Test(arguments: [
        ("{}", "is not the JSON"), (#"{"url": "https://a.example", "form": {"t": "{text}"}}"#, "says nowhere"),
        (#"{"url": "http://a.example", "form": {"t": "{text}", "n": "{number}"}}"#, "not https"),
        (#"{"url": "https://a.example", "form": {"t": "{text}", "n": "{nubmer}"}}"#, "{nubmer}"),
        (#"{"url": "https://a.example", "form": {"t": "{text}", "n": "{number}", "k": "{secret}"}}"#, "needs a secret"),
        (#"{"url": "https://a.example", "user": "me", "form": {"t": "{text}", "n": "{number}"}}"#, "needs a secret"),
        (#"{"url": "https://a.example", "form": {"t": "{text}{number}"}, "json": "{text}"}"#, "both"),
        (#"{"url": "https://a.example", "headers": {"X": "{text}"}, "query": {"n": "{number}"}}"#, "the header X"),
        (
            #"{"url": "https://a.example", "headers": {"X": "a\r\nY: b"}, "query": {"n": "{number}{text}"}}"#,
            "the header X"
        ),
    ])
    func what_cannot_work_is_said_when_it_is_read(_ json: String, _ words: String) {
        let problem = #expect(throws: SMSGatewaySettings.Problem.self) { try settings(json, secret: nil) }
        #expect(problem?.sentence.contains(words) == true, "\(problem?.sentence ?? "")")
    }

    @Test func what_answers_mean() throws {
        let plain = try settings(SMSGatewayExamples.twilio)
        func failure(_ status: Int, retryAfter: Int? = nil, _ body: String = "+6591234567") -> MailFailure? {
            plain.failure(
                of: WebAnswer(status: status, type: "", bytes: Array(body.utf8), retryAfter: retryAfter))
        }
        for status in [200, 201, 202, 204] { #expect(failure(status) == nil) }
        for status in [400, 401, 403, 404, 413, 422] { #expect(failure(status)?.isFinal == true) }
        for status in [408, 425, 429, 500, 502, 503, 504, 302, 0] { #expect(failure(status)?.isFinal == false) }
        for status in [429, 503] { #expect(failure(status, retryAfter: 7)?.retryAfter == 7) }
        #expect(failure(400)?.reason == "The SMS gateway answers 400.")
        let strict = try settings(
            #"{"url": "https://a.example", "form": {"t": "{text}", "n": "{number}"}, "accepted": "\"success\":true"}"#)
        func verdict(_ body: String) -> MailFailure? {
            strict.failure(of: WebAnswer(status: 200, type: "", bytes: Array(body.utf8)))
        }
        #expect(verdict(#"{"success":true}"#) == nil)
        #expect(verdict(#"{"success":false,"error":"Out of quota"}"#)?.isFinal == false)
    }

    /// Over a real connection: what libcurl makes of it, both ways.
    @Test func a_server_is_asked_and_answers_badly_slowly_and_not_at_all() async throws {
        try await GatewayDouble.run { double in
            let settings = try settings(
                """
                {"url": "\(double.url)", "user": "me", "form": {"to": "{number}", "text": "{text}", "ref": "{id}"}}
                """)
            let gateway = SMSGateway(settings: settings, web: WebClient(name: "sms", atOnce: 2))
            func failure() async throws -> MailFailure? {
                do {
                    try await gateway.deliver(Self.message)
                    return nil
                } catch let failure as MailFailure { return failure }
            }
            #expect(try await failure() == nil)
            let asked = try #require(double.asked.withLock { $0.last })
            #expect(asked.contains("to=%2B6591234567") && asked.contains("Basic ") && asked.hasPrefix("POST"))
            double.answer.withLock { $0 = (.tooManyRequests, "120") }
            #expect(
                try await failure()
                    == MailFailure(isFinal: false, reason: "The SMS gateway answers 429.", retryAfter: 120))
            let date = MailMessage.written(Date() + 300).replacing("+0000", with: "GMT")
            double.answer.withLock { $0 = (.serviceUnavailable, date) }
            let wait = try #require(try await failure()?.retryAfter)
            #expect((270...301).contains(wait), "\(wait)")
            double.answer.withLock { $0 = (.badRequest, nil) }
            #expect(try await failure() == MailFailure(isFinal: true, reason: "The SMS gateway answers 400."))
        }
        // Nobody listens there.
        let nobody = try settings(SMSGatewayExamples.kannel(port: FreePort.next()))
        let gateway = SMSGateway(settings: nobody, web: WebClient(name: "sms", atOnce: 2))
        let failure = await #expect(throws: MailFailure.self) { try await gateway.deliver(Self.message) }
        #expect(failure?.isFinal == false && failure?.reason.contains("does not answer") == true)
        #expect(failure?.reason.contains("6591234567") == false && failure?.reason.contains("pass") == false)
    }

    @Test func a_server_that_takes_its_time_is_given_up_after_a_while() async throws {
        try await GatewayDouble.run { double in
            var settings = try settings(
                #"{"url": "\#(double.url)", "query": {"to": "{number}", "text": "{text}", "k": "{secret}"}}"#)
            settings.timeout = 300
            double.pause.withLock { $0 = .seconds(20) }
            let gateway = SMSGateway(settings: settings, web: WebClient(name: "sms", atOnce: 2))
            let failure = await #expect(throws: MailFailure.self) { try await gateway.deliver(Self.message) }
            #expect(failure?.isFinal == false && failure?.reason.contains("pass") == false)
        }
    }
}

/// Files as README.md has them.
enum SMSGatewayExamples {
    static func kannel(port: Int) -> String {
        """
        {"url": "http://127.0.0.1:\(port)/cgi-bin/sendsms",
         "query": {"username": "kampong", "password": "{secret}", "from": "Kampong", "to": "{number}", "text": "{text}",
                   "charset": "UTF-8", "coding": "0"}}
        """
    }
    static let twilio = """
        {"url": "https://api.twilio.com/2010-04-01/Accounts/AC0123/Messages.json", "user": "AC0123",
         "form": {"To": "{number}", "From": "+15005550006", "Body": "{text}"}}
        """
    static let android = """
        {"url": "http://192.168.1.20:8080/message", "plain": true, "user": "sms",
         "json": {"id": "{id}", "phoneNumbers": ["{number}"], "textMessage": {"text": "{text}"}, "ttl": 600}}
        """
}

/// A server of ours that answers as a test says.
private final class GatewayDouble: Sendable {
    let asked = Mutex<[String]>([])
    let answer = Mutex<(HTTPResponse.Status, String?)>((.ok, nil))
    let pause = Mutex<Duration?>(nil)
    let port = Mutex(0)
    var url: String { "http://127.0.0.1:\(port.withLock { $0 })/send" }

    static func run(_ body: @Sendable @escaping (GatewayDouble) async throws -> Void) async throws {
        let double = GatewayDouble()
        let router = Router()
        for method in [HTTPRequest.Method.get, .post] {
            router.on("send", method: method) { request, _ in
                let text = String(buffer: try await request.body.collect(upTo: 10_000))
                double.asked.withLock {
                    $0.append("\(request.method) \(request.headers[.authorization] ?? "") \(text)")
                }
                if let pause = double.pause.withLock({ $0 }) { try await Task.sleep(for: pause) }
                let (status, retryAfter) = double.answer.withLock { $0 }
                return Response(status: status, headers: retryAfter.map { [.retryAfter: $0] } ?? [:])
            }
        }
        try await LoopbackServer.run(router) { port in
            double.port.withLock { $0 = port }
            try await body(double)
        }
    }
}
