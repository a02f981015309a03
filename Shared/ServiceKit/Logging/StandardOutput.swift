import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The process's standard output, a whole line at a time.
package enum StandardOutput {
    private static let lock = Mutex<Void>(())

    /// Writes all bytes; lines of several threads do not mix. What cannot be written (nobody reads any more) is dropped.
    @Sendable package static func write(_ bytes: [UInt8]) {
        lock.withLock { _ in writeAll(bytes, to: STDOUT_FILENO) }
    }

    /// Writes a sentence and a line feed to standard error.
    package static func complain(_ sentence: String) {
        lock.withLock { _ in writeAll(Array("\(sentence)\n".utf8), to: STDERR_FILENO) }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress!, $0.count) }
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR {
                return
            }
        }
    }

    /// Glibc's, which `write` above hides.
    private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes, count)
        #else
            Darwin.write(descriptor, bytes, count)
        #endif
    }
}
