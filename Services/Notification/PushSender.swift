import Crypto
import Logging
import Metrics
import ServiceLifecycle
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Delivers what waits for devices, and says how much that is.
///
/// Any number of replicas may run, as of `MailSender`: each takes what no other is at, and a process that dies during a delivery leaves it
/// to the next one when its lease is over. So a device may be told twice, under the same topic and tag, which shows as once.
struct PushSender: Service, CustomStringConvertible {
    let queue: any DeliveryQueue
    let devices: any DeviceRecords
    let seal: DeviceSeal
    let composer: PushComposer
    let transports: [PushKind: any PushTransport]
    let policy: PushPolicy
    let logger: Logger
    let now: @Sendable () -> Date
    var pause = Duration.milliseconds(500)
    var sweepInterval = Duration.seconds(10)

    var description: String { "push sender" }

    func run() async throws {
        let metrics = PushMetrics()
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
    func deliver(_ metrics: PushMetrics = PushMetrics()) async throws -> Int {
        let now = now()
        let claimed = try await queue.claimDeliveries(
            atMost: policy.atOnce, now: now, lease: now.addingTimeInterval(policy.lease))
        guard !claimed.isEmpty else { return 0 }
        let known = try await devices.reached(claimed.map { PushDeviceID($0.device) })
        await withTaskGroup(of: Void.self) { group in
            for delivery in claimed { group.addTask { await deliver(delivery, to: known[delivery.device], metrics) } }
        }
        return claimed.count
    }

    private func deliver(_ delivery: PushDelivery, to device: ReachedDevice?, _ metrics: PushMetrics) async {
        // It was signed out meanwhile, or is somebody else's now.
        guard let device, device.person == delivery.person else {
            return await attempt("forgetting a device") { try await queue.settle(delivery, again: nil) }
        }
        let push = Push(delivery: delivery, device: device)
        let failure = await failure(of: push)
        let verdict = push.verdict(on: failure, now: now(), policy: policy)
        metrics.count(verdict)
        if let failure {
            logger.warning(
                "a device could not be told something",
                metadata: [
                    "device": "\(device.id)", "kind": .string(delivery.notice.kind.rawValue),
                    "attempts": .stringConvertible(delivery.attempts), "reason": .string(failure.reason),
                ])
        }
        await attempt("noting a delivery") { try await settle(push, as: verdict) }
    }

    /// What concerns the device comes first: where the process ends in between, the delivery comes again.
    private func settle(_ push: Push, as verdict: PushVerdict) async throws {
        let now = now()
        try await devices.note(verdict, of: push, now: now)
        switch verdict {
        case .delivered, .gone, .dead: try await queue.settle(push.delivery, again: nil)
        case .shortened: try await queue.settle(push.delivery, again: now)
        case .again(let at, _): try await queue.settle(push.delivery, again: at)
        }
    }

    private func failure(of push: Push) async -> PushFailure? {
        let (delivery, device) = (push.delivery, push.device)
        do {
            guard let target = try? seal.open(device.sealed, of: device.address) else {
                return PushFailure(kind: .gone, reason: "It was sealed with a key that is no longer there.")
            }
            guard let transport = transports[target.kind] else {
                return PushFailure(kind: .final, reason: "Devices of this kind are no longer reached from here.")
            }
            let message = try composer.message(for: delivery, in: device.language, isBrief: device.takesLittle)
            let topic = Base64URL.encode(SHA256.hash(data: Array("\(device.id) \(delivery.tag)".utf8)).prefix(24))
            try await transport.deliver(
                PushLetter(message: message, topic: topic, expiresAt: delivery.expiresAt, now: now()), to: target)
            return nil
        } catch let failure as PushFailure {
            return failure
        } catch let problem as MailProblem {
            return PushFailure(kind: .final, reason: problem.description)
        } catch {
            return PushFailure(kind: .later(nil), reason: "\(type(of: error))")
        }
    }

    func sweep(_ metrics: PushMetrics = PushMetrics()) async throws {
        let now = now()
        try await devices.sweep(
            forgotten: now.addingTimeInterval(-policy.remembered),
            unseen: now.addingTimeInterval(-policy.devices.unseen))
        metrics.record(try await devices.tally())
    }

    /// The next round tries again.
    private func attempt(_ what: String, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch  where !Task.isCancelled {
            logger.warning(
                "what waits for devices is away", metadata: ["what": .string(what), "reason": .string("\(error)")])
        } catch {}
    }
}

/// What Prometheus is told.
struct PushMetrics: Sendable {
    private let waiting = Gauge(label: "kampong_pushes_waiting")
    private let dead = Gauge(label: "kampong_pushes_dead")
    private let devices = Gauge(label: "kampong_push_devices")
    private let delivered = Self.counter("delivered")
    private let delayed = Self.counter("delayed")
    private let shortened = Self.counter("shortened")
    private let gone = Self.counter("gone")
    private let died = Self.counter("dead")

    private static func counter(_ outcome: String) -> Counter {
        Counter(label: "kampong_pushes", dimensions: [("outcome", outcome)])
    }

    func count(_ verdict: PushVerdict) {
        switch verdict {
        case .delivered: delivered.increment()
        case .again: delayed.increment()
        case .shortened: shortened.increment()
        case .gone: gone.increment()
        case .dead: died.increment()
        }
    }

    func record(_ tally: PushTally) {
        waiting.record(tally.waiting)
        dead.record(tally.dead)
        devices.record(tally.devices)
    }
}
