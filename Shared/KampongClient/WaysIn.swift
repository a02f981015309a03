public import WireProtocol

// Password and address, and the proof that it is the person who changes ways into the account.

extension KampongClient {
    /// For ten minutes, ways in may be added and removed in this session: after `proof_needed`.
    public func prove(password: String) async throws {
        let _: Nothing = try await call(.post, "v1/me/proof", body: ProofOfPerson(password: password))
    }

    /// Signs every other device out.
    /// - Parameter current: nil where the account has none, or the session was proven just now.
    public func changePassword(from current: String?, to password: String, key: String? = nil) async throws {
        let _: Nothing = try await call(
            .put, "v1/me/password", body: PasswordChange(current: current, password: password), key: key)
    }

    /// Asks for a mail with a code to the account's address, or to one that shall take its place.
    /// - Parameter password: the account's own, where the address is another than before.
    public func changeEmail(to email: String, password: String? = nil, key: String? = nil) async throws {
        let _: Nothing = try await call(
            .post, "v1/me/email", body: EmailChange(email: email, password: password), key: key)
    }

    /// Has that address from then on, where the code is right.
    public func confirmEmail(code: String, key: String? = nil) async throws -> Person {
        try await call(.post, "v1/me/email/confirm", body: EmailConfirmation(code: code), key: key)
    }
}
