import Supervisor
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A TCP proxy on 127.0.0.1 that misbehaves on demand; what netem would do, without the kernel's help.
///
/// Its work is done by a thread of its own; all of it may be called from any thread.
package final class FaultProxy: Sendable {
    package enum Mode: Hashable, Sendable {
        case pass
        /// Connections are reset, and new ones as soon as they are made.
        case cut
        /// Connections stay and nothing goes through, either way; new ones wait. What a half-open link looks like.
        case stall
        /// Each piece of data arrives so much later, in order.
        case delay(Duration)
    }

    /// Where to connect instead.
    package let port: Int
    private let shared: Mutex<Shared>
    private let wakeUp: Int32

    struct Shared {
        var mode: Mode
        var isStopped = false
        var accepted = 0
        var open = 0
        var bytes = 0
    }

    /// Begins to listen.
    /// - Parameters:
    ///   - target: The port of 127.0.0.1 to connect to; nobody needs to listen there yet.
    ///   - port: 0 for any.
    package init(to target: Int, port: Int = 0, mode: Mode = .pass) {
        let listener = LoopbackSocket.bound(port: port)
        precondition(listen(listener, 128) == 0, "listen: errno \(errno)")
        self.port = LoopbackSocket.port(of: listener)
        shared = Mutex(Shared(mode: mode))
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0, "pipe: errno \(errno)")
        let writing = ends[1]
        wakeUp = writing
        let loop = FaultProxyLoop(listener: listener, wakeUp: ends[0], target: target)
        // The thread keeps the proxy until `stop`; a test that forgets it keeps both to its end.
        BackgroundThread.start { [self] in
            loop.run { body in shared.withLock { body(&$0) } }
            shared.withLock { _ in _ = close(writing) }
        }
    }

    package var mode: Mode {
        get { shared.withLock { $0.mode } }
        set { change { $0.mode = newValue } }
    }

    /// Connections accepted so far.
    package var accepted: Int { shared.withLock { $0.accepted } }
    /// Connections that are open now.
    package var open: Int { shared.withLock { $0.open } }
    /// Bytes passed on so far, both ways.
    package var bytes: Int { shared.withLock { $0.bytes } }

    /// Resets all connections and stops listening.
    package func stop() { change { $0.isStopped = true } }

    private func change(_ body: (inout Shared) -> Void) {
        shared.withLock { shared in
            // After the stop the descriptor is the thread's to close, and may be somebody else's soon.
            guard !shared.isStopped else { return }
            body(&shared)
            var byte: UInt8 = 1
            write(wakeUp, &byte, 1)
        }
    }
}
