package import WireProtocol

/// Says whether an access token is one of ours and still good.
package protocol AccessTokenVerifier: Sendable {
    func verify(_ token: String) async throws(AccessTokenError) -> AccessTokenClaims
}

/// Why an access token is not accepted.
package enum AccessTokenError: Error, Hashable {
    /// It was good once; refreshing gets a new one.
    case expired
    /// The session was ended.
    case revoked
    /// Not ours, or not a token at all.
    case invalid
    /// Its key is not known here and auth could not be asked.
    case unavailable(ServiceError)

    /// What the one who sent it is told.
    package var problem: ServiceError {
        switch self {
        case .expired: ServiceError(.unauthenticated, "The access token has expired. Refresh the session.")
        case .revoked: ServiceError(.unauthenticated, "This session has ended. Sign in again.")
        case .invalid: ServiceError(.unauthenticated, "The access token is not valid.")
        case .unavailable(let error): error
        }
    }
}
