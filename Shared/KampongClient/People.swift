public import WireProtocol

// Accounts, sessions and profiles.

extension KampongClient {
    /// Makes an account and signs in.
    public func signUp(_ signUp: SignUp, key: String? = nil) async throws -> Person {
        let account = try await call(.post, "v1/accounts", body: signUp, key: key, as: NewAccount.self)
        await vault.store(account.session)
        return account.person
    }

    public func signIn(email: String, password: String) async throws -> Person {
        let answer = try await call(
            .post, "v1/sessions", body: SignIn(email: email, password: password), as: SignedIn.self)
        await vault.store(answer.tokens)
        return answer.person
    }

    /// Asks for a mail with a link that sets a new password. The same answer comes whether or not there is an account.
    public func requestPasswordReset(email: String) async throws {
        let _: Nothing = try await call(.post, "v1/password-resets", body: PasswordResetRequest(email: email))
    }

    /// Sets a new password by what such a link carries, and ends every session of the account.
    /// - Parameter unlink: whether providers that lead into the account are unlinked as well.
    public func resetPassword(token: String, password: String, unlink: Bool? = nil) async throws {
        let _: Nothing = try await call(
            .post, "v1/password-resets/confirm",
            body: PasswordReset(token: token, password: password, unlink: unlink))
    }

    /// Asks for a mail with a code to an address at one of the community's campuses.
    public func requestEmailVerification(email: String) async throws {
        let _: Nothing = try await call(
            .post, "v1/me/email-verifications", body: EmailVerificationRequest(email: email))
    }

    /// Belongs to the campus of that address from then on, where the code is right.
    public func verifyEmail(code: String) async throws -> Person {
        try await call(.post, "v1/me/email-verifications/confirm", body: EmailVerification(code: code))
    }

    /// Asks for a text with a code to a telephone number, where the community sends texts.
    public func requestPhoneVerification(phone: String) async throws {
        let _: Nothing = try await call(
            .post, "v1/me/phone-verifications", body: PhoneVerificationRequest(phone: phone))
    }

    /// Has that number, verified, from then on, where the code is right.
    public func verifyPhone(code: String) async throws -> Person {
        try await call(.post, "v1/me/phone-verifications/confirm", body: PhoneVerification(code: code))
    }

    /// Exchanges the refresh token for fresh tokens; calls do it by themselves when needed.
    public func refresh() async throws { _ = try await vault.refresh() }

    /// Ends this session.
    public func signOut() async throws {
        let _: Nothing = try await call(.delete, "v1/sessions/current")
        await vault.store(nil)
    }

    /// Ends every session of the person, this one included.
    public func signOutEverywhere() async throws {
        let _: Nothing = try await call(.delete, "v1/sessions")
        await vault.store(nil)
    }

    public func sessions() async throws -> [Session] {
        try await call(.get, "v1/sessions", as: Page<Session>.self).items
    }

    public func endSession(_ id: SessionID) async throws {
        let _: Nothing = try await call(.delete, "v1/sessions/\(id)")
    }

    public func me() async throws -> Person { try await call(.get, "v1/me") }

    public func changeProfile(_ change: ProfileChange, key: String? = nil) async throws -> Person {
        try await call(.patch, "v1/me", body: change, key: key)
    }

    /// Whether a username can be had, and free ones like it where not.
    public func username(_ username: String) async throws -> UsernameAvailability {
        try await call(.get, "v1/usernames/\(username)")
    }

    public func person(_ id: PersonID) async throws -> Person { try await call(.get, "v1/people/\(id)") }

    public func about() async throws -> About { try await call(.get, "v1/about") }
}
