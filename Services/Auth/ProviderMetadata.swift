import WebClient

/// What a provider says of itself (OpenID Connect Discovery 1.0, 3).
struct ProviderMetadata: Decodable, Hashable, Sendable {
    var issuer: String
    var authorizationEndpoint: String
    var tokenEndpoint: String
    var jwksURI: String
    var userinfoEndpoint: String?
    var challengeMethods: [String]?
    var clientAuthentication: [String]?
    /// Whether each answer names who gives it (RFC 9207).
    var namesIssuer: Bool?

    private enum CodingKeys: String, CodingKey {
        case issuer
        case authorizationEndpoint = "authorization_endpoint"
        case tokenEndpoint = "token_endpoint"
        case jwksURI = "jwks_uri"
        case userinfoEndpoint = "userinfo_endpoint"
        case challengeMethods = "code_challenge_methods_supported"
        case clientAuthentication = "token_endpoint_auth_methods_supported"
        case namesIssuer = "authorization_response_iss_parameter_supported"
    }

    /// Where it stands.
    static func address(of issuer: String) -> WebAddress? {
        WebAddress((issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration")
    }

    /// Why it cannot be used; nil where it can.
    func problem(for provider: ProviderSettings) -> String? {
        // A provider speaks for itself alone.
        guard issuer == provider.issuer else { return "the document is of another issuer" }
        guard WebAddress(authorizationEndpoint) != nil, WebAddress(tokenEndpoint) != nil, WebAddress(jwksURI) != nil,
            userinfoEndpoint.map({ WebAddress($0) != nil }) ?? true
        else { return "an endpoint is no https address" }
        // Where it says nothing of PKCE, it may do it nevertheless, and where it does not, it passes over it (RFC 7636, 5).
        guard challengeMethods?.contains("S256") ?? true else { return "it does not do PKCE with S256" }
        return nil
    }

    /// Whether a secret goes into the body of a request, where the provider does not take it in the header.
    var takesSecretInBody: Bool {
        guard let methods = clientAuthentication, !methods.contains("client_secret_basic") else { return false }
        return methods.contains("client_secret_post")
    }

    /// Whether an answer that came to us is this provider's (RFC 9207, 2.4).
    func isAnswerer(_ issuer: String?) -> Bool {
        guard let issuer else { return namesIssuer != true }
        return issuer == self.issuer
    }
}
