import Glibc

/// A hold of our own on a connection that is libzmq's, for a look at it when libzmq has let go: the line is not ended as long as somebody
/// holds it, and what libzmq did not want to read can still be seen. Ends with its last reference, so it must not be kept for long after that.
final class HeldConnection: Sendable {
    private let descriptor: Int32

    /// Nil where the descriptor is gone already, or this process may have no more of them.
    init?(_ descriptor: Int32) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        self.descriptor = copy
    }

    deinit { close(descriptor) }

    enum Rest {
        /// Something that the peer has sent and libzmq did not take.
        case unread
        /// The peer is there, and nothing of it (yet).
        case none
        /// The peer has left, and all that it had sent was read.
        case ended
    }

    var rest: Rest {
        var byte: UInt8 = 0
        switch recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) {
        case 1...: return .unread
        case 0: return .ended
        default: return errno == EAGAIN ? .none : .ended
        }
    }
}
