import FoundationEssentials
import Messaging
import WireProtocol

/// What can be asked by who wants to show that a telephone number is theirs.
struct PhoneUseCases: Sendable {
    let database: any AuthDatabase
    let secrets: AuthSecrets
    let policy: PhonePolicy
    let now: @Sendable () -> Date

    static let off = ServiceError(.notFound, "No texts are sent here, so that no number can be verified.")

    /// Notes that somebody wants a code; the text is made when it is handed over. Nothing here looks for who has the number.
    /// - Throws: `notFound` where no texts are sent, `invalid` at `phone`, `tooManyRequests`.
    func request(_ form: PhoneVerificationRequest, language: String?, _ context: RequestContext) async throws {
        let person = try context.caller.requirePerson()
        guard policy.isOn else { throw Self.off }
        let phone = try read(form.phone)
        let now = now()
        let verification = PhoneVerificationCase(
            id: .version7(at: now), person: person, phone: phone, requestedAt: now,
            expiresAt: now.addingTimeInterval(policy.lifetime))
        let text = verification.outgoing(.phoneCode, in: language)
        let digest = secrets.phoneDigest(of: phone)
        _ = try await database.command(context) { transaction in
            let phones = transaction.stores.phones
            let tally = try await phones.tally(
                of: person, to: digest, since: now.addingTimeInterval(-policy.window))
            switch tally.verdict(policy, now: now) {
            case .wait(let seconds):
                throw ServiceError(.tooManyRequests, "That was often. Try again later.", retryAfter: seconds)
            case .exhausted(let seconds):
                throw ServiceError(
                    .tooManyRequests, "So many texts were sent today that no more are. Try again tomorrow.",
                    retryAfter: seconds)
            case .sendNothing:
                // It counts as one that was asked for: what comes next does not tell the two apart.
                try await phones.add(verification)
            case .send:
                try await phones.add(verification)
                try await phones.count(verification.id, to: digest, at: now)
                try await transaction.stores.outgoing.add(text, dueAt: now)
            }
            return Nothing()
        }
    }

    private func read(_ text: String) throws(ServiceError) -> PhoneNumber {
        let phone: PhoneNumber
        do throws(Objection) { phone = try PhoneNumber(text) } catch { throw ServiceError.invalid([error.error]) }
        guard policy.serves(phone) else {
            throw ServiceError.invalid([FieldError("phone", "not_served", "Texts do not go to this country from here.")]
            )
        }
        return phone
    }

    /// Gives the person the number, verified; whoever had it before has it no longer, and is told.
    /// - Throws: `notFound` where no texts are sent, `invalid` at `code`.
    func verify(_ form: PhoneVerification, _ context: RequestContext) async throws -> Person {
        let person = try context.caller.requirePerson()
        guard policy.isOn else { throw Self.off }
        let now = now()
        // Counted in a statement of its own: what the refusal rolls back must not be the count.
        let found = try await database.stores.phones.attempt(by: person, now: now, atMost: policy.attempts)
        let isRight = found.map { VerificationCode.isSame(form.code, secrets.phoneCode(of: $0.id)) }
        // A repeated request finds its code spent, and is answered from the record: only the transaction refuses.
        return try await database.command(context) { transaction in
            guard let found, isRight == true, try await transaction.stores.phones.spend(found.id, at: now)
            else { throw CampusUseCases.wrong }
            return try await transaction.settle(found, digest: secrets.phoneDigest(of: found.phone), now)
        }
    }
}

extension AuthTransaction {
    fileprivate func settle(_ verification: PhoneVerificationCase, digest: [UInt8], _ now: Date) async throws -> Person
    {
        // Of two who show at once that it is theirs, the second one waits here; then nobody but its holder can change who has it.
        let holder = try await stores.phones.lockedHolder(of: digest)
        var locked: [PersonID: Account] = [:]
        // In the order of the ids, so that nobody waits in a circle.
        for id in Set([verification.person, holder].compactMap(\.self)).sorted() {
            locked[id] = try await accounts.account(id, locked: true)
        }
        guard var account = locked[verification.person] else {
            throw ServiceError(.unauthenticated, "Sign in again.")
        }
        if let holder, holder != account.id, var other = locked[holder], other.phoneProof?.digest == digest {
            other.losePhoneProof()
            try await accounts.save(other)
            try await tell(KeptNotice(.new(at: now), .phoneMoved, for: other.id, at: now), at: now)
        }
        account.verify(verification.phone, PhoneProof(digest: digest, since: now))
        try await accounts.save(account)
        return account.own
    }
}
