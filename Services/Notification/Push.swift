import FoundationEssentials
import Reactor
import WireProtocol

/// A notice on its way to one device, with what is known of the device. What is true of it; no I/O, no clock.
struct Push: Hashable, Sendable {
    let delivery: PushDelivery
    let device: ReachedDevice
}

extension PushDelivery {
    /// What is told of the same thing later takes the place of what was told before.
    var tag: String { "\(notice.kind.rawValue)/\(notice.subject.kind.rawValue)/\(notice.subject.id)" }
}

/// What is needed of a device to tell it something.
struct ReachedDevice: Hashable, Sendable {
    let id: PushDeviceID
    let person: PersonID
    let language: String
    /// How it is reached; see `DeviceSeal`.
    let sealed: [UInt8]
    let address: [UInt8]
    /// Whether its server takes little: then it is told what kind of thing there is, and no more.
    let takesLittle: Bool
    /// How often in a row its server took nothing, and until when it is left alone because of that.
    var failures = 0
    var restsUntil: Date?
}

/// Why a delivery failed, without a word of it or where to.
struct PushFailure: Error, Hashable {
    enum Kind: Hashable {
        /// It may go well later: in so many seconds, where the server says so.
        case later(Int?)
        /// The same, of a server that said nothing at all, and had all the time that a delivery has.
        case silent
        /// The device is no longer there, or does not want to hear of us.
        case gone
        case tooLong
        /// It will never go well.
        case final
    }
    var kind: Kind
    var reason: String
}

/// What becomes of it after a delivery was tried.
enum PushVerdict: Hashable {
    case delivered
    case again(at: Date, reason: String)
    /// At once, with fewer words.
    case shortened(reason: String)
    /// The device is forgotten.
    case gone(reason: String)
    case dead(reason: String)
}

/// How deliveries are repeated.
struct PushPolicy: Hashable, Sendable {
    /// The first wait after a failure; each further one is twice as long.
    var firstWait: Duration = .seconds(5)
    var longestWait: Duration = .seconds(15 * 60)
    /// How long one process has for one delivery before another may begin it. More than a delivery may take.
    var lease: TimeInterval = 60
    /// Deliveries that are tried at the same time.
    var atOnce = 8
    /// How long it stays known what was given up.
    var remembered: TimeInterval = 7 * 86_400
    var devices = DevicePolicy()

    func wait(after attempts: Int) -> TimeInterval {
        TimeInterval(Backoff.step(attempts - 1, first: firstWait, limit: longestWait).components.seconds)
    }
}

extension Push {
    /// - Parameter failure: nil where it was taken by the other side.
    func verdict(on failure: PushFailure?, now: Date, policy: PushPolicy) -> PushVerdict {
        guard let failure else { return .delivered }
        switch failure.kind {
        case .gone: return .gone(reason: failure.reason)
        case .final: return .dead(reason: failure.reason)
        case .tooLong: return device.takesLittle ? .dead(reason: failure.reason) : .shortened(reason: failure.reason)
        case .later, .silent:
            let next = rest(after: failure, now: now, policy: policy) ?? now
            return next < delivery.expiresAt ? .again(at: next, reason: failure.reason) : .dead(reason: failure.reason)
        }
    }

    /// Until when its device is left alone after a failure, whatever becomes of this delivery; nil where its server takes other things.
    func rest(after failure: PushFailure, now: Date, policy: PushPolicy) -> Date? {
        var wanted = 0
        switch failure.kind {
        case .gone, .final, .tooLong: return nil
        case .silent: break
        case .later(let seconds): wanted = seconds ?? 0
        }
        // What is new at a device that has failed for hours is not the first of it.
        let wait = policy.wait(after: max(delivery.attempts, device.failures + 1))
        return now.addingTimeInterval(max(wait, TimeInterval(wanted)))
    }
}
