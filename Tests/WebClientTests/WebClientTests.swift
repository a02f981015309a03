import Hummingbird
import NIOCore
import TestKit
import Testing

@testable import WebClient

/// Requests to a server of this test.
@Suite struct WebClientTests {
    private let client = WebClient(name: "test", atOnce: 2)

    /// Runs a server as long as `body` does, which gets its address.
    private func withServer(_ body: @Sendable @escaping (String) async throws -> Void) async throws {
        let router = Router()
        router.get("hello") { request, _ in "\(request.headers[.accept] ?? "none")" }
        router.post("echo") { request, _ in
            String(buffer: try await request.body.collect(upTo: 1000)) + " " + (request.headers[.authorization] ?? "")
        }
        router.get("long") { _, _ in String(repeating: "x", count: 5000) }
        router.get("slow") { _, _ in
            try await Task.sleep(for: .seconds(30))
            return "late"
        }
        router.get("away") { _, _ in Response(status: .found, headers: [.location: "/hello"]) }
        try await LoopbackServer.run(router) { try await body("http://127.0.0.1:\($0)") }
    }

    private func request(_ address: String, _ change: (inout WebRequest) -> Void = { _ in }) throws -> WebRequest {
        var request = WebRequest(try #require(WebAddress(address)))
        change(&request)
        return request
    }

    @Test func answers_come_with_status_and_bytes() async throws {
        try await withServer { (server) async throws in
            let hello = try await client.send(request("\(server)/hello") { $0.headers = ["Accept: application/json"] })
            #expect(hello.status == 200 && hello.type.hasPrefix("text/plain"))
            #expect(String(decoding: hello.bytes, as: UTF8.self) == "application/json")
            let echo = try await client.send(
                request("\(server)/echo") { ($0.body, $0.headers) = ("a=%26", ["Authorization: Bearer x"]) })
            #expect(String(decoding: echo.bytes, as: UTF8.self) == "a=%26 Bearer x")
            #expect(try await client.send(request("\(server)/nothing")).status == 404)
        }
    }

    @Test func what_is_too_long_or_too_slow_is_no_answer() async throws {
        try await withServer { (server) async throws in
            #expect(try await client.send(request("\(server)/long") { $0.mostBytes = 5000 }).bytes.count == 5000)
            let long = await #expect(throws: WebFailure.self) {
                try await client.send(request("\(server)/long") { $0.mostBytes = 4999 })
            }
            #expect(long?.description == "the answer is longer than 4999 bytes")
            await #expect(throws: WebFailure.self) {
                try await client.send(request("\(server)/slow") { $0.timeout = 200 })
            }
        }
    }

    @Test func redirects_are_not_followed_unless_it_is_said_and_then_to_https_only() async throws {
        try await withServer { (server) async throws in
            #expect(try await client.send(request("\(server)/away")).status == 302)
            await #expect(throws: WebFailure.self) {
                try await client.send(request("\(server)/away") { $0.redirects = 3 })
            }
        }
    }

    /// The same address, that answers otherwise.
    @Test func nothing_inside_is_connected_to_for_strangers() async throws {
        try await withServer { (server) async throws in
            #expect(try await client.send(request("\(server)/hello")).status == 200)
            for host in ["127.0.0.1", "localhost"] {
                let address = server.replacing("127.0.0.1", with: host)
                await #expect(throws: WebFailure.self) {
                    try await client.send(request("\(address)/hello") { $0.reach = .publicOnly })
                }
            }
        }
    }
}
