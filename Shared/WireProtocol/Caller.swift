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
    /// Whether their session was opened while they are suspended: it is good for methods that say so, and for no others.
    package var isSuspended: Bool

    package init(
        person: PersonID? = nil, session: SessionID? = nil, campus: String? = nil, roles: Set<PersonRole> = [],
        address: String? = nil, isSuspended: Bool = false
    ) {
        self.person = person
        self.session = session
        self.campus = campus
        self.roles = roles
        self.address = address
        self.isSuspended = isSuspended
    }

    package static let anonymous = Caller()

    private enum CodingKeys: String, CodingKey {
        case person, session, campus, roles, address
        case isSuspended = "suspended"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        person = try container.decodeIfPresent(PersonID.self, forKey: .person)
        session = try container.decodeIfPresent(SessionID.self, forKey: .session)
        campus = try container.decodeIfPresent(String.self, forKey: .campus)
        roles = try container.decode(Set<PersonRole>.self, forKey: .roles)
        address = try container.decodeIfPresent(String.self, forKey: .address)
        isSuspended = try container.decodeIfPresent(Bool.self, forKey: .isSuspended) ?? false
    }

    /// A set has another order in every process; on the wire the same value is the same bytes.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(person, forKey: .person)
        try container.encodeIfPresent(session, forKey: .session)
        try container.encodeIfPresent(campus, forKey: .campus)
        try container.encode(roles.inOrder, forKey: .roles)
        try container.encodeIfPresent(address, forKey: .address)
        try container.encodeIfPresent(isSuspended ? true : nil, forKey: .isSuspended)
    }

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

extension Set where Element: RawRepresentable<String> {
    /// As it is written: in the order of the names.
    var inOrder: [Element] { sorted { $0.rawValue < $1.rawValue } }
}

/// What a process on the bus is, by the key that it proved to have.
package enum PeerRole: String, Codable, CaseIterable, Hashable, Sendable {
    case auth, listings, rides, matching, notification, places, chat, gateway, `operator`

    /// The services that own a schema, answer requests and publish events: those behind the door.
    package static let stateful = allCases.filter { $0 != .gateway && $0 != .operator }
    /// All that run as processes; an operator comes and goes.
    package static let services = stateful + [.gateway]
}
