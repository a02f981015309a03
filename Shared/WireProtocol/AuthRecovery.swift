#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// A new password for who has forgotten theirs.

/// `POST /v1/password-resets`.
public struct PasswordResetRequest: Codable, Hashable, Sendable {
    public var email: String
    public init(email: String) { self.email = email }
}

/// `POST /v1/password-resets/confirm`.
public struct PasswordReset: Codable, Hashable, Sendable {
    /// What the mail's link carries.
    public var token: String
    public var password: String
    /// Whether linked identities are removed as well. Sessions, passkeys and the calendar's address always end.
    public var unlink: Bool?

    public init(token: String, password: String, unlink: Bool? = nil) {
        self.token = token
        self.password = password
        self.unlink = unlink
    }
}

/// A link from a mail, before anything is done with it.
package struct PasswordResetLink: Codable, Hashable, Sendable {
    package var token: String
    package init(token: String) { self.token = token }
}

/// Whose password a link sets, for the one who holds it.
package struct PasswordResetAccount: Codable, Hashable, Sendable {
    package var name: String
    package var username: String?
    package var memberSince: Date
    /// Providers whose identities lead into it.
    package var identities: [IdentityProvider]?

    package init(
        name: String, username: String? = nil, memberSince: Date, identities: [IdentityProvider]? = nil
    ) {
        self.name = name
        self.username = username
        self.memberSince = memberSince
        self.identities = identities
    }
}

/// What the gateway adds where mail is asked for: the language in which to write (`de`).
package struct LanguageParameters: Codable, Hashable, Sendable {
    package var language: String?
    package init(language: String? = nil) { self.language = language }
}

extension AuthMethods {
    /// The same answer whether or not the address has an account.
    /// In which the caller is to be written to from now on: the language that they chose for the pages.
    package static let setLanguage = Method<LanguageParameters, Nothing, Nothing>("auth.setLanguage", .command)
    package static let requestPasswordReset = Method<LanguageParameters, PasswordResetRequest, Nothing>(
        "auth.requestPasswordReset", .command)
    package static let passwordReset = Method<Nothing, PasswordResetLink, PasswordResetAccount>(
        "auth.passwordReset", .query)
    /// Sets the password and ends every session of the account.
    package static let resetPassword = Method<Nothing, PasswordReset, Nothing>("auth.resetPassword", .command)
}
