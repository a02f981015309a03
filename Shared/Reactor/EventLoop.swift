import CLinux
import Glibc

/// What a descriptor is watched for, and what is reported of it.
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let readable = Interest(rawValue: 1)
    package static let writable = Interest(rawValue: 2)
    /// The peer hung up, or the descriptor failed; reading or writing tells which.
    package static let error = Interest(rawValue: 4)

    var epoll: UInt32 {
        (contains(.readable) ? EPOLLIN.rawValue : 0) | (contains(.writable) ? EPOLLOUT.rawValue : 0)
    }

    init(epoll: UInt32) {
        self = []
        if epoll & EPOLLIN.rawValue != 0 { insert(.readable) }
        if epoll & EPOLLOUT.rawValue != 0 { insert(.writable) }
        if epoll & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { insert(.error) }
    }
}

/// Descriptors, sources and timers of a reactor; confined to its thread.
final class EventLoop {
    var timers = TimerQueue()
    /// Requests that are asked or answered here.
    var underWay = 0
    private let epoll: Int32
    private let wakeup: Int32
    private var sources: [Source] = []
    private var watches: [Int32: Watch] = [:]
    /// Tells a watch from an earlier one on the same number, whose events epoll may have reported already.
    private var generation: UInt32 = 0
    private var events = [epoll_event](repeating: epoll_event(), count: 64)

    private struct Watch {
        var generation: UInt32
        var handler: (Interest) -> Void
    }

    private final class Source {
        let source: any ReactorSource
        var isActive = true
        init(_ source: any ReactorSource) { self.source = source }
    }

    init(wakeup: Int32) {
        epoll = check("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
        self.wakeup = wakeup
        control(EPOLL_CTL_ADD, wakeup, .readable, generation: 0)
    }

    // MARK: Sources

    func add(_ source: any ReactorSource) { sources.append(Source(source)) }

    func remove(_ source: any ReactorSource) {
        // The flag is for a turn of pumping that is under way over the old array.
        for slot in sources where slot.source === source { slot.isActive = false }
        sources.removeAll { $0.source === source }
    }

    func pumpSources() -> Bool {
        var worked = false
        for slot in sources where slot.isActive {
            if slot.source.pump() { worked = true }
        }
        return worked
    }

    // MARK: Descriptors

    func watch(_ fd: Int32, for interest: Interest, _ handler: @escaping (Interest) -> Void) {
        precondition(watches[fd] == nil, "descriptor \(fd) is watched already")
        generation &+= 1
        watches[fd] = Watch(generation: generation, handler: handler)
        control(EPOLL_CTL_ADD, fd, interest, generation: generation)
    }

    func change(_ fd: Int32, to interest: Interest) {
        guard let watch = watches[fd] else { preconditionFailure("descriptor \(fd) is not watched") }
        control(EPOLL_CTL_MOD, fd, interest, generation: watch.generation)
    }

    func unwatch(_ fd: Int32) {
        guard watches.removeValue(forKey: fd) != nil else { return }
        // A descriptor that was closed before has left epoll by itself.
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, fd, nil)
    }

    /// Waits up to `timeout` milliseconds (-1: for ever) and calls the handlers of what is ready.
    func poll(timeout: Int32) {
        let count = epoll_wait(epoll, &events, Int32(events.count), timeout)
        guard count > 0 else {
            // A signal only ends the wait early; the loop comes round again.
            precondition(count == 0 || errno == EINTR, "epoll_wait: errno \(errno)")
            return
        }
        for event in events[..<Int(count)] {
            let fd = Int32(truncatingIfNeeded: event.data.u64)
            let generation = UInt32(truncatingIfNeeded: event.data.u64 >> 32)
            if fd == wakeup {
                EventFD.drain(wakeup)
            } else if let watch = watches[fd], watch.generation == generation {
                watch.handler(Interest(epoll: event.events))
            }
        }
    }

    private func control(_ operation: Int32, _ fd: Int32, _ interest: Interest, generation: UInt32) {
        var event = epoll_event()
        event.events = interest.epoll
        event.data.u64 = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: fd))
        check("epoll_ctl") { epoll_ctl(epoll, operation, fd, &event) }
    }

    /// Lets go of everything that others registered, so that reference cycles through their closures end.
    func close() {
        for fd in Array(watches.keys) { unwatch(fd) }
        for slot in sources { slot.isActive = false }
        sources = []
        timers = TimerQueue()
    }

    deinit { Glibc.close(epoll) }
}
