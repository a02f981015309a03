import FoundationEssentials
import Messaging
import ServiceKit
import WireProtocol

// Signing in with a passkey: nobody says who they are, the passkey does.

extension PasskeyUseCases {
    /// What a browser is asked to sign. Nothing is looked up and nothing is kept.
    /// - Throws: `not_found` where there are no passkeys.
    func signInOptions() throws -> PasskeySignInOptions {
        let party = try on().party
        return PasskeySignInOptions(
            challenge: PasskeyChallenge(.signIn, at: now(), secrets).text,
            timeout: Int(PasskeyChallenge.lifetime * 1000), rpId: party.id)
    }

    /// Opens a session of the account that the passkey leads into.
    /// - Throws: `passkey_refused`, `passkey_stale`, `too_many_requests`; `suspended`, to who has the passkey.
    func signIn(_ form: PasskeySignIn, device: DeviceParameters, _ context: RequestContext) async throws
        -> IssuedSession
    {
        let ceremonies = try on()
        let attempt = Attempt(with: form.credential.id, context, secrets)
        let (verdict, isKnown) = try await accounts.judge(attempt)
        if case .refused(let refusal) = verdict { throw refusal }
        let now = now()
        let claim: PasskeyCeremonies.Claim
        do throws(PasskeyRefusal) {
            claim = try ceremonies.claim(form.credential)
        } catch {
            throw error.atTheDoor
        }
        // 7.2, step 6: whose it is, as it says itself.
        guard let found = try await database.stores.passkeys.passkey(credential: claim.credential, locked: false),
            found.isGood(at: ceremonies.party.id),
            ConstantTime.equal(claim.userHandle, secrets.passkeyHandle(of: found.person))
        else { throw verdict.refusal ?? PasskeyRefusal.unknown.atTheDoor }
        do throws(PasskeyRefusal) {
            try ceremonies.verify(claim, by: found.key)
        } catch {
            throw verdict.refusal ?? error.atTheDoor
        }
        guard verdict == .allowed || isKnown else { throw verdict.refusal ?? PasskeyRefusal.unknown.atTheDoor }
        let challenge = PasskeyChallenge(claim.challenge, .signIn, now: now, secrets)
        return try await database.command(context) { transaction in
            let store = transaction.stores.passkeys
            guard let challenge, try await store.use(challenge) else { throw Self.stale }
            // It may have been removed since; what it says now is held against what is kept now. The account first, as whoever removes it does.
            guard let account = try await transaction.accounts.account(found.person, locked: true),
                var passkey = try await store.passkey(credential: claim.credential, locked: true),
                passkey.id == found.id
            else { throw PasskeyRefusal.unknown.atTheDoor }
            do throws(PasskeyRefusal) {
                try passkey.use(claim.data, at: now)
            } catch {
                throw error.atTheDoor
            }
            try await store.save(passkey)
            try await transaction.stores.attempts.forgive(
                attempt, knownUntil: now.addingTimeInterval(accounts.limits.remembered))
            let issued = try await transaction.open(
                account, device: device, with: passkey.id, sessions, secrets, now)
            if !isKnown { try await transaction.tellOfDevice(issued, device, at: now) }
            return issued
        }
    }
}

extension Attempt {
    /// An attempt at a passkey, counted as one at a password is: from this network address together with those.
    init(with credential: String, _ context: RequestContext, _ secrets: AuthSecrets) {
        let network = Self.network(of: context.caller.address ?? "")
        self.init(
            id: Self.id(context, secrets),
            pair: secrets.attemptKey(["passkey pair", credential, network].map { Array($0.utf8) }),
            address: Self.address(network, secrets),
            email: secrets.attemptKey(["passkey", credential].map { Array($0.utf8) }))
    }
}
