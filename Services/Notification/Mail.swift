import FoundationEssentials
import Reactor
import WireProtocol

/// A mail or a text that waits for its delivery. What is true of it; no I/O, no clock.
struct Mail: Hashable, Sendable {
    /// The id of the request that asked for it.
    let id: UUID
    let channel: MailChannel
    let template: String
    /// Recipient, language and words, encrypted; see `MailSeal`.
    let sealed: [UInt8]
    /// Deliveries that were begun, the one at hand included.
    var attempts: Int
    let acceptedAt: Date
    let expiresAt: Date
}

/// Why a delivery failed, without a word of the mail or its recipient.
struct MailFailure: Error, Hashable {
    /// Whether the recipient's server has refused it for good.
    var isFinal: Bool
    var reason: String
    /// In how many seconds the other side wants to be asked again, where it says so.
    var retryAfter: Int?
}

/// What becomes of a mail after a delivery was tried.
enum MailVerdict: Hashable {
    case delivered
    /// Nobody wants it any more; it is forgotten.
    case withdrawn
    case again(at: Date, reason: String)
    case dead(reason: String)
}

/// How deliveries are repeated.
struct MailPolicy: Hashable, Sendable {
    /// The first wait after a failure; each further one is twice as long.
    var firstWait: Duration = .seconds(5)
    var longestWait: Duration = .seconds(15 * 60)
    /// How long one process has for one delivery before another may begin it. More than a delivery may take.
    var lease: TimeInterval = 60
    /// Mails whose delivery is tried at the same time.
    var atOnce = 2
    /// After so many it is given up, while its time lasts as well: a delivery that may have taken place costs money each time.
    var mostAttempts = Int.max
    /// How long it stays known that a mail was sent or given up.
    var remembered: TimeInterval = 30 * 86_400

    static let texts = MailPolicy(mostAttempts: 5)

    func wait(after attempts: Int) -> TimeInterval {
        TimeInterval(Backoff.step(attempts - 1, first: firstWait, limit: longestWait).components.seconds)
    }
}

extension Mail {
    /// - Parameter failure: nil where the mail was taken by the other side.
    func verdict(on failure: MailFailure?, now: Date, policy: MailPolicy) -> MailVerdict {
        guard let failure else { return .delivered }
        if failure.isFinal { return .dead(reason: failure.reason) }
        let wait = max(policy.wait(after: attempts), TimeInterval(failure.retryAfter ?? 0))
        let next = now.addingTimeInterval(wait)
        return next < expiresAt && attempts < policy.mostAttempts
            ? .again(at: next, reason: failure.reason)
            : .dead(reason: failure.reason)
    }
}
