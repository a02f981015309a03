import FoundationEssentials
import WireProtocol

/// What a passkey is asked to sign: `id ‖ HMAC(key outside the database; purpose, id, for whom)`. The id says when it was made. It stands
/// nowhere until it is used, so that who asks for many fills no table; then its id does, so that it is used once.
struct PasskeyChallenge: Hashable, Sendable {
    enum Purpose: UInt8, Sendable {
        case add = 1
        case signIn
    }

    /// From the button to the answer: people look for the other telephone.
    static let lifetime: TimeInterval = 600
    /// By which clocks of replicas may differ.
    private static let leeway: TimeInterval = 60

    let id: UUID
    private let secret: [UInt8]

    /// - Parameter bound: for whom it is: nobody, or a person in a session.
    init(_ purpose: Purpose, bound: [UInt8] = [], at now: Date, _ secrets: AuthSecrets) {
        id = .version7(at: now)
        secret = secrets.passkeyChallenge(purpose, id: id, bound: bound)
    }

    /// Reads one; nil where it is none of ours for this, or too old.
    init?(_ text: String, _ purpose: Purpose, bound: [UInt8] = [], now: Date, _ secrets: AuthSecrets) {
        guard let bytes = Base64URL.decode(text), bytes.count == 48, let id = Frame.uuid(Array(bytes[..<16])) else {
            return nil
        }
        self.id = id
        secret = Array(bytes[16...])
        guard ConstantTime.equal(secret, secrets.passkeyChallenge(purpose, id: id, bound: bound)) else { return nil }
        let age = now.timeIntervalSince(madeAt)
        guard age < Self.lifetime, age > -Self.leeway else { return nil }
    }

    var text: String { Base64URL.encode(Frame.uuid(id) + secret) }

    /// RFC 9562, 5.7: the first 48 bits are milliseconds.
    var madeAt: Date {
        let milliseconds = Frame.uuid(id)[..<6].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// After which nobody needs to know that it was used.
    var forgottenAt: Date { madeAt.addingTimeInterval(Self.lifetime + Self.leeway) }
}

extension Caller {
    /// Who adds a passkey: the person, in the session in which they have shown that it is them.
    func passkeyBinding(_ person: PersonID) -> [UInt8] {
        Frame.uuid(person.uuid) + (session.map { Frame.uuid($0.uuid) } ?? [])
    }
}
