import FoundationEssentials
import Logging
import PlainText
import WebClient
import WireProtocol

/// What goes on between us and one identity provider: its description and keys, remembered for a while, and the exchange of a code.
///
/// Nothing that it gives is kept but what it says of the person: its tokens are forgotten on return.
actor ProviderConnection {
    nonisolated let settings: ProviderSettings
    private let web: WebClient
    private let logger: Logger
    private let now: @Sendable () -> Date
    private var metadata: (value: ProviderMetadata, at: Date)?
    private var keys: (value: ProviderKeys, at: Date)?
    private var keysAskedAt: Date?
    /// When it last did not say what it is.
    private var failedAt: Date?
    /// Requests that wait for this provider, in whatever way.
    private var waiting = 0
    /// Codes and pictures that are fetched at the same time.
    private let gate = SignInGate(atOnce: 4, waiting: mostWaiting)
    /// Those who need its description, or keys, at the same moment wait for one answer.
    private var describing: Task<Result<ProviderMetadata, ServiceError>, Never>?
    private var fetching: Task<Void, Never>?

    /// How long a description and keys are taken as they were.
    private static let freshness: TimeInterval = 3600
    /// Keys that are not known are asked for at most this often, whoever makes them up.
    static let pause: TimeInterval = 60
    /// A provider that did not answer is left alone for as long: it does not cost each newcomer the same wait.
    static let rest: TimeInterval = 3
    /// More than these would take the places of those who want nothing of this provider: auth answers 128 requests at the same time.
    static let mostWaiting = 32

    init(_ settings: ProviderSettings, web: WebClient, logger: Logger, now: @escaping @Sendable () -> Date) {
        self.settings = settings
        self.web = web
        self.logger = logger
        self.now = now
    }

    /// - Throws: `identity_away` where the provider does not answer, or not what can be used.
    func description() async throws(ServiceError) -> ProviderMetadata {
        if let known = metadata, now().timeIntervalSince(known.at) < Self.freshness { return known.value }
        if metadata == nil, let failed = failedAt, now().timeIntervalSince(failed) < Self.rest { throw silent }
        try enter()
        defer { leave() }
        let task = describing ?? Task { await described() }
        describing = task
        let found = await task.value
        if describing == task { describing = nil }
        return try found.get()
    }

    private func described() async -> Result<ProviderMetadata, ServiceError> {
        do {
            guard let address = ProviderMetadata.address(of: settings.issuer) else {
                throw WebFailure("the issuer is no address")
            }
            let found: ProviderMetadata = try await read(request(address, before: .distantFuture))
            if let problem = found.problem(for: settings) { throw WebFailure(problem) }
            (metadata, failedAt) = ((found, now()), nil)
            return .success(found)
        } catch {
            // An old one is better than none: what is wrong with it shows when it is used.
            if let known = metadata {
                metadata = (known.value, now().addingTimeInterval(Self.pause - Self.freshness))
                return .success(known.value)
            }
            failedAt = now()
            return .failure(away("its description", error))
        }
    }

    /// Whoever waits for this provider comes in first, and leaves.
    /// - Throws: `unavailable` where many do already.
    func enter() throws(ServiceError) {
        guard waiting < Self.mostWaiting else { throw SignInGate.overloaded }
        waiting += 1
    }

    func leave() { waiting -= 1 }

    /// Exchanges a code for what the provider says of the person.
    /// - Throws: `identity_away`, where trying again may help; `identity_refused`, where the answer cannot be trusted.
    func identity(
        for code: String, verifier: String, nonce: String, redirect: String, before deadline: Date
    ) async throws(ServiceError) -> ProvidedIdentity {
        let description = try await description()
        try await gate.enter()
        let outcome = await exchanged(code, verifier, nonce, redirect, description, deadline)
        await gate.leave()
        return try outcome.get()
    }

    private func exchanged(
        _ code: String, _ verifier: String, _ nonce: String, _ redirect: String, _ description: ProviderMetadata,
        _ deadline: Date
    ) async -> Result<ProvidedIdentity, ServiceError> {
        do throws(ServiceError) {
            return .success(try await believed(code, verifier, nonce, redirect, description, deadline))
        } catch {
            return .failure(error)
        }
    }

    private func believed(
        _ code: String, _ verifier: String, _ nonce: String, _ redirect: String, _ description: ProviderMetadata,
        _ deadline: Date
    ) async throws(ServiceError) -> ProvidedIdentity {
        let tokens = try await exchange(code, verifier, redirect, description, deadline)
        let claims: IDTokenClaims
        do throws(IDTokenProblem) {
            claims = try await check(tokens.idToken, nonce, description, deadline)
        } catch {
            logger.warning(
                "an ID token is not believed",
                metadata: ["provider": "\(settings.id)", "reason": "\(error.rawValue)"])
            throw Self.refused
        }
        var identity = ProvidedIdentity(subject: claims.sub, profile: claims.profile)
        if !identity.profile.isWhole, let address = description.userinfoEndpoint.flatMap({ WebAddress($0) }),
            let token = tokens.accessToken
        {
            identity.profile = try await completed(identity, at: address, token, deadline)
        }
        return identity
    }

    /// Nil where there is none to be had, for whatever reason.
    func picture(of identity: ProvidedIdentity, before deadline: Date) async -> [UInt8]? {
        guard var request = identity.picture(at: settings), (try? enter()) != nil else { return nil }
        defer { leave() }
        guard (try? await gate.enter()) != nil else { return nil }
        request.timeout = Self.time(until: deadline)
        let answer = try? await web.send(request)
        await gate.leave()
        return answer?.status == 200 ? answer?.bytes : nil
    }

    static let refused = ServiceError(
        .identityRefused, "What the identity provider answered cannot be trusted. Try again.")
}

// MARK: Asking

extension ProviderConnection {
    private struct Tokens: Decodable {
        var idToken: String
        var accessToken: String?
        private enum CodingKeys: String, CodingKey {
            case idToken = "id_token"
            case accessToken = "access_token"
        }
    }

    private struct Refusal: Decodable { var error: String }

    private func exchange(
        _ code: String, _ verifier: String, _ redirect: String, _ description: ProviderMetadata, _ deadline: Date
    ) async throws(ServiceError) -> Tokens {
        guard let address = WebAddress(description.tokenEndpoint) else { throw Self.refused }
        var request = request(address, before: deadline)
        var form = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
            ("code_verifier", verifier),
        ]
        if let secret = settings.secret, !description.takesSecretInBody {
            // RFC 6749, 2.3.1: encoded as a form's values first.
            let pair = "\(WebAddress.encoded(settings.client)):\(WebAddress.encoded(secret))"
            request.headers.append("Authorization: Basic \(Data(pair.utf8).base64EncodedString())")
        } else {
            form.append(("client_id", settings.client))
            if let secret = settings.secret { form.append(("client_secret", secret)) }
        }
        request.body = WebAddress.encoded(form)
        let answer: WebAnswer
        do { answer = try await web.send(request) } catch { throw away("its token endpoint", error) }
        guard StreamSafe.isSafe(json: answer.bytes) else { throw Self.refused }
        if answer.status == 200, let tokens = try? JSONDecoder().decode(Tokens.self, from: Data(answer.bytes)) {
            return tokens
        }
        guard answer.status < 500 else { throw away("its token endpoint", WebFailure("status \(answer.status)")) }
        // `invalid_grant`, `invalid_client`: a word of RFC 6749, which the operator needs; nothing else of the answer is written down.
        let word = (try? JSONDecoder().decode(Refusal.self, from: Data(answer.bytes)))?.error ?? "no ID token"
        let isWord = word.utf8.count <= 40 && word.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        logger.warning(
            "a provider refuses a code",
            metadata: ["provider": "\(settings.id)", "status": "\(answer.status)", "error": "\(isWord ? word : "?")"])
        throw Self.refused
    }

    private func check(
        _ token: String, _ nonce: String, _ description: ProviderMetadata, _ deadline: Date
    ) async throws(IDTokenProblem) -> IDTokenClaims {
        let header = try IDTokenHeader(of: token)
        var key = keys?.value.key(for: header)
        if key == nil || keys.map({ now().timeIntervalSince($0.at) >= Self.freshness }) ?? true {
            await renewKeys(description, deadline)
            key = keys?.value.key(for: header)
        }
        guard let key else { throw .key }
        let claims = try await key.verify(token, header)
        let rules = IDTokenRules(issuer: settings.issuer, client: settings.client, nonce: nonce, now: now())
        try rules.check(claims)
        return claims
    }

    private func renewKeys(_ description: ProviderMetadata, _ deadline: Date) async {
        if let fetching { return await fetching.value }
        if let asked = keysAskedAt, now().timeIntervalSince(asked) < Self.pause { return }
        let task = Task { await fetchKeys(description, deadline) }
        fetching = task
        await task.value
        fetching = nil
    }

    /// Those that were known stay where there are no others.
    private func fetchKeys(_ description: ProviderMetadata, _ deadline: Date) async {
        guard let address = WebAddress(description.jwksURI) else { return }
        keysAskedAt = now()
        do {
            keys = (try await read(request(address, before: deadline)), now())
        } catch {
            // It was no answer, so it is asked again by who comes next.
            keysAskedAt = nil
            _ = away("its keys", error)
        }
    }

    /// What an ID token leaves out, where the provider says it by its userinfo endpoint (OpenID Connect Core 1.0, 5.3).
    private func completed(
        _ identity: ProvidedIdentity, at address: WebAddress, _ token: String, _ deadline: Date
    ) async throws(ServiceError) -> ProviderProfile {
        struct UserInfo: Decodable {
            var sub: String
            var profile: ProviderProfile
            private enum CodingKeys: String, CodingKey { case sub }
            init(from decoder: any Decoder) throws {
                sub = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .sub)
                profile = try ProviderProfile(from: decoder)
            }
        }
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw Self.refused }
        var request = request(address, before: deadline)
        request.headers.append("Authorization: Bearer \(token)")
        let info: UserInfo
        do { info = try await read(request) } catch {
            // Without it a form is less full; the ID token has said who it is.
            _ = away("its userinfo endpoint", error)
            return identity.profile
        }
        guard info.sub == identity.subject else { throw Self.refused }
        return identity.profile.completed(by: info.profile)
    }

    private func read<Value: Decodable>(_ request: WebRequest) async throws -> Value {
        let answer = try await web.send(request)
        guard answer.status == 200 else { throw WebFailure("status \(answer.status)") }
        do {
            guard StreamSafe.isSafe(json: answer.bytes) else { throw WebFailure("more accents in a row than any text") }
            return try JSONDecoder().decode(Value.self, from: Data(answer.bytes))
        } catch {
            throw WebFailure("not the JSON that is expected")
        }
    }

    private func request(_ address: WebAddress, before deadline: Date) -> WebRequest {
        var request = WebRequest(address)
        request.headers = ["Accept: application/json"]
        request.timeout = Self.time(until: deadline)
        request.certificates = settings.certificates
        return request
    }

    /// Milliseconds that a request may take.
    private static func time(until deadline: Date) -> Int {
        min(5000, max(1, Int(deadline.timeIntervalSinceNow * 1000)))
    }

    private func away(_ what: String, _ error: any Error) -> ServiceError {
        logger.warning(
            "an identity provider does not answer",
            metadata: ["provider": "\(settings.id)", "what": "\(what)", "reason": "\(error)"])
        return silent
    }

    private var silent: ServiceError {
        ServiceError(.identityAway, "\(settings.name) does not answer. Try again in a moment.", retryAfter: 3)
    }
}
