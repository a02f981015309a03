import FoundationEssentials
import WireProtocol

/// The life of the signing keys.
struct KeyUseCases: Sendable {
    let database: any AuthDatabase
    let ring: KeyRing
    let rotation: KeyRotation
    let now: @Sendable () -> Date

    /// The public keys, the coming one included.
    func published() async throws -> SigningKeys { SigningKeys(try await database.stores.keys.keys()) }

    /// Makes the key that is due, retires those whose tokens are dead, and takes on what other replicas have done.
    ///
    /// Replicas take turns: the second sees the first one's key and makes none.
    func tend() async throws {
        let now = now()
        let seen = try await database.stores.keys.keys()
        let keys = isSettled(seen, now) ? seen : try await rotate(now)
        try await ring.hold(keys)
    }

    private func isSettled(_ keys: [SigningKey], _ now: Date) -> Bool {
        rotation.plan(keys, now: now) == KeyRotation.Plan(newKeySignsFrom: nil, retired: [])
    }

    private func rotate(_ now: Date) async throws -> [SigningKey] {
        try await database.transaction { transaction in
            let store = transaction.stores.keys
            var keys = try await store.keysLocked()
            let plan = rotation.plan(keys, now: now)
            if let signsFrom = plan.newKeySignsFrom {
                let key = try ring.makeKey(signsFrom: signsFrom, now: now)
                try await store.add(key)
                keys.append(key)
            }
            if !plan.retired.isEmpty {
                try await store.remove(plan.retired)
                keys.removeAll { plan.retired.contains($0) }
            }
            if plan.newKeySignsFrom != nil || !plan.retired.isEmpty {
                transaction.publish(SigningKeysChanged(keys: SigningKeys(keys)), "signingKeys")
            }
            return keys
        }
    }
}
