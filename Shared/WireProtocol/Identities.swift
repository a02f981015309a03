#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Signing in with an outside identity provider (OpenID Connect).

/// Where else people of this community may sign in.
public struct IdentityProvider: Codable, Hashable, Sendable {
    /// As it stands in addresses: `campus`.
    public var id: String
    public var name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// `GET /v1/identity-providers`.
public struct IdentityProviders: Codable, Hashable, Sendable {
    public var items: [IdentityProvider]
    /// Whether one may also join with an email address and a password.
    public var passwords: Bool

    public init(items: [IdentityProvider], passwords: Bool) {
        self.items = items
        self.passwords = passwords
    }
}

/// What the gateway says of a browser that is to be sent to a provider.
package struct IdentityStart: Codable, Hashable, Sendable {
    package var provider: String
    /// A secret that only this browser has, to which the way back is bound.
    package var browser: String
    /// Where the provider sends the browser back to.
    package var redirect: String
    /// The page to come back to.
    package var next: String?
    /// Whether the one who is signed in wants to link the provider, rather than sign in.
    package var link: Bool

    package init(provider: String, browser: String, redirect: String, next: String? = nil, link: Bool = false) {
        self.provider = provider
        self.browser = browser
        self.redirect = redirect
        self.next = next
        self.link = link
    }
}

/// Where to send a browser: `GET /v1/identity-providers/{id}/authorize`, for programs.
public struct IdentityRedirect: Codable, Hashable, Sendable {
    public var url: String
    public init(url: String) { self.url = url }
}

/// With what a provider sent a browser back.
package struct IdentityReturn: Codable, Hashable, Sendable {
    package var provider: String
    package var browser: String
    package var redirect: String
    package var state: String
    package var code: String?
    /// The provider's refusal, as RFC 6749 names it (`access_denied`).
    package var error: String?
    /// Who answers (RFC 9207).
    package var issuer: String?
    package var device: DeviceParameters

    package init(
        provider: String, browser: String, redirect: String, state: String, code: String? = nil, error: String? = nil,
        issuer: String? = nil, device: DeviceParameters = DeviceParameters()
    ) {
        self.provider = provider
        self.browser = browser
        self.redirect = redirect
        self.state = state
        self.code = code
        self.error = error
        self.issuer = issuer
        self.device = device
    }
}

/// What comes of it: somebody who is known here is signed in, anybody else holds a ticket.
public struct IdentityOutcome: Codable, Hashable, Sendable {
    public var signedIn: SignedIn?
    /// With which one joins, or links the identity to an account.
    public var ticket: String?
    /// Whether the ticket is there to link, because that was asked for.
    public var link: Bool
    /// The page to come back to.
    public var next: String?

    public init(signedIn: SignedIn? = nil, ticket: String? = nil, link: Bool = false, next: String? = nil) {
        self.signedIn = signedIn
        self.ticket = ticket
        self.link = link
        self.next = next
    }
}

/// An identity that a provider has confirmed, and that nothing has been done with yet.
public struct IdentityTicket: Codable, Hashable, Sendable {
    public var ticket: String
    public init(ticket: String) { self.ticket = ticket }
}

/// What a provider says of the holder of a ticket, for a form to begin with.
package struct IdentityProposal: Codable, Hashable, Sendable {
    package var provider: IdentityProvider
    /// Where there is one, it cannot be changed while the provider is linked.
    package var name: String?
    package var email: String?
    /// One that is free.
    package var username: String?
    /// Whether the provider has a picture of them.
    package var picture: Bool
    /// Whether an account has the address of which the provider says that it is theirs.
    package var hasAccount: Bool
    /// The page to come back to.
    package var next: String?

    package init(
        provider: IdentityProvider, name: String? = nil, email: String? = nil, username: String? = nil, picture: Bool,
        hasAccount: Bool, next: String? = nil
    ) {
        self.provider = provider
        self.name = name
        self.email = email
        self.username = username
        self.picture = picture
        self.hasAccount = hasAccount
        self.next = next
    }
}

/// A picture as the provider has it, unread; in base64.
package struct IdentityPicture: Codable, Hashable, Sendable {
    package var base64: String
    package init(base64: String) { self.base64 = base64 }
}

/// `POST /v1/identity-providers/accounts`.
public struct IdentitySignUp: Codable, Hashable, Sendable {
    public var ticket: String
    public var email: String
    /// Only where the provider gives none.
    public var name: String?
    public var username: String?
    public var region: String?
    public var photo: String?

    public init(
        ticket: String, email: String, name: String? = nil, username: String? = nil, region: String? = nil,
        photo: String? = nil
    ) {
        self.ticket = ticket
        self.email = email
        self.name = name
        self.username = username
        self.region = region
        self.photo = photo
    }
}

/// A provider with which the person may sign in.
public struct LinkedIdentity: Codable, Hashable, Sendable {
    public var provider: IdentityProvider
    /// What the provider calls them: an email address, mostly. Only they see it.
    public var account: String?
    /// Whether the name comes from there, and cannot be changed here.
    public var name: Bool
    public var since: Date
    public var lastUsedAt: Date

    public init(
        provider: IdentityProvider, account: String? = nil, name: Bool, since: Date, lastUsedAt: Date
    ) {
        self.provider = provider
        self.account = account
        self.name = name
        self.since = since
        self.lastUsedAt = lastUsedAt
    }
}

/// A provider, as addresses name it.
package struct IdentityProviderReference: Codable, Hashable, Sendable {
    package var id: String
    package init(id: String) { self.id = id }
}

extension AuthMethods {
    package static let identityProviders = Method<Nothing, Nothing, IdentityProviders>(
        "auth.identityProviders", .query)
    /// Begins a sign-in with a provider.
    package static let startIdentity = Method<Nothing, IdentityStart, IdentityRedirect>("auth.startIdentity", .command)
    /// Exchanges the code with which a provider sent a browser back.
    package static let finishIdentity = Method<Nothing, IdentityReturn, IdentityOutcome>(
        "auth.finishIdentity", .command)
    package static let identityProposal = Method<Nothing, IdentityTicket, IdentityProposal>(
        "auth.identityProposal", .query)
    package static let identityPicture = Method<Nothing, IdentityTicket, IdentityPicture>(
        "auth.identityPicture", .query)
    package static let signUpWithIdentity = Method<DeviceParameters, IdentitySignUp, NewAccount>(
        "auth.signUpWithIdentity", .command)
    package static let identities = Method<Nothing, Nothing, Page<LinkedIdentity>>("auth.identities", .query)
    package static let linkIdentity = Method<Nothing, IdentityTicket, LinkedIdentity>("auth.linkIdentity", .command)
    /// Refused where it is the only way in.
    package static let unlinkIdentity = Method<IdentityProviderReference, Nothing, Nothing>(
        "auth.unlinkIdentity", .command)
}

extension ErrorCode {
    /// The person said no at the identity provider.
    public static let identityDenied: ErrorCode = "identity_denied"
    /// This sign-in with a provider was finished before, took too long, or was begun in another browser.
    public static let identityStale: ErrorCode = "identity_stale"
    /// The identity provider does not answer; nothing was done.
    public static let identityAway: ErrorCode = "identity_away"
    /// What the identity provider answered cannot be trusted.
    public static let identityRefused: ErrorCode = "identity_refused"
    /// Another account is linked with this identity, or this account with another one of the same provider.
    public static let identityTaken: ErrorCode = "identity_taken"
    /// Without it, the person could not sign in any more.
    public static let lastWayIn: ErrorCode = "last_way_in"
}
