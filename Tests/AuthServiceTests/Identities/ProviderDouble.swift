import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TestKit
import WireProtocol

@testable import AuthService

/// A small identity provider on a free port, for what a real one cannot be made to do wrong. It checks what it is told as one does: client, secret,
/// redirect, PKCE, and each code once.
final class ProviderDouble: Sendable {
    struct Grant: Sendable {
        var challenge: String
        var claims: @Sendable () -> [String: Any]
    }

    struct State: Sendable {
        var keys: TestKeys
        var algorithm = "RS256"
        var grants: [String: Grant] = [:]
        var asked: [String] = []
        /// Answers in the place of the right one, by path.
        var instead: [String: @Sendable () async throws -> Response] = [:]
        var description: [String: any Sendable] = [:]
        var userInfo: [String: any Sendable] = [:]
    }

    let port: Int
    let state: Mutex<State>

    static let secret = "s3cr3t & more"
    /// Made once: primes take their time.
    private static let firstKeys = Result { try TestKeys("first") }
    var issuer: String { "http://127.0.0.1:\(port)" }

    private init(port: Int, keys: TestKeys) {
        self.port = port
        state = Mutex(State(keys: keys))
    }

    var settings: ProviderSettings {
        ProviderSettings(id: "campus", name: "Campus Login", issuer: issuer, client: "kampong", secret: Self.secret)
    }

    var asked: [String] { state.withLock(\.asked) }
    func instead(of path: String, _ answer: (@Sendable () async throws -> Response)?) {
        state.withLock { $0.instead[path] = answer }
    }

    /// Runs a provider as long as `body` does.
    static func run(_ body: @Sendable @escaping (ProviderDouble) async throws -> Void) async throws {
        let keys = try Self.firstKeys.get()
        let holder = Mutex<ProviderDouble?>(nil)
        let router = Router()
        for method in [HTTPRequest.Method.get, .post] {
            router.on("**", method: method) { request, _ in
                guard let provider = holder.withLock({ $0 }) else { return Response(status: .serviceUnavailable) }
                return try await provider.answer(request)
            }
        }
        try await LoopbackServer.run(router) { port in
            let provider = ProviderDouble(port: port, keys: keys)
            holder.withLock { $0 = provider }
            try await body(provider)
        }
    }

    private func answer(_ request: Request) async throws -> Response {
        let path = request.uri.path
        let instead = state.withLock { state in
            state.asked.append(path)
            return state.instead[path]
        }
        if let instead { return try await instead() }
        switch path {
        case "/.well-known/openid-configuration":
            var fields: [String: any Sendable] = [
                "issuer": issuer, "authorization_endpoint": "\(issuer)/authorize", "token_endpoint": "\(issuer)/token",
                "jwks_uri": "\(issuer)/keys", "userinfo_endpoint": "\(issuer)/userinfo",
                "code_challenge_methods_supported": ["plain", "S256"],
                "authorization_response_iss_parameter_supported": true,
            ]
            fields.merge(state.withLock(\.description)) { _, new in new }
            return try Self.json(fields)
        case "/keys":
            let keys = try state.withLock(\.keys).published().map { key in
                ["kty": key.kty, "kid": key.kid, "n": key.n, "e": key.e, "crv": key.crv, "x": key.x, "y": key.y]
                    .compactMapValues(\.self)
            }
            return try Self.json(["keys": keys])
        case "/token": return try await token(request)
        case "/userinfo": return try Self.json(state.withLock(\.userInfo))
        default: return Response(status: .notFound)
        }
    }

    private func token(_ request: Request) async throws -> Response {
        let body = String(buffer: try await request.body.collect(upTo: 65_536))
        let fields = Dictionary(
            body.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                    String($0).removingPercentEncoding ?? ""
                }
                return (parts[0], parts[1])
            }, uniquingKeysWith: { $1 })
        let pair = Data(base64Encoded: String(request.headers[.authorization]?.dropFirst(6) ?? "")) ?? Data()
        guard String(decoding: pair, as: UTF8.self) == "kampong:s3cr3t%20%26%20more" else {
            return try Self.json(["error": "invalid_client"], .unauthorized)
        }
        let grant = state.withLock { $0.grants.removeValue(forKey: fields["code"] ?? "") }
        guard let grant, fields["grant_type"] == "authorization_code", fields["redirect_uri"] == IdentityBench.redirect,
            let verifier = fields["code_verifier"], IdentitySignIn.challenge(of: verifier) == grant.challenge
        else { return try Self.json(["error": "invalid_grant"], .badRequest) }
        let (keys, algorithm) = state.withLock { ($0.keys, $0.algorithm) }
        let token = try keys.token(grant.claims(), algorithm)
        return try Self.json(["id_token": token, "access_token": "at-1", "token_type": "Bearer"])
    }

    static func json(_ fields: [String: Any], _ status: HTTPResponse.Status = .ok) throws -> Response {
        let bytes = try JSONSerialization.data(withJSONObject: fields)
        return Response(
            status: status, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
