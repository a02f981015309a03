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

    /// Exchanges an access token that was refused for a fresh one.
    typealias Renewal = @Sendable (_ refused: String) async throws -> String

    func send<Reply: Decodable & Sendable>(
        _ verb: Verb, _ path: String, query: [URLQueryItem] = [], body: (any Encodable & Sendable)? = nil,
        key: String? = nil, token: String? = nil, renew: Renewal? = nil, as type: Reply.Type = Reply.self
    ) async throws -> Reply {
        var request = self.request(verb, path, query: query)
        if let key { request.setValue(key, forHTTPHeaderField: "Idempotency-Key") }
        if let body {
            request.httpBody = Data(try WireJSON.encode(body))
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        // Without a key only a read may be sent twice.
        return try await send(request, mayRepeat: key != nil || verb == .get, token: token, renew: renew)
    }

    func send<Reply: Decodable & Sendable>(
        _ given: URLRequest, mayRepeat: Bool, token: String? = nil, renew: Renewal? = nil
    ) async throws -> Reply {
        try WireJSON.decode(from: Array(try await fetch(given, mayRepeat: mayRepeat, token: token, renew: renew)))
    }

    /// The body of the answer, as it came.
    func fetch(
        _ given: URLRequest, mayRepeat: Bool, token: String? = nil, renew: Renewal? = nil
    ) async throws -> Data {
        var (request, token, renew) = (given, token, renew)
        var attempts = Attempts()
        while true {
            request.authorize(token)
            do {
                let (data, response) = try await exchange(request)
                if (200..<300).contains(response.statusCode) { return data }
                let problem = Self.problem(in: data, of: response)
                if problem.status == 401, let refused = token, let renewal = renew {
                    if let fresh = try await attempts.renewing({ try await renewal(refused) }) {
                        // Once: a fresh token that is refused will not get better.
                        (token, renew) = (fresh, nil)
                        continue
                    }
                } else {
                    let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
                    attempts.note(problem, retryAfter: seconds)
                }
            } catch let error as Unreachable {
                attempts.note(error)
            }
            guard mayRepeat, attempts.mayGoOn(retry) else { throw attempts.verdict }
            try await Task.sleep(for: retry.wait(after: attempts.count - 1, retryAfter: attempts.retryAfter))
        }
    }

    func request(_ verb: Verb, _ path: String, query: [URLQueryItem] = []) -> URLRequest {
        var components = URLComponents(url: baseURL.appendingPathComponent(path), resolvingAgainstBaseURL: false)!
        if !query.isEmpty { components.queryItems = query }
        var request = URLRequest(url: components.url!)
        request.httpMethod = verb.rawValue
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        return request
    }

    private func exchange(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        do {
            let (data, response) = try await session.answer(to: request)
            return (data, response as! HTTPURLResponse)
        } catch let error as URLError {
            if error.code == .cancelled { throw CancellationError() }
            // Not `cannotConnectToHost`: where a kept connection dies under a request, libcurl sends it again over a new one and reports
            // only what became of that.
            let neverSent: Set<URLError.Code> = [.cannotFindHost, .dnsLookupFailed, .notConnectedToInternet]
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

extension URLRequest {
    mutating func authorize(_ token: String?) {
        setValue(token.map { "Bearer \($0)" }, forHTTPHeaderField: "Authorization")
    }
}

/// What is known of a call after some attempts that did not succeed.
struct Attempts {
    private(set) var count = 0
    private(set) var retryAfter: Int?
    private var last: (any Error)?
    /// The attempt that may have been done: no later one takes that back by saying that it was not.
    private var unknown: (any Error)?

    mutating func note(_ problem: Problem, retryAfter: Int?) {
        note(problem, isUnknown: problem.status == 503 && problem.code == .outcomeUnknown)
        self.retryAfter = retryAfter
    }

    mutating func note(_ error: Unreachable) { note(error, isUnknown: error.outcomeUnknown) }

    private mutating func note(_ error: any Error, isUnknown: Bool) {
        count += 1
        last = error
        retryAfter = nil
        if isUnknown { unknown = error }
    }

    /// A fresh token; nil where there is none to be had just now. The call itself was surely not done then, whatever became of the
    /// renewal.
    mutating func renewing(_ renew: () async throws -> String) async throws -> String? {
        do { return try await renew() } catch let error as Unreachable {
            note(Unreachable(outcomeUnknown: false, reason: error.reason), isUnknown: false)
        } catch let problem as Problem {
            note(problem, isUnknown: false)
        }
        return nil
    }

    func mayGoOn(_ retry: RetryPolicy) -> Bool {
        guard count < retry.attempts else { return false }
        guard let problem = last as? Problem else { return true }
        return problem.status == 503
    }

    /// What to tell the caller. A refusal by the service is final, since it has looked for an earlier attempt; the door's own
    /// (who are you, not so fast) and "not now" say nothing about that one.
    var verdict: any Error {
        guard let unknown else { return last! }
        guard let problem = last as? Problem else { return unknown }
        return [401, 429, 503].contains(problem.status) ? unknown : problem
    }
}
