import FoundationEssentials
import Logging
import Metrics
import ServiceLifecycle
import WireProtocol

/// Delivers what waits in the queue for one channel, and says how much that is. Each channel has a sender of its own: an SMS gateway
/// that is slow holds up no mail.
///
/// Any number of replicas may run: each takes mails that no other is at. A process that dies during a delivery leaves its mail to the
/// next one when its lease is over. So a mail is delivered at least once, always under the same Message-ID.
struct MailSender<Queue: MailQueue>: Service, CustomStringConvertible {
    let queue: Queue
    let courier: any Courier
    let policy: MailPolicy
    let logger: Logger
    let now: @Sendable () -> Date
    var pause = Duration.milliseconds(500)
    var sweepInterval = Duration.seconds(10)

    var description: String { "\(courier.channel) sender" }

    func run() async throws {
        let metrics = MailMetrics(courier.channel)
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
    func deliver(_ metrics: MailMetrics? = nil) async throws -> Int {
        let (now, metrics) = (now(), metrics ?? MailMetrics(courier.channel))
        let mails = try await queue.claim(
            courier.channel, atMost: policy.atOnce, now: now, lease: now.addingTimeInterval(policy.lease))
        await withTaskGroup(of: Void.self) { group in
            for mail in mails { group.addTask { await deliver(mail, metrics) } }
        }
        return mails.count
    }

    private func deliver(_ mail: Mail, _ metrics: MailMetrics) async {
        let (failure, isDelivered) = await outcome(of: mail)
        let verdict =
            failure == nil && !isDelivered
            ? MailVerdict.withdrawn : mail.verdict(on: failure, now: now(), policy: policy)
        metrics.count(verdict)
        if let failure {
            logger.warning(
                "a \(mail.channel) could not be delivered",
                metadata: [
                    "mail": .string(mail.id.uuidString.lowercased()), "template": .string(mail.template),
                    "attempts": .stringConvertible(mail.attempts), "reason": .string(failure.reason),
                ])
        }
        await attempt("noting a delivery") { try await queue.settle(mail, as: verdict, now: now()) }
    }

    private func outcome(of mail: Mail) async -> (failure: MailFailure?, isDelivered: Bool) {
        do {
            return (nil, try await courier.deliver(mail))
        } catch let failure as MailFailure {
            return (failure, false)
        } catch let problem as MailProblem {
            return (MailFailure(isFinal: true, reason: problem.description), false)
        } catch {
            return (MailFailure(isFinal: false, reason: "\(type(of: error))"), false)
        }
    }

    func sweep(_ metrics: MailMetrics? = nil) async throws {
        let (now, metrics) = (now(), metrics ?? MailMetrics(courier.channel))
        try await queue.sweep(now: now, forgotten: now.addingTimeInterval(-policy.remembered))
        metrics.record(try await queue.tally(courier.channel, now: now))
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
    private let waiting: Gauge
    private let dead: Gauge
    private let oldest: Gauge
    private let delivered: Counter
    private let withdrawn: Counter
    private let delayed: Counter
    private let died: Counter

    init(_ channel: MailChannel) {
        let name = "kampong_\(channel)s"
        waiting = Gauge(label: "\(name)_waiting")
        dead = Gauge(label: "\(name)_dead")
        oldest = Gauge(label: "\(name)_oldest_waiting_seconds")
        delivered = Counter(label: name, dimensions: [("outcome", "delivered")])
        withdrawn = Counter(label: name, dimensions: [("outcome", "withdrawn")])
        delayed = Counter(label: name, dimensions: [("outcome", "delayed")])
        died = Counter(label: name, dimensions: [("outcome", "dead")])
    }

    func count(_ verdict: MailVerdict) {
        switch verdict {
        case .delivered: delivered.increment()
        case .withdrawn: withdrawn.increment()
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
