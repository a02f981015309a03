#if canImport(Glibc)
    import Glibc
#endif

/// The loop of a `FaultProxy`: one `poll` over the listener and both sides of every link. Confined to its thread.
struct FaultProxyLoop: Sendable {
    let listener: Int32
    let wakeUp: Int32
    let target: Int

    /// Runs until the state says stop, then closes everything.
    /// - Parameter state: Lends the state that is shared with other threads.
    func run(_ state: (_ body: (inout FaultProxy.Shared) -> Void) -> Void) {
        var links: [Link] = []
        while true {
            var now = FaultProxy.Shared(mode: .pass)
            state { now = $0 }
            if now.isStopped { break }
            if now.mode == .cut { Self.reset(&links) }
            var bytes = 0
            let accepted = turn(&links, mode: now.mode, bytes: &bytes) {
                var isCurrent = false
                state { isCurrent = $0.mode == now.mode && !$0.isStopped }
                return isCurrent
            }
            links.removeAll { link in
                if link.isOver { link.close() }
                return link.isOver
            }
            state {
                $0.accepted += accepted
                $0.open = links.count
                $0.bytes += bytes
            }
        }
        Self.reset(&links)
        state { $0.open = 0 }
        close(listener)
        close(wakeUp)
    }

    /// Waits for something to happen, and does what can be done. Returns how many connections were accepted.
    /// - Parameter isCurrent: Whether the mode is still that one. It may have changed during the wait, and what came after the
    ///   change must be treated by the new one.
    private func turn(
        _ links: inout [Link], mode: FaultProxy.Mode, bytes: inout Int, isCurrent: () -> Bool
    ) -> Int {
        let isStalled = mode == .stall
        var polls = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
        polls.append(pollfd(fd: isStalled ? -1 : listener, events: Int16(POLLIN), revents: 0))
        let now = ContinuousClock.now
        if !isStalled { for link in links { polls += link.polls(now) } }
        let timeout = isStalled ? nil : links.compactMap { $0.nextDue(after: now) }.min()
        let milliseconds = timeout.map { Int32((($0 - now) / .milliseconds(1)).rounded(.up)) } ?? -1
        guard poll(&polls, nfds_t(polls.count), milliseconds) >= 0 else { return 0 }
        if polls[0].revents != 0 { drainWakeUp() }
        guard !isStalled, isCurrent() else { return 0 }
        let delay: Duration = if case .delay(let duration) = mode { duration } else { .zero }
        for index in links.indices {
            bytes += links[index].work(polls[2 + 2 * index], polls[3 + 2 * index], delay: delay)
        }
        return polls[1].revents & Int16(POLLIN) != 0 ? accept(into: &links, mode) : 0
    }

    private func drainWakeUp() {
        var buffer = [UInt8](repeating: 0, count: 256)
        _ = read(wakeUp, &buffer, buffer.count)
    }

    private func accept(into links: inout [Link], _ mode: FaultProxy.Mode) -> Int {
        let near = Glibc.accept(listener, nil, nil)
        guard near >= 0 else { return 0 }
        let far = LoopbackSocket.make()
        let isConnected = LoopbackSocket.withAddress(port: target) { connect(far, $0, $1) } == 0
        let link = Link(near: near, far: far)
        if isConnected && mode != .cut { links.append(link) } else { link.reset() }
        return 1
    }

    private static func reset(_ links: inout [Link]) {
        for link in links { link.reset() }
        links = []
    }
}

/// Two sockets, and what is on its way between them.
struct Link {
    private var toFar: Direction
    private var toNear: Direction
    private let near: Int32
    private let far: Int32

    init(near: Int32, far: Int32) {
        for descriptor in [near, far] {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            var yes: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        self.near = near
        self.far = far
        toFar = Direction(from: near, to: far)
        toNear = Direction(from: far, to: near)
    }

    var isOver: Bool { toFar.isBroken || toNear.isBroken || (toFar.isDone && toNear.isDone) }

    /// Near and far, each for what may be read from it and written to it now.
    func polls(_ now: ContinuousClock.Instant) -> [pollfd] {
        let nearEvents = (toFar.wantsInput ? POLLIN : 0) | (toNear.hasDue(now) ? POLLOUT : 0)
        let farEvents = (toNear.wantsInput ? POLLIN : 0) | (toFar.hasDue(now) ? POLLOUT : 0)
        return [(near, nearEvents), (far, farEvents)].map { descriptor, events in
            // A hang-up is reported even when nobody asks; without wishes the descriptor is left out, or poll would spin.
            pollfd(fd: events == 0 ? -1 : descriptor, events: Int16(events), revents: 0)
        }
    }

    func nextDue(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        [toFar.nextDue, toNear.nextDue].compactMap(\.self).filter { $0 > now }.min()
    }

    /// Moves what can be moved. Returns how many bytes arrived.
    mutating func work(_ near: pollfd, _ far: pollfd, delay: Duration) -> Int {
        if near.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { toFar.receive(delay: delay) }
        if far.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { toNear.receive(delay: delay) }
        return toFar.send() + toNear.send()
    }

    func close() {
        _ = Glibc.close(near)
        _ = Glibc.close(far)
    }

    /// Closes both with RST instead of FIN.
    func reset() {
        for descriptor in [near, far] {
            var lingering = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
        }
        close()
    }
}

/// One way of a link.
struct Direction {
    private let from: Int32
    private let to: Int32
    private var queue: [(due: ContinuousClock.Instant, bytes: ArraySlice<UInt8>)] = []
    private var queued = 0
    private var hasEnded = false
    private(set) var isBroken = false
    /// Everything arrived, and the other side knows that no more comes.
    private(set) var isDone = false

    init(from: Int32, to: Int32) {
        self.from = from
        self.to = to
    }

    var wantsInput: Bool { !hasEnded && queued < 1 << 20 }
    var nextDue: ContinuousClock.Instant? { queue.first?.due }
    func hasDue(_ now: ContinuousClock.Instant) -> Bool { nextDue.map { $0 <= now } ?? false }

    mutating func receive(delay: Duration) {
        guard wantsInput else { return }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(from, &buffer, buffer.count, 0)
        if count > 0 {
            queue.append((ContinuousClock.now + delay, buffer[..<count]))
            queued += count
        } else if count == 0 {
            // The end takes as long as the data: an empty piece stands for it.
            hasEnded = true
            queue.append((ContinuousClock.now + delay, []))
        } else if errno != EAGAIN && errno != EINTR {
            isBroken = true
        }
    }

    mutating func send() -> Int {
        var sent = 0
        while let (due, bytes) = queue.first, due <= .now, !isBroken {
            if bytes.isEmpty {
                shutdown(to, Int32(SHUT_WR))
                isDone = true
                queue.removeFirst()
                continue
            }
            let count = bytes.withUnsafeBytes { Glibc.send(to, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else {
                isBroken = errno != EAGAIN && errno != EINTR
                break
            }
            sent += count
            queued -= count
            queue[0].bytes = bytes.dropFirst(count)
            if queue[0].bytes.isEmpty { queue.removeFirst() }
        }
        return sent
    }
}
