import CLinux
import Glibc

/// Runs a system call again while a signal interrupts it. What is called so fails only for a broken program or an
/// exhausted system (no descriptors left), where going on makes no sense.
@discardableResult
func check(_ name: StaticString, _ call: () -> Int32) -> Int32 {
    while true {
        let result = call()
        if result >= 0 { return result }
        precondition(errno == EINTR, "\(name): errno \(errno)")
    }
}

/// An eventfd by which other threads end the reactor's wait.
final class EventFD: Sendable {
    let descriptor: Int32

    init() {
        descriptor = check("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
    }

    deinit { close(descriptor) }

    func signal() {
        var one: UInt64 = 1
        // EAGAIN means that the counter is full: the thread has been woken well enough.
        while write(descriptor, &one, 8) < 0, errno == EINTR {}
    }

    static func drain(_ descriptor: Int32) {
        var count: UInt64 = 0
        while read(descriptor, &count, 8) < 0, errno == EINTR {}
    }
}

/// Starts a joinable thread that runs `body`.
func startThread(name: String, _ body: @escaping @Sendable () -> Void) -> pthread_t {
    final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void
        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
    var thread = pthread_t()
    let result = pthread_create(
        &thread, nil,
        { argument in
            let start = Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue()
            pthread_setname_np(pthread_self(), String(decoding: start.name.utf8.prefix(15), as: UTF8.self))
            start.body()
            return nil
        }, Unmanaged.passRetained(Start(name, body)).toOpaque())
    precondition(result == 0, "pthread_create: errno \(result)")
    return thread
}
