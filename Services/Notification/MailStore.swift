import FoundationEssentials
import Messaging
import WireProtocol

// The ports: what is needed of the database.

/// Where mails and texts wait.
protocol MailQueue: Sendable {
    /// Takes what is due of a channel, so that nobody else takes them before `lease`; each counts as an attempt.
    func claim(_ channel: MailChannel, atMost count: Int, now: Date, lease: Date) async throws -> [Mail]
    /// Notes what became of a mail, unless its lease is over and somebody else has it by now.
    func settle(_ mail: Mail, as verdict: MailVerdict, now: Date) async throws
    /// Gives up what has expired in any channel, and forgets what ended before `forgotten`.
    func sweep(now: Date, forgotten: Date) async throws
    func tally(_ channel: MailChannel, now: Date) async throws -> MailTally
}

/// What others ask of the queue.
protocol MailRecords: Sendable {
    func accept(_ mail: Mail, _ context: RequestContext) async throws
    /// Those that were given up, the last first.
    func dead() async throws -> [DeadMail]
    /// Lets dead mails wait for delivery again, where what they say is still there.
    func retryDead(now: Date, _ context: RequestContext) async throws -> Int
    /// The latest first, those that follow `after`.
    /// - Parameter delivered: Whether those count that were delivered.
    func mails(_ channel: MailChannel, delivered: Bool, after: KeptMailID?, limit: Int, now: Date) async throws
        -> [KeptMail]
    func mail(_ id: KeptMailID, now: Date) async throws -> KeptMail?
    /// - Throws: `wrong_state` where it was not given up, or its time is over.
    func retry(_ id: KeptMailID, now: Date, _ context: RequestContext) async throws
}

/// What the operator watches.
struct MailTally: Hashable, Sendable {
    var waiting = 0
    var dead = 0
    /// Seconds since the oldest mail that waits was taken on.
    var oldest: Double = 0
}
