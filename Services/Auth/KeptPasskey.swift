import FIDO2
import FoundationEssentials
import PlainText
import WireProtocol

/// How many, and whether at all.
struct PasskeyPolicy: Hashable, Sendable {
    /// What one person may have.
    var most = 10
    /// What the authenticator's own window calls us.
    var community = "Kampong"
}

/// A passkey as it is kept: its public half, and what it said of itself last.
struct KeptPasskey: Hashable, Sendable {
    let id: PasskeyID
    let person: PersonID
    /// The relying party's id that it was made for: it signs for no other. Nil of old ones that no start with passkeys has seen yet.
    let host: String?
    /// What the authenticator calls it.
    let credential: [UInt8]
    let key: FIDO2.PublicKey
    let transports: [String]
    var name: String
    var counter: UInt32
    /// Whether it may be kept elsewhere too: for good (WebAuthn Level 3, 6.1.3).
    let isEligible: Bool
    var isBackedUp: Bool
    let addedAt: Date
    var lastUsedAt: Date?

    /// It has signed, and is believed: 7.2, steps 19, 22 and 24.
    mutating func use(_ data: AuthenticatorData, at now: Date) throws(PasskeyRefusal) {
        guard data.flags.contains(.eligible) == isEligible else { throw .contradiction }
        // Those that do not count say 0 for ever; most that are synced do.
        guard (data.counter == 0 && counter == 0) || data.counter > counter else { throw .copied }
        counter = data.counter
        isBackedUp = data.flags.contains(.backedUp)
        lastUsedAt = now
    }

    /// Whether it leads in where the relying party's id is this one.
    func isGood(at present: String?) -> Bool { present != nil && (host == nil || host == present) }

    func shown(at present: String?) -> Passkey {
        Passkey(
            id: id, name: name, synced: isBackedUp, addedAt: addedAt, lastUsedAt: lastUsedAt,
            elsewhere: present == nil || isGood(at: present) ? nil : host)
    }

    var descriptor: PasskeyDescriptor {
        PasskeyDescriptor(id: Base64URL.encode(credential), transports: transports.isEmpty ? nil : transports)
    }

    static let longestName = 60

    /// - Throws: `invalid` at `name`.
    static func name(_ text: String) throws(ServiceError) -> String {
        do throws(Objection) {
            return try TextRule.line(longestName).written(text, in: "name", required: "Give it a name.")
        } catch { throw .invalid([error.error]) }
    }

    /// What authenticators call their ways, as far as it looks like one: it is given back to browsers.
    static func transports(_ given: [String]?) -> [String] {
        let plain = (given ?? []).filter {
            (1...32).contains($0.utf8.count)
                && $0.utf8.allSatisfy {
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-")
                }
        }
        return Array(Set(plain)).sorted().prefix(8).map(\.self)
    }
}
