import Foundation
import Synchronization
import Testing
import WireProtocol

@testable import KampongClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where calls go, and what they say there. One after the other: there is one notebook. Each vertical has its own file.
@Suite(.serialized) struct CallTests {
    /// What arrives at a server that takes everything; that it answers nothing is no matter.
    func arrives(_ call: (KampongClient) async throws -> Void) async -> Notebook.Page? {
        Notebook.pages.withLock { $0 = [] }
        let configuration = KampongClient.defaultConfiguration
        configuration.protocolClasses = [Notebook.self]
        let client = KampongClient(
            baseURL: URL(string: "http://kampong.example")!,
            tokens: SessionTokens(accessToken: "access", refreshToken: "refresh", expiresIn: 300), retry: .never,
            configuration: configuration)
        defer { client.close() }
        try? await call(client)
        return Notebook.pages.withLock { $0.last }
    }
}

/// A server that notes what comes and answers nothing of use.
final class Notebook: URLProtocol {
    struct Page: Hashable, Sendable {
        var method: String
        var path: String
        var query: String

        init(_ method: String, _ path: String, _ query: String = "") {
            self.method = method
            self.path = path
            self.query = query
        }
    }
    static let pages = Mutex<[Page]>([])

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        guard let url = request.url else { return }
        let page = Page(
            request.httpMethod ?? "", url.path(), url.query(percentEncoded: false) ?? "")
        Self.pages.withLock { $0.append(page) }
        let response = HTTPURLResponse(url: url, statusCode: 204, httpVersion: nil, headerFields: nil)
        if let response { client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed) }
        client?.urlProtocolDidFinishLoading(self)
    }
}
