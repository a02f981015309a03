import Crypto
import FoundationEssentials
import Logging
import ServiceLifecycle
import WireProtocol

/// Delivers what waits for devices, and says how much that is.
///
/// Any number of replicas may run, as of `MailSender`: each takes what no other is at, and a process that dies during a delivery leaves it
/// to the next one when its lease is over. So a device may be told twice, under the same topic and tag, which shows as once.
///
/// So many are tried at the same time, and where one ends another begins: nobody waits for a server that hangs but its own devices.
struct PushSender: Service, CustomStringConvertible {
    let queue: any DeliveryQueue
    let devices: any DeviceRecords
    let seal: DeviceSeal
    let composer: PushComposer
    let transports: [PushKind: any PushTransport]
    let policy: PushPolicy
    let logger: Logger
    let now: @Sendable () -> Date
    let servers = PushServers()
    var pause = Duration.milliseconds(500)
    /// What ends within so long is followed by one look for more.
    var gathering = Duration.milliseconds(10)
    var sweepInterval = Duration.seconds(10)

    var description: String { "push sender" }

    private enum Step {
        /// A delivery to this device is over.
        case delivered(UUID)
        case gathered
        case paused
    }

    /// What is under way, and what is waited for besides.
    private struct Places {
        /// Devices that are being told something.
        var busy: Set<UUID> = []
        /// Whether there may be more that is due.
        var looks = true
        var isGathering = false
        var isPausing = false
    }

    func run() async throws {
        let metrics = PushMetrics()
        var nextSweep = ContinuousClock.now
        // What has begun is finished and noted before the end; only the pauses are cut short.
        await withTaskGroup(of: Step.self) { group in
            var places = Places()
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                if places.looks { await fill(&places, in: &group, metrics) }
                if ContinuousClock.now >= nextSweep {
                    nextSweep = .now + sweepInterval
                    await attempt("sweeping") { try await sweep(metrics) }
                }
                switch await group.next() {
                case .delivered(let device):
                    places.busy.remove(device)
                    guard !places.isGathering else { continue }
                    places.isGathering = true
                    group.addTask { await rest(for: gathering, as: .gathered) }
                case .gathered: (places.looks, places.isGathering) = (true, false)
                case .paused: (places.looks, places.isPausing) = (true, false)
                case nil: places.looks = true
                }
            }
        }
    }

    /// Begins what is due where a place is free; where one stays free, there is a look after a pause.
    private func fill(_ places: inout Places, in group: inout TaskGroup<Step>, _ metrics: PushMetrics) async {
        places.looks = false
        guard places.busy.count < policy.atOnce else { return }
        var claimed: [Claimed] = []
        await attempt("deliveries") { [busy = places.busy] in claimed = try await claim(besides: busy) }
        for one in claimed {
            places.busy.insert(one.delivery.device)
            group.addTask {
                await deliver(one, metrics)
                return .delivered(one.delivery.device)
            }
        }
        guard places.busy.count < policy.atOnce, !places.isPausing else { return }
        places.isPausing = true
        group.addTask { await rest(for: pause, as: .paused) }
    }

    private func rest(for duration: Duration, as step: Step) async -> Step {
        await cancelWhenGracefulShutdown { _ = try? await Task.sleep(for: duration) }
        return step
    }

    /// What is to be tried now, with what is known of its device; nil where that is gone.
    struct Claimed: Sendable {
        let delivery: PushDelivery
        let device: ReachedDevice?
    }

    /// - Parameter busy: Devices to which something is under way.
    func claim(besides busy: Set<UUID> = []) async throws -> [Claimed] {
        let now = now()
        let claimed = try await queue.claimDeliveries(
            atMost: policy.atOnce - busy.count, besides: busy, now: now, lease: now.addingTimeInterval(policy.lease))
        guard !claimed.isEmpty else { return [] }
        let known = try await devices.reached(claimed.map { PushDeviceID($0.device) })
        return claimed.map { Claimed(delivery: $0, device: known[$0.device]) }
    }

    func deliver(_ claimed: Claimed, _ metrics: PushMetrics) async {
        let (delivery, began) = (claimed.delivery, now())
        // It was signed out meanwhile, or is somebody else's now.
        guard let device = claimed.device, device.person == delivery.person else {
            return await attempt("forgetting a device") { try await queue.settle(delivery, again: nil) }
        }
        // Handed over in the moment in which it was found that it rests.
        if let until = device.restsUntil, until > began { return await putOff(delivery, until) }
        let target = try? seal.open(device.sealed, of: device.address)
        if let server = target?.server, let until = servers.begin(server, at: began) {
            return await putOff(delivery, until)
        }
        let push = Push(delivery: delivery, device: device)
        let failure = await failure(of: push, to: target)
        let ended = now()
        if let server = target?.server {
            servers.end(server, began: began, isSilent: failure?.kind == .silent, at: ended)
        }
        let verdict = push.verdict(on: failure, now: ended, policy: policy)
        metrics.count(verdict)
        if let failure {
            logger.warning(
                "a device could not be told something",
                metadata: [
                    "device": "\(device.id)", "kind": .string(delivery.notice.kind.rawValue),
                    "attempts": .stringConvertible(delivery.attempts), "reason": .string(failure.reason),
                ])
        }
        await attempt("noting a delivery") { try await settle(push, as: verdict, after: failure, ended) }
    }

    /// Nothing was tried.
    private func putOff(_ delivery: PushDelivery, _ until: Date) async {
        await attempt("putting off a delivery") {
            try await queue.putBack(delivery, until: until)
            try await queue.postponeDeliveries(to: delivery.device, until: until)
        }
    }

    /// What concerns the device comes first: where the process ends in between, the delivery comes again.
    private func settle(
        _ push: Push, as verdict: PushVerdict, after failure: PushFailure?, _ now: Date
    ) async throws {
        try await devices.note(verdict, of: push, now: now)
        if let rest = failure.flatMap({ push.rest(after: $0, now: now, policy: policy) }) {
            try await devices.rest(push.device, until: rest)
            try await queue.postponeDeliveries(to: push.delivery.device, until: rest)
        }
        switch verdict {
        case .delivered, .gone, .dead: try await queue.settle(push.delivery, again: nil)
        case .shortened: try await queue.settle(push.delivery, again: now)
        case .again(let at, _): try await queue.settle(push.delivery, again: at)
        }
    }

    private func failure(of push: Push, to target: PushTarget?) async -> PushFailure? {
        let (delivery, device) = (push.delivery, push.device)
        do {
            guard let target else {
                return PushFailure(kind: .gone, reason: "It was sealed with a key that is no longer there.")
            }
            guard let transport = transports[target.kind] else {
                return PushFailure(kind: .final, reason: "Devices of this kind are no longer reached from here.")
            }
            let message = composer.message(for: delivery, in: device.language, isBrief: device.takesLittle)
            let topic = Base64URL.encode(SHA256.hash(data: Array("\(device.id) \(delivery.tag)".utf8)).prefix(24))
            try await transport.deliver(
                PushLetter(message: message, topic: topic, expiresAt: delivery.expiresAt, now: now()), to: target)
            return nil
        } catch let failure as PushFailure {
            return failure
        } catch {
            return PushFailure(kind: .later(nil), reason: "\(type(of: error))")
        }
    }

    func sweep(_ metrics: PushMetrics = PushMetrics()) async throws {
        let now = now()
        try await devices.sweep(
            forgotten: now.addingTimeInterval(-policy.remembered),
            unseen: now.addingTimeInterval(-policy.devices.unseen))
        servers.sweep(before: now.addingTimeInterval(-3600))
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
