import Messaging
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The ports: what is needed of the database.

/// Where mails wait.
protocol MailQueue: Sendable {
    /// Takes mails that are due, so that nobody else takes them before `lease`; each counts as an attempt.
    func claim(atMost count: Int, now: Date, lease: Date) async throws -> [Mail]
    /// Notes what became of a mail, unless its lease is over and somebody else has it by now.
    func settle(_ mail: Mail, as verdict: MailVerdict, now: Date) async throws
    /// Gives up what has expired, and forgets what ended before `forgotten`.
    func sweep(now: Date, forgotten: Date) async throws
    func tally(now: Date) async throws -> MailTally
}

/// What others ask of the queue.
protocol MailRecords: Sendable {
    func accept(_ mail: Mail, _ context: RequestContext) async throws
    /// Those that were given up, the last first.
    func dead() async throws -> [DeadMail]
    /// Lets dead mails wait for delivery again, where what they say is still there.
    func retryDead(now: Date, _ context: RequestContext) async throws -> Int
}

/// What the operator watches.
struct MailTally: Hashable, Sendable {
    var waiting = 0
    var dead = 0
    /// Seconds since the oldest mail that waits was taken on.
    var oldest: Double = 0
}
