import Reactor
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One thing that a person is told on their devices: what their inbox says of it, and no word more.
struct PushNote: Codable, Hashable, Sendable {
    let id: InboxNoticeID
    let kind: InboxNoticeKind
    /// What the one who did it is called.
    let actor: String?
    /// How many things it stands for.
    let count: Int
    /// What it is about is called.
    let title: String?
    let about: NoticeKind?
    /// A path of the pages.
    let link: String
    /// What is told of the same thing later takes the place of what was told before.
    let tag: String
    /// How many notices are unread.
    let unread: Int?

    init(_ notice: InboxNotice, unread: Int?) {
        (id, kind, count, title) = (notice.id, notice.kind, notice.count, notice.title)
        (about, link, self.unread) = (notice.about, notice.link, unread)
        actor = notice.actor?.name
        tag = "\(notice.kind.rawValue)/\(notice.subject.kind.rawValue)/\(notice.subject.id)"
    }
}

/// A note on its way to one device. What is true of it; no I/O, no clock.
struct Push: Hashable, Sendable {
    let id: UUID
    let device: PushDeviceID
    /// How the device is reached; see `DeviceSeal`.
    let sealed: [UInt8]
    let address: [UInt8]
    let language: String
    let note: PushNote
    /// Whether all of it was too long for the device's server.
    let isBrief: Bool
    /// Deliveries that were begun, the one at hand included.
    let attempts: Int
    let expiresAt: Date
}

/// Why a delivery failed, without a word of it or where to.
struct PushFailure: Error, Hashable {
    enum Kind: Hashable {
        /// It may go well later: in so many seconds, where the server says so.
        case later(Int?)
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
    /// How long what ended stays known.
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
        case .tooLong: return isBrief ? .dead(reason: failure.reason) : .shortened(reason: failure.reason)
        case .later(let wanted):
            let next = now.addingTimeInterval(max(policy.wait(after: attempts), TimeInterval(wanted ?? 0)))
            return next < expiresAt ? .again(at: next, reason: failure.reason) : .dead(reason: failure.reason)
        }
    }
}
