/// Tells the thread sanitizer what it cannot see of `Mutex`, which the standard library brings without instruments: what was done before
/// work was queued has been done when it runs. In any other build there is nothing of it.
enum Handover {
    #if KAMPONG_THREAD_SANITIZER
        @_silgen_name("__tsan_release") private static func release(_ address: UnsafeMutableRawPointer)
        @_silgen_name("__tsan_acquire") private static func acquire(_ address: UnsafeMutableRawPointer)

        static func give(to queue: AnyObject) { release(Unmanaged.passUnretained(queue).toOpaque()) }
        static func take(from queue: AnyObject) { acquire(Unmanaged.passUnretained(queue).toOpaque()) }
    #else
        @inline(__always) static func give(to queue: AnyObject) {}
        @inline(__always) static func take(from queue: AnyObject) {}
    #endif
}
