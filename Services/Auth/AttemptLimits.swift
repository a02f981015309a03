import FoundationEssentials
import Glibc
import Messaging
import WireProtocol

/// How many attempts at a password there may be within a window of time. The same for addresses with and without account.
struct AttemptLimits: Hashable, Sendable {
    /// At one email address from one network address.
    var pair = 10
    /// From one network address; a whole campus may stand behind it.
    var address = 300
    /// At one email address from anywhere; generous, and never in the way of a network address that has got in before.
    var email = 100
    var window: TimeInterval = 15 * 60
    /// How long a network address from which someone signed in counts as theirs.
    var remembered: TimeInterval = 90 * 86_400
}

/// One attempt, and the names under which it is counted. All are keyed digests.
struct Attempt: Hashable, Sendable {
    /// The same for a repeated request, which counts once; another guess under the same request id is another attempt.
    let id: UUID
    let pair: [UInt8]
    let address: [UInt8]
    let email: [UInt8]

    init(at email: EmailAddress, _ context: RequestContext, _ secrets: AuthSecrets) {
        let network = Self.network(of: context.caller.address ?? "")
        self.init(
            id: Self.id(context, secrets),
            pair: secrets.attemptKey(["pair", email.key, network].map { Array($0.utf8) }),
            address: Self.address(network, secrets),
            email: secrets.attemptKey(["email", email.key].map { Array($0.utf8) }))
    }

    init(id: UUID, pair: [UInt8], address: [UInt8], email: [UInt8]) {
        self.id = id
        self.pair = pair
        self.address = address
        self.email = email
    }

    static func id(_ context: RequestContext, _ secrets: AuthSecrets) -> UUID {
        Frame.uuid(Array(secrets.attemptKey([Frame.uuid(context.id), context.content]).prefix(16)))!
    }

    /// The same for passwords and passkeys.
    static func address(_ network: String, _ secrets: AuthSecrets) -> [UInt8] {
        secrets.attemptKey(["address", network].map { Array($0.utf8) })
    }

    /// An IPv6 subscriber has a whole /64 to come from; IPv4 stands for itself, also when it is written as IPv6.
    static func network(of address: String) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        if Array(bytes.prefix(12)) == mapped { return bytes.suffix(4).map(String.init).joined(separator: ".") }
        return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "/64"
    }
}

/// How often was tried so far, the attempt at hand included.
struct AttemptTally: Hashable, Sendable {
    struct Count: Hashable, Sendable {
        var attempts = 0
        var oldest: Date?
    }
    var pair = Count()
    var address = Count()
    var email = Count()
    /// Whether someone has signed in with this email address from this network address before.
    var isKnown = false
}

enum AttemptVerdict: Hashable {
    case allowed
    /// Whoever is right gets in from where they got in before; to all others it looks refused, right or wrong.
    case allowedIfRight(otherwise: ServiceError)
    case refused(ServiceError)

    /// What is said to those who do not get in.
    var refusal: ServiceError? {
        switch self {
        case .allowed: nil
        case .allowedIfRight(let refusal), .refused(let refusal): refusal
        }
    }
}

extension AttemptLimits {
    /// - Parameter now: The time of the attempt.
    func verdict(on tally: AttemptTally, now: Date) -> AttemptVerdict {
        for (count, limit) in [(tally.pair, pair), (tally.address, address)] where count.attempts > limit {
            return .refused(refusal(count, now))
        }
        guard tally.email.attempts > email else { return .allowed }
        // Both kinds of address take the same way to the same answer, so that nobody learns from where people sign in.
        return .allowedIfRight(otherwise: refusal(tally.email, now))
    }

    private func refusal(_ count: AttemptTally.Count, _ now: Date) -> ServiceError {
        let wait = count.oldest.map { $0.addingTimeInterval(window).timeIntervalSince(now) } ?? window
        let seconds = max(1, Int(wait.rounded(.up)))
        let words = seconds < 90 ? "\(seconds) seconds" : "\((seconds + 59) / 60) minutes"
        return ServiceError(
            .tooManyRequests, "Too many attempts. Try again in \(words).", retryAfter: seconds)
    }
}
