public import WireProtocol

// Outside identity providers. The way to a provider and back is a browser's: an app that is given the address of the way back
// by the system asks `/v1/identity-providers/{id}/authorize` and `…/callback` for JSON, with the same cookie; what comes after is here.

extension KampongClient {
    public func identityProviders() async throws -> IdentityProviders { try await call(.get, "v1/identity-providers") }

    /// Makes an account of whom a ticket is for, and signs in.
    public func signUp(_ signUp: IdentitySignUp, key: String? = nil) async throws -> Person {
        let account = try await call(
            .post, "v1/identity-providers/accounts", body: signUp, key: key, as: NewAccount.self)
        await vault.store(account.session)
        return account.person
    }

    /// The providers with which the person may sign in.
    public func identities() async throws -> [LinkedIdentity] {
        try await call(.get, "v1/me/identities", as: Page<LinkedIdentity>.self).items
    }

    public func linkIdentity(ticket: String) async throws -> LinkedIdentity {
        try await call(.post, "v1/me/identities", body: IdentityTicket(ticket: ticket))
    }

    public func unlinkIdentity(_ provider: String) async throws {
        let _: Nothing = try await call(.delete, "v1/me/identities/\(provider)")
    }
}
