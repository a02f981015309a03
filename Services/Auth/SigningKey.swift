import FoundationEssentials

/// A key that access tokens are signed with from its time on, until a later one takes over.
struct SigningKey: Hashable, Sendable {
    let id: UUID
    /// The Ed25519 public key.
    let publicKey: [UInt8]
    /// The private key, sealed with `AuthSecrets`.
    let sealed: [UInt8]
    let signsFrom: Date

    var kid: String { id.uuidString.lowercased() }
}

/// When keys come and go.
struct KeyRotation: Hashable, Sendable {
    /// How long a key signs.
    var period: TimeInterval = 30 * 86_400
    /// How long a key is published before it signs, so that every gateway has it by then.
    var lead: TimeInterval = 3600
    /// How long a key stays after it signed last: longer than any token lives.
    var retention: TimeInterval = 2 * 3600

    struct Plan: Hashable {
        /// When a new key begins to sign; nil where none is needed.
        var newKeySignsFrom: Date?
        /// The keys whose tokens are all dead.
        var retired: [SigningKey]
    }

    func plan(_ keys: [SigningKey], now: Date) -> Plan {
        let keys = keys.sorted { $0.signsFrom < $1.signsFrom }
        guard let newest = keys.last else { return Plan(newKeySignsFrom: now, retired: []) }
        let next = newest.signsFrom.addingTimeInterval(period)
        let isDue = next.addingTimeInterval(-lead) <= now
        let retired = zip(keys, keys.dropFirst()).filter { _, successor in
            successor.signsFrom.addingTimeInterval(retention) <= now
        }
        // After a long sleep the next key is still published ahead of its use; the old one signs meanwhile.
        return Plan(newKeySignsFrom: isDue ? max(next, now.addingTimeInterval(lead)) : nil, retired: retired.map(\.0))
    }

    /// The key that signs at a moment: the same answer in every replica, now and later.
    static func signer(among keys: [SigningKey], at moment: Date) -> SigningKey? {
        let keys = keys.sorted { ($0.signsFrom, $0.kid) < ($1.signsFrom, $1.kid) }
        return keys.last { $0.signsFrom <= moment } ?? keys.first
    }
}
