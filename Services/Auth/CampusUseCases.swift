import FoundationEssentials
import Messaging
import WireProtocol

/// What can be asked by who wants to belong to a campus.
struct CampusUseCases: Sendable {
    let database: any AuthDatabase
    let secrets: AuthSecrets
    let campuses: CampusDirectory
    let policy: VerificationPolicy
    let now: @Sendable () -> Date

    /// The same for a wrong code, one that is too old, was tried too often, was replaced, or never was.
    static let wrong = ServiceError.invalid([
        FieldError("code", "wrong", "This is not the code, or it is no longer good. Ask for a new one.")
    ])

    /// Notes that somebody wants a code; the mail is made when it is handed over. Nothing here looks for who has verified the address.
    /// - Throws: `invalid` at `email`, `tooManyRequests`.
    func request(_ form: EmailVerificationRequest, language: String?, _ context: RequestContext) async throws {
        let person = try context.caller.requirePerson()
        let email = try EmailAddress(ofField: form.email)
        guard let campus = campuses.campus(ofDomain: email.domain) else {
            throw ServiceError.invalid([FieldError("email", "no_campus", "This is no address of a campus here.")])
        }
        let now = now()
        let verification = CampusVerification(
            id: .version7(at: now), person: person, email: email, digest: secrets.campusDigest(of: email),
            campus: campus.id, requestedAt: now, expiresAt: now.addingTimeInterval(policy.lifetime))
        let mail = verification.outgoing(.campusCode, in: language)
        _ = try await database.command(context) { transaction in
            let verifications = transaction.stores.verifications
            let tally = try await verifications.tally(of: person, to: verification.digest, since: policy.since(now))
            try await transaction.send(mail, after: tally, policy, at: now) {
                try await verifications.add(verification)
            }
            return Nothing()
        }
    }

    /// Makes the person one of the campus.
    /// - Throws: `invalid` at `code`.
    func verify(_ form: EmailVerification, _ context: RequestContext) async throws -> Person {
        let person = try context.caller.requirePerson()
        let now = now()
        // Counted in a statement of its own: what the refusal rolls back must not be the count.
        let found = try await database.stores.verifications.attempt(
            by: person, now: now, atMost: policy.attempts)
        let isRight = found.map { VerificationCode.isSame(form.code, secrets.campusCode(of: $0.id)) }
        // A repeated request finds its code spent, and is answered from the record: only the transaction refuses.
        return try await database.command(context) { transaction in
            guard let found, isRight == true, try await transaction.stores.verifications.spend(found.id, at: now)
            else { throw Self.wrong }
            return try await transaction.settle(found, now)
        }
    }
}

extension AuthTransaction {
    fileprivate func settle(_ verification: CampusVerification, _ now: Date) async throws -> Person {
        guard var account = try await accounts.account(verification.person, locked: true) else {
            throw ServiceError(.unauthenticated, "Sign in again.")
        }
        let address = CampusAddress(
            email: verification.email, digest: verification.digest, campus: verification.campus, verifiedAt: now)
        let news = account.belong(to: address.campus)
        try await accounts.save(account)
        try await stores.verifications.keep(address, of: account.id)
        for event in news { publish(event, "person/\(account.id)") }
        return account.own
    }
}
