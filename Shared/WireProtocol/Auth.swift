#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Requests, replies and events of the auth service.

public typealias PersonID = ID<Person>
public typealias SessionID = ID<Session>

/// `POST /v1/accounts`.
public struct SignUp: Codable, Hashable, Sendable {
    public var email: String
    public var password: String
    public var name: String
    public var username: String?
    public var region: String?
    public var photo: String?

    public init(
        email: String, password: String, name: String, username: String? = nil, region: String? = nil,
        photo: String? = nil
    ) {
        self.email = email
        self.password = password
        self.name = name
        self.username = username
        self.region = region
        self.photo = photo
    }
}

/// The answer to a sign-up.
public struct NewAccount: Codable, Hashable, Sendable {
    public var person: Person
    public var session: SessionTokens

    public init(person: Person, session: SessionTokens) {
        self.person = person
        self.session = session
    }
}

public struct SessionTokens: Codable, Hashable, Sendable {
    /// A JWT for `Authorization: Bearer`.
    public var accessToken: String
    /// Good for one `POST /v1/sessions/refresh`.
    public var refreshToken: String
    /// Seconds until the access token expires.
    public var expiresIn: Int
    /// True where the person is suspended: then the session is good for their own data alone. Absent where they are not.
    public var suspended: Bool?

    public init(accessToken: String, refreshToken: String, expiresIn: Int, suspended: Bool? = nil) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
        self.suspended = suspended
    }
}

/// `POST /v1/sessions`.
public struct SignIn: Codable, Hashable, Sendable {
    public var email: String
    public var password: String

    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}

/// The answer to a sign-in or a refresh.
public struct SignedIn: Codable, Hashable, Sendable {
    public var accessToken: String
    public var refreshToken: String
    public var expiresIn: Int
    /// True where the person is suspended: then the session is good for their own data alone. Absent where they are not.
    public var suspended: Bool?
    public var person: Person

    public init(tokens: SessionTokens, person: Person) {
        accessToken = tokens.accessToken
        refreshToken = tokens.refreshToken
        expiresIn = tokens.expiresIn
        suspended = tokens.suspended
        self.person = person
    }

    public var tokens: SessionTokens {
        SessionTokens(
            accessToken: accessToken, refreshToken: refreshToken, expiresIn: expiresIn, suspended: suspended)
    }
}

/// `POST /v1/sessions/refresh`.
public struct Refresh: Codable, Hashable, Sendable {
    public var refreshToken: String
    public init(refreshToken: String) { self.refreshToken = refreshToken }
}

/// One device that is signed in.
public struct Session: Codable, Hashable, Sendable {
    public var id: SessionID
    /// What the device called itself, shortened.
    public var device: String?
    public var startedAt: Date
    public var lastUsedAt: Date
    /// Whether it is the one that asks.
    public var current: Bool

    public init(id: SessionID, device: String?, startedAt: Date, lastUsedAt: Date, current: Bool) {
        self.id = id
        self.device = device
        self.startedAt = startedAt
        self.lastUsedAt = lastUsedAt
        self.current = current
    }
}

public struct SessionReference: Codable, Hashable, Sendable {
    public var id: SessionID
    public init(id: SessionID) { self.id = id }
}

public struct PersonReference: Codable, Hashable, Sendable {
    public var id: PersonID
    public init(id: PersonID) { self.id = id }
}

/// What the gateway adds to a sign-up or sign-in: what the device calls itself (`User-Agent`).
package struct DeviceParameters: Codable, Hashable, Sendable {
    package var device: String?
    /// In which to write to the person (`de`).
    package var language: String?

    package init(device: String? = nil, language: String? = nil) {
        self.device = device
        self.language = language
    }
}

/// The public keys that access tokens are checked with, as a JSON Web Key Set (RFC 7517).
package struct SigningKeys: Codable, Hashable, Sendable {
    package var keys: [Key]
    package init(keys: [Key]) { self.keys = keys }

    /// An Ed25519 public key (RFC 8037); `x` is base64url without padding.
    package struct Key: Codable, Hashable, Sendable {
        package var kty = "OKP"
        package var crv = "Ed25519"
        package var alg = "EdDSA"
        package var use = "sig"
        package var kid: String
        package var x: String
        package init(kid: String, x: String) {
            self.kid = kid
            self.x = x
        }
    }
}

/// Sessions that ended while access tokens made for them are still unexpired.
package struct RevokedSessions: Codable, Hashable, Sendable {
    package var sessions: [Revoked]
    package init(sessions: [Revoked]) { self.sessions = sessions }

    package struct Revoked: Codable, Hashable, Sendable {
        package var id: SessionID
        /// When the last access token of this session expires, and the entry may be forgotten.
        package var until: Date
        package init(id: SessionID, until: Date) {
            self.id = id
            self.until = until
        }
    }
}

package enum AuthMethods {
    package static let signUp = Method<DeviceParameters, SignUp, NewAccount>("auth.signUp", .command)
    package static let signIn = Method<DeviceParameters, SignIn, SignedIn>("auth.signIn", .command)
    package static let refresh = Method<Nothing, Refresh, SignedIn>("auth.refresh", .command)
    package static let signOut = Method<Nothing, Nothing, Nothing>("auth.signOut", .command, isForSuspended: true)
    package static let sessions = Method<Nothing, Nothing, Page<Session>>("auth.sessions", .query)
    package static let endSession = Method<SessionReference, Nothing, Nothing>("auth.endSession", .command)
    /// Signs out everywhere, this device included.
    package static let endAllSessions = Method<Nothing, Nothing, Nothing>("auth.endAllSessions", .command)
    package static let me = Method<Nothing, Nothing, Person>("auth.me", .query)
    package static let changeProfile = Method<Nothing, ProfileChange, Person>("auth.changeProfile", .command)
    /// Usernames are public: anybody may ask whether one is free.
    package static let username = Method<UsernameQuestion, Nothing, UsernameAvailability>("auth.username", .query)
    /// Services ask it for a person whom their own projection does not know yet.
    package static let person = Method<PersonReference, Nothing, Person>(
        "auth.person", .query, peers: [.gateway, .listings])
    /// Services that start later, or anew, learn by it of everybody who joined before. `next` is the last one's id.
    /// What a service keeps of somebody whom it does not know yet, whoever may see them.
    package static let personSummary = Method<PersonReference, Nothing, PersonSummary>(
        "auth.personSummary", .query, peers: Capability.people.peers)
    package static let people = Method<PeopleQuery, Nothing, Page<PersonSummary>>(
        "auth.people", .query, peers: Capability.people.peers)
    package static let signingKeys = Method<Nothing, Nothing, SigningKeys>("auth.signingKeys", .query)
    package static let revokedSessions = Method<Nothing, Nothing, RevokedSessions>("auth.revokedSessions", .query)
}

// MARK: Events

package enum AuthEvents {
    package static let stream = PublishedStream(of: .auth)
}

/// Someone joined, or changed what others see of them.
package struct PersonChanged: Event {
    package static let type = "personChanged"
    package var person: PersonSummary
    package init(person: PersonSummary) { self.person = person }
}

/// Sessions ended: somebody ended them, or nobody used them for too long. The gateway refuses their access tokens from here on.
package struct SessionsRevoked: Event {
    package static let type = "sessionsRevoked"
    package var sessions: [RevokedSessions.Revoked]
    package init(sessions: [RevokedSessions.Revoked]) { self.sessions = sessions }
}

/// A signing key was added or retired.
package struct SigningKeysChanged: Event {
    package static let type = "signingKeysChanged"
    package var keys: SigningKeys
    package init(keys: SigningKeys) { self.keys = keys }
}
