import Logging
import Metrics
import ServiceLifecycle

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Delivers what waits in the queue, and says how much that is.
///
/// Any number of replicas may run: each takes mails that no other is at. A process that dies during a delivery leaves its mail to the
/// next one when its lease is over. So a mail is delivered at least once, always under the same Message-ID.
struct MailSender<Queue: MailQueue>: Service, CustomStringConvertible {
    let queue: Queue
    let seal: MailSeal
    let composer: MailComposer
    let transport: any MailTransport
    let policy: MailPolicy
    let logger: Logger
    let now: @Sendable () -> Date
    var pause = Duration.milliseconds(500)
    var sweepInterval = Duration.seconds(10)

    var description: String { "mail sender" }

    func run() async throws {
        let metrics = MailMetrics()
        var nextSweep = ContinuousClock.now
        // What has begun is finished and noted before the end; only the pause is cut short.
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            var claimed = 0
            await attempt("deliveries") { claimed = try await deliver(metrics) }
            if ContinuousClock.now >= nextSweep {
                nextSweep = .now + sweepInterval
                await attempt("sweeping") { try await sweep(metrics) }
            }
            if claimed < policy.atOnce {
                await cancelWhenGracefulShutdown { [pause] in _ = try? await Task.sleep(for: pause) }
            }
        }
    }

    /// One round.
    /// - Returns: How many were tried.
    func deliver(_ metrics: MailMetrics = MailMetrics()) async throws -> Int {
        let now = now()
        let mails = try await queue.claim(
            atMost: policy.atOnce, now: now, lease: now.addingTimeInterval(policy.lease))
        await withTaskGroup(of: Void.self) { group in
            for mail in mails { group.addTask { await deliver(mail, metrics) } }
        }
        return mails.count
    }

    private func deliver(_ mail: Mail, _ metrics: MailMetrics) async {
        let failure = await failure(of: mail)
        let verdict = mail.verdict(on: failure, now: now(), policy: policy)
        metrics.count(verdict)
        if let failure {
            logger.warning(
                "a mail could not be delivered",
                metadata: [
                    "mail": .string(mail.id.uuidString.lowercased()), "template": .string(mail.template),
                    "attempts": .stringConvertible(mail.attempts), "reason": .string(failure.reason),
                ])
        }
        await attempt("noting a delivery") { try await queue.settle(mail, as: verdict, now: now()) }
    }

    private func failure(of mail: Mail) async -> MailFailure? {
        guard let order = try? seal.open(mail.sealed, of: mail.id) else {
            return MailFailure(isFinal: true, reason: "It was sealed with a key that is no longer there.")
        }
        do {
            let message = try composer.message(for: order, id: mail.id, at: mail.acceptedAt)
            try await transport.deliver(message)
            return nil
        } catch let failure as MailFailure {
            return failure
        } catch let problem as MailProblem {
            return MailFailure(isFinal: true, reason: problem.description)
        } catch {
            return MailFailure(isFinal: false, reason: "\(type(of: error))")
        }
    }

    func sweep(_ metrics: MailMetrics = MailMetrics()) async throws {
        let now = now()
        try await queue.sweep(now: now, forgotten: now.addingTimeInterval(-policy.remembered))
        metrics.record(try await queue.tally(now: now))
    }

    /// The next round tries again.
    private func attempt(_ what: String, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch  where !Task.isCancelled {
            logger.warning("the mail queue is away", metadata: ["what": .string(what), "reason": .string("\(error)")])
        } catch {}
    }
}

/// What Prometheus is told.
struct MailMetrics: Sendable {
    private let waiting = Gauge(label: "kampong_mails_waiting")
    private let dead = Gauge(label: "kampong_mails_dead")
    private let oldest = Gauge(label: "kampong_mails_oldest_waiting_seconds")
    private let delivered = Counter(label: "kampong_mails", dimensions: [("outcome", "delivered")])
    private let delayed = Counter(label: "kampong_mails", dimensions: [("outcome", "delayed")])
    private let died = Counter(label: "kampong_mails", dimensions: [("outcome", "dead")])

    func count(_ verdict: MailVerdict) {
        switch verdict {
        case .delivered: delivered.increment()
        case .again: delayed.increment()
        case .dead: died.increment()
        }
    }

    func record(_ tally: MailTally) {
        waiting.record(tally.waiting)
        dead.record(tally.dead)
        oldest.record(tally.oldest)
    }
}
