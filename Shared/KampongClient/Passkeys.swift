public import WireProtocol

// Passkeys. What stands between is the system's: options go to `ASAuthorizationController` or Android's Credential
// Manager, and what those answer comes back here, as JSON of Web Authentication.

extension KampongClient {
    public func passkeys() async throws -> [Passkey] {
        try await call(.get, "v1/me/passkeys", as: Page<Passkey>.self).items
    }

    /// - Parameter password: the account's own; nil where it has none and somebody has signed in just now.
    public func beginPasskey(password: String?) async throws -> PasskeyCreationOptions {
        try await call(.post, "v1/me/passkeys/options", body: PasskeyRequest(password: password))
    }

    public func addPasskey(_ draft: PasskeyDraft, key: String? = nil) async throws -> Passkey {
        try await call(.post, "v1/me/passkeys", body: draft, key: key)
    }

    public func renamePasskey(_ id: PasskeyID, to name: String) async throws -> Passkey {
        try await call(.put, "v1/me/passkeys/\(id)", body: PasskeyName(name: name))
    }

    public func removePasskey(_ id: PasskeyID) async throws {
        let _: Nothing = try await call(.delete, "v1/me/passkeys/\(id)")
    }

    public func beginPasskeySignIn() async throws -> PasskeySignInOptions {
        try await call(.post, "v1/sessions/passkey/options")
    }

    /// Signs in.
    public func signIn(with credential: PasskeyAssertion, key: String? = nil) async throws -> Person {
        let signedIn = try await call(
            .post, "v1/sessions/passkey", body: PasskeySignIn(credential: credential), key: key, as: SignedIn.self)
        await vault.store(signedIn.tokens)
        return signedIn.person
    }
}
