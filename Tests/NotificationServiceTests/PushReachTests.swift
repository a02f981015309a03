import Testing
import WebClient
import WireProtocol

@testable import NotificationService

/// Where a browser may say that its server is.
@Suite struct PushReachTests {
    private let web = WebClient(name: "look", atOnce: 2)

    @Test(arguments: [
        "http://push.example.net/x", "http://127.0.0.1/x", "http://localhost/x", "ftp://push.example.net/x",
        "push.example.net", "https://me:secret@push.example.net/x", "https://me@push.example.net/x",
        "https://push.example.net/x#y", "https:///x",
        "https://push.example.net/a b", "https://push.example.net/\u{0}", "https://push.example.net/ü", "",
        "file:///etc/passwd", "https://push.example.net\\@127.0.0.1/", "javascript:alert(1)",
    ])
    func these_are_no_addresses(_ endpoint: String) async throws {
        #expect(PushReach().address(endpoint) == nil)
        await #expect(throws: ServiceError.self) { try await PushReach().check(endpoint, with: web) }
    }

    @Test(arguments: [
        "https://127.0.0.1/x", "https://127.1/x", "https://2130706433/x", "https://0x7f000001/x", "https://localhost/x",
        "https://10.0.0.7/x", "https://192.168.1.1/x", "https://172.16.0.1/x", "https://169.254.169.254/latest",
        "https://100.64.0.1/x", "https://0.0.0.0/x", "https://224.0.0.1/x", "https://[::1]/x",
        "https://[::ffff:127.0.0.1]/x",
        "https://[::ffff:10.0.0.7]/x", "https://[fe80::1]/x", "https://[fd00::1]/x", "https://[ff02::1]/x",
    ])
    func these_lead_inside(_ endpoint: String) async throws {
        let refusal = await #expect(throws: ServiceError.self) { try await PushReach().check(endpoint, with: web) }
        #expect(refusal?.code == .invalid && refusal?.errors.map(\.field) == ["endpoint"])
        // Nor does a connection go there, whatever was looked at before.
        guard let address = PushReach().address(endpoint) else { return }
        var request = PushReach().request(address)
        request.timeout = 1000
        await #expect(throws: WebFailure.self) { try await web.send(request) }
    }

    @Test func these_may_be() async throws {
        for endpoint in ["https://1.1.1.1/x", "https://[2606:4700::1111]/x?y=z", "https://8.8.8.8:8443/x"] {
            #expect(try await PushReach().check(endpoint, with: web).text == endpoint)
        }
    }

    @Test func an_operator_may_name_servers_inside_by_host_and_port() async throws {
        let reach = PushReach(privateHosts: ["127.0.0.1:9000", "push.internal:443"])
        #expect(try await reach.check("http://127.0.0.1:9000/x", with: web).isPlain)
        #expect(try await reach.check("https://push.internal/x", with: web).port == 443)
        for other in ["http://127.0.0.1:9001/x", "https://127.0.0.1/x", "http://push.internal/x"] {
            await #expect(throws: ServiceError.self) { try await reach.check(other, with: web) }
        }
    }

    @Test func nobody_is_there() async throws {
        let refusal = await #expect(throws: ServiceError.self) {
            try await PushReach().check("https://nobody.invalid/x", with: web)
        }
        #expect(refusal?.errors.map(\.code) == ["unreachable"])
    }
}
