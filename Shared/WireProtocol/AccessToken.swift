/// What an access token says: a JWT signed with EdDSA whose header names its key (`kid`, of `auth.signingKeys`).
///
/// Auth writes it, the gateway reads it; nobody else sees inside.
package struct AccessTokenClaims: Codable, Hashable, Sendable {
    package static let issuer = "kampong/auth"
    package static let audience = "kampong"

    package var iss: String
    package var aud: String
    package var sub: PersonID
    package var sid: SessionID
    /// Unix seconds.
    package var iat: Int
    /// Unix seconds.
    package var exp: Int
    package var campus: String?
    package var roles: Set<PersonRole>?
    /// True where the person is suspended: good for their own data, and for nothing else.
    package var suspended: Bool?

    package init(
        sub: PersonID, sid: SessionID, iat: Int, exp: Int, campus: String? = nil, roles: Set<PersonRole>? = nil,
        suspended: Bool? = nil, iss: String = issuer, aud: String = audience
    ) {
        self.iss = iss
        self.aud = aud
        self.sub = sub
        self.sid = sid
        self.iat = iat
        self.exp = exp
        self.campus = campus
        self.roles = roles
        self.suspended = suspended
    }
    /// Roles are written in order, so that the same claims have the same bytes (and signature) in every process.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(iss, forKey: .iss)
        try container.encode(aud, forKey: .aud)
        try container.encode(sub, forKey: .sub)
        try container.encode(sid, forKey: .sid)
        try container.encode(iat, forKey: .iat)
        try container.encode(exp, forKey: .exp)
        try container.encodeIfPresent(campus, forKey: .campus)
        try container.encodeIfPresent(roles?.inOrder, forKey: .roles)
        try container.encodeIfPresent(suspended, forKey: .suspended)
    }

    private enum CodingKeys: String, CodingKey { case iss, aud, sub, sid, iat, exp, campus, roles, suspended }
}
