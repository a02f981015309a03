/// On whose behalf a request is made, as the gateway established it. Services believe it because only a peer with the
/// gateway's key may say it.
package struct Caller: Codable, Hashable, Sendable {
    /// Nil for someone who is not signed in.
    package var person: PersonID?
    package var session: SessionID?
    package var campus: String?
    package var roles: Set<PersonRole>
    /// The network address that the person's request came from; for limits on attempts, never stored with content.
    package var address: String?

    package init(
        person: PersonID? = nil, session: SessionID? = nil, campus: String? = nil, roles: Set<PersonRole> = [],
        address: String? = nil
    ) {
        self.person = person
        self.session = session
        self.campus = campus
        self.roles = roles
        self.address = address
    }

    package static let anonymous = Caller()

    /// The person who is signed in.
    /// - Throws: `unauthenticated`.
    package func requirePerson() throws(ServiceError) -> PersonID {
        guard let person else { throw ServiceError(.unauthenticated, "Sign in first.") }
        return person
    }
}

/// What a person may do beyond what everybody may.
public enum PersonRole: String, Codable, Hashable, Sendable {
    case moderator, `operator`
}

/// What a process on the bus is, by the key that it proved to have.
package enum PeerRole: String, Codable, CaseIterable, Hashable, Sendable {
    case auth, listings, notification, gateway, `operator`
}
