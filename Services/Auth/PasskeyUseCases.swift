import FIDO2
import FoundationEssentials
import Messaging
import ServiceKit
import WireProtocol

/// What can be asked about passkeys by who is signed in.
struct PasskeyUseCases: Sendable {
    let database: any AuthDatabase
    let secrets: AuthSecrets
    let accounts: AccountUseCases
    let policy: PasskeyPolicy
    /// Nil where browsers know no passkeys of ours.
    let ceremonies: PasskeyCeremonies?
    /// Providers that lead in: beside one, the last passkey may go.
    let identities: IdentitySettings
    let sessions: SessionPolicy
    let now: @Sendable () -> Date

    static let stale = ServiceError(
        .passkeyStale, "This took too long, was done before, or began elsewhere. Begin again.")
    static let taken = ServiceError(.passkeyTaken, "This passkey leads into an account already.")

    /// - Throws: `not_found` where there are no passkeys.
    func on() throws(ServiceError) -> PasskeyCeremonies {
        guard let ceremonies else { throw .notFound("passkey") }
        return ceremonies
    }

    func passkeys(for caller: Caller) async throws -> Page<Passkey> {
        let person = try caller.requirePerson()
        let host = host
        return Page(items: try await database.stores.passkeys.passkeys(of: person).map { $0.shown(at: host) })
    }

    /// The relying party's id.
    private var host: String? { ceremonies?.party.id }

    /// What a browser is asked to make, for who has shown that it is them. Only then the challenge is made, and nobody can use it but this
    /// person in this session: so what is made with it needs no password again.
    /// - Throws: `invalid` at `password`, `too_many_requests`, `too_many_passkeys`.
    func options(_ request: PasskeyRequest, _ context: RequestContext) async throws -> PasskeyCreationOptions {
        let person = try context.caller.requirePerson()
        let party = try on().party
        let account = try await accounts.account(of: person)
        try await database.stores.suspensions.require(person, at: now())
        try await accounts.proveRecently(request.password ?? "", of: account, context)
        let own = try await database.stores.passkeys.passkeys(of: person).filter { $0.isGood(at: party.id) }
        guard own.count < policy.most else { throw tooMany }
        let challenge = PasskeyChallenge(.add, bound: context.caller.passkeyBinding(person), at: now(), secrets)
        return PasskeyCreationOptions(
            rp: .init(id: party.id, name: policy.community),
            user: .init(
                id: Base64URL.encode(secrets.passkeyHandle(of: person)), name: account.email.text,
                displayName: account.profile.name),
            challenge: challenge.text, algorithms: FIDO2.Algorithm.allCases.map { Int($0.rawValue) },
            timeout: Int(PasskeyChallenge.lifetime * 1000), excludeCredentials: own.map(\.descriptor))
    }

    /// Keeps what the browser has made. The person is told, by mail too.
    /// - Throws: `invalid` at `name` or `credential`, `passkey_stale`, `passkey_taken`, `too_many_passkeys`.
    func add(_ draft: PasskeyDraft, _ context: RequestContext) async throws -> Passkey {
        let person = try context.caller.requirePerson()
        let ceremonies = try on()
        let name = try KeptPasskey.name(draft.name)
        let now = now()
        let made: PasskeyCeremonies.Made
        do throws(PasskeyRefusal) {
            made = try ceremonies.made(draft.credential)
        } catch {
            throw error.whenAdding
        }
        let challenge = PasskeyChallenge(
            made.challenge, .add, bound: context.caller.passkeyBinding(person), now: now, secrets)
        let passkey = KeptPasskey(
            id: .new(at: now), person: person, host: ceremonies.party.id, credential: made.credential.id,
            key: made.credential.key,
            transports: KeptPasskey.transports(draft.credential.response.transports), name: name,
            counter: made.data.counter, isEligible: made.data.flags.contains(.eligible),
            isBackedUp: made.data.flags.contains(.backedUp), addedAt: now)
        // A repeated request finds its challenge used, and is answered from the record: only the transaction refuses.
        return try await database.command(context) { transaction in
            // Held, so that of two at once the second one is counted after the first.
            guard try await transaction.accounts.account(person, locked: true) != nil else {
                throw ServiceError(.unauthenticated, "Sign in again.")
            }
            let store = transaction.stores.passkeys
            guard let challenge, try await store.use(challenge) else { throw Self.stale }
            let own = try await store.passkeys(of: person).filter { $0.isGood(at: ceremonies.party.id) }
            guard own.count < policy.most else { throw tooMany }
            // 7.1, step 26.
            guard try await store.add(passkey) else { throw Self.taken }
            try await transaction.tell(
                KeptNotice(.new(at: now), .passkeyAdded, for: person, title: name, at: now), at: now)
            return passkey.shown(at: ceremonies.party.id)
        }
    }

    /// - Throws: `not_found`, `invalid` at `name`.
    func rename(_ id: PasskeyID, _ form: PasskeyName, _ context: RequestContext) async throws -> Passkey {
        let person = try context.caller.requirePerson()
        let name = try KeptPasskey.name(form.name)
        return try await database.command(context) { transaction in
            guard var passkey = try await transaction.stores.passkeys.locked(id, of: person) else {
                throw ServiceError.notFound("passkey")
            }
            passkey.name = name
            try await transaction.stores.passkeys.save(passkey)
            return passkey.shown(at: host)
        }
    }

    /// Removes it, and ends the sessions that were opened with it, but for the one that asks.
    /// - Throws: `proof_needed`, `not_found`, `last_way_in`.
    func remove(_ id: PasskeyID, _ context: RequestContext) async throws {
        let person = try context.caller.requirePerson()
        let now = now()
        _ = try await database.command(context) { transaction in
            // Held, so that of two ways in that are given up at once one stays.
            guard try await transaction.accounts.account(person, locked: true) != nil else {
                throw ServiceError(.unauthenticated, "Sign in again.")
            }
            let store = transaction.stores.passkeys
            guard let passkey = try await store.locked(id, of: person) else { throw ServiceError.notFound("passkey") }
            try await transaction.requireProof(context.caller, at: now)
            try await requireAnotherWay(for: person, than: passkey, in: transaction.stores)
            try await transaction.end(.openedWith(id, but: context.caller.session), of: person, now)
            try await store.remove(id)
            try await transaction.tell(
                KeptNotice(.new(at: now), .passkeyRemoved, for: person, title: passkey.name, at: now), at: now)
            return Nothing()
        }
    }

    private func requireAnotherWay(
        for person: PersonID, than passkey: KeptPasskey, in stores: AuthStores
    ) async throws {
        if try await stores.identities.hasPassword(person) { return }
        // One that was made for another host leads nowhere, and is no way in that is given up.
        if ceremonies != nil, !passkey.isGood(at: host) { return }
        let others = try await stores.passkeys.passkeys(of: person).filter { $0.id != passkey.id }
        if others.contains(where: { $0.isGood(at: host) }) { return }
        let known = Set(identities.providers.map(\.id))
        if try await stores.identities.identities(of: person).contains(where: { known.contains($0.provider) }) {
            return
        }
        throw ServiceError(
            .lastWayIn,
            "Without it you could not sign in any more. Choose a password first (Forgot your password?).")
    }

    private var tooMany: ServiceError {
        ServiceError(.tooManyPasskeys, "You have \(policy.most) passkeys, and no more are possible. Remove one first.")
    }
}
