import Foundation
import WireProtocol

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum Verb: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
}

/// Sends one call, again where that is safe and makes sense, and reads the answer or the problem.
struct Transport: Sendable {
    let baseURL: URL
    let retry: RetryPolicy
    let session: URLSession

    func send<Reply: Decodable & Sendable>(
        _ verb: Verb, _ path: String, query: [URLQueryItem] = [], body: (any Encodable & Sendable)? = nil,
        key: String? = nil, token: String? = nil, as type: Reply.Type = Reply.self
    ) async throws -> Reply {
        var request = self.request(verb, path, query: query, token: token)
        if let key { request.setValue(key, forHTTPHeaderField: "Idempotency-Key") }
        if let body {
            request.httpBody = Data(try WireJSON.encode(body))
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        // Without a key only a read may be sent twice.
        return try await send(request, mayRepeat: key != nil || verb == .get)
    }

    func send<Reply: Decodable & Sendable>(_ request: URLRequest, mayRepeat: Bool) async throws -> Reply {
        var attempt = 0
        while true {
            let failure: any Error
            var retryAfter: Int?
            do {
                let (data, response) = try await exchange(request)
                if (200..<300).contains(response.statusCode) { return try WireJSON.decode(from: Array(data)) }
                let problem = Self.problem(in: data, of: response)
                guard response.statusCode == 503 else { throw problem }
                retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
                failure = problem
            } catch let error as Unreachable {
                failure = error
            }
            attempt += 1
            guard mayRepeat, attempt < retry.attempts else { throw failure }
            try await Task.sleep(for: retry.wait(after: attempt - 1, retryAfter: retryAfter))
        }
    }

    func request(_ verb: Verb, _ path: String, query: [URLQueryItem] = [], token: String?) -> URLRequest {
        var components = URLComponents(url: baseURL.appendingPathComponent(path), resolvingAgainstBaseURL: false)!
        if !query.isEmpty { components.queryItems = query }
        var request = URLRequest(url: components.url!)
        request.httpMethod = verb.rawValue
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        return request
    }

    private func exchange(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        do {
            let (data, response) = try await session.data(for: request)
            return (data, response as! HTTPURLResponse)
        } catch let error as URLError {
            if error.code == .cancelled { throw CancellationError() }
            let neverSent: Set<URLError.Code> = [
                .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
            ]
            throw Unreachable(outcomeUnknown: !neverSent.contains(error.code), reason: error.localizedDescription)
        }
    }

    /// The problem that the body states; where a proxy answered instead of Kampong, one made from the status.
    static func problem(in data: Data, of response: HTTPURLResponse) -> Problem {
        if let problem = try? WireJSON.decode(Problem.self, from: Array(data)) { return problem }
        return Problem(
            type: "about:blank", title: HTTPURLResponse.localizedString(forStatusCode: response.statusCode),
            status: response.statusCode, code: response.statusCode == 503 ? .unavailable : .internalError,
            detail: "The answer did not come from Kampong.", errors: [])
    }
}
