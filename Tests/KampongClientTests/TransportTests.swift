import Foundation
import Synchronization
import Testing
import WireProtocol

@testable import KampongClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a call says at last, after attempts that ended differently.
@Suite(.serialized) struct TransportTests {
    private static let spot = SpotID.new()

    /// Calls a server that answers like this, one answer for each attempt, and says what came of it.
    private func outcome(_ answers: Answer...) async -> (any Error)? {
        Script.answers.withLock { $0 = answers }
        let configuration = KampongClient.defaultConfiguration
        configuration.protocolClasses = [Script.self]
        let client = KampongClient(
            baseURL: URL(string: "http://kampong.example")!,
            tokens: SessionTokens(accessToken: "access", refreshToken: "refresh", expiresIn: 300),
            retry: RetryPolicy(attempts: 3, firstWait: .milliseconds(1)), configuration: configuration)
        defer { client.close() }
        do {
            try await client.removeSpot(Self.spot)
            return nil
        } catch { return error }
    }

    private func code(_ answers: Answer...) async -> ErrorCode? {
        (await outcome(answers[0], answers.count > 1 ? answers[1] : answers[0], answers.last!) as? Problem)?.code
    }

    @Test func what_was_surely_not_done_is_said_to_be_so() async {
        #expect(await code(.refuses(503, .unavailable)) == .unavailable)
        let error = await outcome(.isNotThere, .isNotThere, .isNotThere) as? Unreachable
        #expect(error?.outcomeUnknown == false)
    }

    @Test func no_later_attempt_takes_back_that_an_earlier_one_may_have_been_done() async {
        #expect(await code(.refuses(503, .outcomeUnknown), .refuses(503, .unavailable)) == .outcomeUnknown)
        #expect(await code(.refuses(503, .outcomeUnknown), .refuses(429, .tooManyRequests)) == .outcomeUnknown)
        let cut = await outcome(.breaksOff, .refuses(503, .unavailable), .isNotThere) as? Unreachable
        #expect(cut?.outcomeUnknown == true)
    }

    @Test func neither_does_a_session_that_cannot_be_renewed() async {
        // The second attempt finds the token expired, and auth is away; so does the third.
        let expired = Answer.refuses(401, .unauthenticated)
        let error = await outcome(
            .breaksOff, expired, .refuses(503, .unavailable), expired, .refuses(503, .unavailable))
        #expect((error as? Unreachable)?.outcomeUnknown == true)
        #expect(await code(expired, .refuses(401, .unauthenticated)) == .unauthenticated)
    }

    @Test func the_refusal_of_the_service_is_final_because_it_has_looked_for_the_earlier_attempt() async {
        #expect(await code(.breaksOff, .refuses(409, .wrongState)) == .wrongState)
    }

    @Test func an_attempt_that_succeeds_ends_it() async {
        #expect(await outcome(.breaksOff, .refuses(503, .outcomeUnknown), .succeeds) == nil)
    }
}

/// When a stream goes on, and when it is over.
extension TransportTests {
    private func listen(_ answers: Answer...) async -> (heard: [String], end: Int?) {
        Script.answers.withLock { $0 = answers }
        let configuration = KampongClient.defaultConfiguration
        configuration.protocolClasses = [Script.self]
        let client = KampongClient(
            baseURL: URL(string: "http://kampong.example")!,
            tokens: SessionTokens(accessToken: "access", refreshToken: "refresh", expiresIn: 300),
            retry: .never, configuration: configuration)
        defer { client.close() }
        var heard: [String] = []
        do {
            for try await event in client.events() {
                heard.append(event.name)
                if event.name == "last" { break }
            }
        } catch { return (heard, (error as? Problem)?.status) }
        return (heard, nil)
    }

    @Test func a_stream_outlives_a_token_that_cannot_be_renewed_just_now() async {
        let (heard, end) = await listen(
            .streams("first"), .refuses(401, .unauthenticated), .refuses(503, .unavailable),
            .refuses(401, .unauthenticated), .isNotThere, .streams("last"))
        #expect(heard == ["first", "last"] && end == nil)
    }

    @Test func a_heartbeat_is_no_event() async {
        #expect(await listen(.streams("beat"), .streams("last")).heard == ["last"])
    }

    @Test func a_stream_ends_with_the_session_and_with_what_will_not_get_better() async {
        let over = await listen(
            .streams("first"), .refuses(401, .unauthenticated), .refuses(401, .unauthenticated), .streams("last"))
        #expect(over.heard == ["first"] && over.end == 401)
        let gone = await listen(.refuses(404, .notFound), .streams("last"))
        #expect(gone.heard.isEmpty && gone.end == 404)
        let busy = await listen(.refuses(503, .unavailable), .refuses(429, .tooManyRequests), .streams("last"))
        #expect(busy.heard == ["last"])
    }
}

enum Answer: Sendable {
    case succeeds
    /// One event of this name, and then the line is cut.
    case streams(String)
    case refuses(Int, ErrorCode)
    /// Nobody listens there.
    case isNotThere
    /// The connection is lost after the request was sent.
    case breaksOff
}

/// A server that follows a script.
final class Script: URLProtocol {
    static let answers = Mutex<[Answer]>([])

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        switch Self.answers.withLock({ $0.isEmpty ? .isNotThere : $0.removeFirst() }) {
        case .succeeds: answer(204, Data())
        case .streams(let name): answer(200, Data("id: 1\nevent: \(name)\ndata: {}\n\n".utf8))
        case .refuses(let status, let code):
            let problem = Problem(
                type: "about:blank", title: "", status: status, code: code, detail: "", errors: [])
            answer(status, Data((try? WireJSON.encode(problem)) ?? []))
        case .isNotThere: client?.urlProtocol(self, didFailWithError: URLError(.notConnectedToInternet))
        case .breaksOff: client?.urlProtocol(self, didFailWithError: URLError(.networkConnectionLost))
        }
    }

    private func answer(_ status: Int, _ body: Data) {
        let response = HTTPURLResponse(url: request.url!, statusCode: status, httpVersion: nil, headerFields: nil)!
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: body)
        client?.urlProtocolDidFinishLoading(self)
    }
}
