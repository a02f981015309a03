import FoundationEssentials
import Messaging
import WireProtocol

/// Erasing oneself: auth's part at once, the others' by an event that waits for each of them, and a receipt of all.
struct ErasureUseCases: Sendable {
    let database: any AuthDatabase
    let accounts: AccountUseCases
    /// Asks whoever may know what keeps a person.
    let commitments: AskForCommitments
    let now: @Sendable () -> Date

    typealias AskForCommitments = @Sendable (PersonID) async throws -> [Commitment]

    /// Deletes the account of the caller, and has every service do its part. There is no way back.
    /// - Throws: `invalid` at `password`, `tooManyRequests`; `inHand` while somebody else has to know who they are.
    func erase(_ form: ErasureRequest, language: String?, _ context: RequestContext) async throws -> Erasure {
        let person = try context.caller.requirePerson()
        // Where it is gone, this is the same request again, or is refused below.
        let account = try await provenAccount(of: person, form, context)
        let now = now()
        return try await database.command(context) { transaction in
            let erasures = transaction.stores.erasures
            guard let account, let erased = try await erasures.erase(account.id, now: now) else {
                throw ServiceError(.unauthenticated, "Sign in again.")
            }
            // Random, not by time: it is all that one needs to read the receipt.
            let id = ErasureID(UUID())
            let own = ErasurePart(service: PeerRole.auth.rawValue, doneAt: now, records: erased.records)
            let erasure = Erasure(
                id: id, requestedAt: now,
                parts: ErasurePolicy.services.map { service in
                    service == .auth ? own : ErasurePart(service: service.rawValue)
                })
            try await erasures.add(erasure, to: account.mailbox)
            try await erasures.add([erased.photo].compactMap(\.self), of: id)
            if account.mailbox != nil {
                try await transaction.stores.outgoing.add(
                    OutgoingMail(
                        id: id.uuid, kind: .erasure, language: Language.code(language),
                        expiresAt: now.addingTimeInterval(ErasurePolicy.mailLifetime)), dueAt: now)
            }
            if !erased.sessions.isEmpty {
                transaction.publish(SessionsRevoked(sessions: erased.sessions), "person/\(account.id)")
            }
            transaction.publish(PersonErased(erasure: id, person: account.id), "person/\(account.id)")
            return erasure
        }
    }

    /// - Returns: Nil where it is gone, also while the password was looked at: then nobody can show that it is theirs.
    private func provenAccount(
        of person: PersonID, _ form: ErasureRequest, _ context: RequestContext
    ) async throws -> Account? {
        guard let account = try await database.stores.accounts.account(person, locked: false) else { return nil }
        do {
            try await accounts.proveRecently(form.password, of: account, context)
            try await refuseWhatIsInHand(of: person)
            return account
        } catch {
            guard try await database.stores.accounts.account(person, locked: false) == nil else { throw error }
            return nil
        }
    }

    /// Whoever has somebody's car is not gone with it. Where that can't be known, nobody goes.
    private func refuseWhatIsInHand(of person: PersonID) async throws {
        let found: [Commitment]
        do {
            found = try await commitments(person)
        } catch {
            throw ServiceError(
                .unavailable,
                "Nobody can say now whether you have something of somebody else's. Try again in a moment.",
                retryAfter: 1)
        }
        guard !found.isEmpty else { return }
        throw ServiceError(
            .inHand,
            "Something is in your hands, or of yours in somebody else's. Until that is over they have to know who you are.",
            errors: found.map { FieldError($0) })
    }

    func erasure(_ id: ErasureID) async throws -> Erasure {
        guard let erasure = try await database.stores.erasures.erasure(id) else {
            throw ServiceError.notFound("receipt")
        }
        return erasure
    }

    // MARK: Pictures, for the gateway

    func photosToErase() async throws -> Page<ErasedPhotos> {
        Page(items: try await database.stores.erasures.photos(atMost: PhotoUse.largest))
    }

    func photosErased(_ photos: ErasedPhotos, _ context: RequestContext) async throws {
        let now = now()
        _ = try await database.command(context) { transaction in
            try await transaction.stores.erasures.finish(photos, now: now)
            return Nothing()
        }
    }

    func photosInUse(_ asked: PhotoUse) async throws -> PhotoUse {
        PhotoUse(
            photos: try await database.stores.erasures.portraits(among: Array(asked.photos.prefix(PhotoUse.largest))))
    }
}
