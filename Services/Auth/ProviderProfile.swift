import PlainText
import WebClient
import WireProtocol

/// What a provider says of a person (OpenID Connect Core 1.0, 5.1), in an ID token or by its userinfo endpoint.
struct ProviderProfile: Codable, Hashable, Sendable {
    var name: String?
    var email: String?
    var emailIsVerified = false
    var username: String?
    var picture: String?

    private enum CodingKeys: String, CodingKey {
        case name, email, picture
        case givenName = "given_name"
        case familyName = "family_name"
        case emailVerified = "email_verified"
        case preferredUsername = "preferred_username"
    }

    init() {}

    /// What is there and of another kind than it should be counts as absent: none of it is worth refusing somebody.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) -> String? {
            guard let text = try? container.decode(String.self, forKey: key), StreamSafe.isSafe(text) else {
                return nil
            }
            return text.nonEmpty
        }
        let parts = [text(.givenName), text(.familyName)].compactMap(\.self).joined(separator: " ")
        name = text(.name) ?? parts.nonEmpty
        email = text(.email)
        // Some providers write truth as a text.
        emailIsVerified =
            (try? container.decode(Bool.self, forKey: .emailVerified)) ?? (text(.emailVerified) == "true")
        username = text(.preferredUsername)
        picture = text(.picture)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encodeIfPresent(email, forKey: .email)
        try container.encode(emailIsVerified, forKey: .emailVerified)
        try container.encodeIfPresent(username, forKey: .preferredUsername)
        try container.encodeIfPresent(picture, forKey: .picture)
    }

    /// Whether all that a sign-up begins with is here.
    var isWhole: Bool { name != nil && email != nil && picture != nil }

    /// What is absent here, from there. An address comes with what is said of it.
    func completed(by other: ProviderProfile) -> ProviderProfile {
        var whole = self
        whole.name = name ?? other.name
        whole.username = username ?? other.username
        whole.picture = picture ?? other.picture
        if email == nil || email == other.email && !emailIsVerified {
            (whole.email, whole.emailIsVerified) = (other.email ?? email, other.emailIsVerified)
        }
        return whole
    }
}

/// Somebody whom a provider has just vouched for; what is kept, sealed, until they have joined.
struct ProvidedIdentity: Codable, Hashable, Sendable {
    var subject: String
    var profile: ProviderProfile

    /// What this community takes for a name, cut where it is too long; nil where there is nothing of the kind.
    func name(by rules: ProfileRules) -> String? {
        guard let given = profile.name?.nonEmpty else { return nil }
        return try? rules.name(String(given.unicodeScalars.prefix(ProfileRules.longestName)))
    }

    /// What is shown to the person as the name of their account there.
    var label: String? {
        guard let text = profile.email ?? profile.username, !text.hasControls else { return nil }
        return String(text.unicodeScalars.prefix(254))
    }

    func email(at provider: ProviderSettings) -> (address: EmailAddress, isVerified: Bool)? {
        guard let address = profile.email.flatMap({ EmailAddress($0) }) else { return nil }
        return (address, profile.emailIsVerified || provider.emailsAreVerified)
    }

    /// Where the picture is, and whether it may lie inside the operator's networks: on the provider's own server alone.
    func picture(at provider: ProviderSettings) -> WebRequest? {
        guard let address = profile.picture.flatMap({ WebAddress($0) }) else { return nil }
        let isProviders = address.origin == WebAddress(provider.issuer)?.origin
        guard isProviders || address.text.lowercased().hasPrefix("https:") else { return nil }
        var request = WebRequest(address)
        request.reach = isProviders ? .anywhere : .publicOnly
        request.redirects = isProviders ? 0 : 3
        request.mostBytes = 512 * 1024
        request.headers = ["Accept: image/*"]
        request.certificates = isProviders ? provider.certificates : nil
        return request
    }
}
