import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The system's random numbers, some of them drawn in advance: `SystemRandomNumberGenerator` asks the kernel for each, and a request needs ten.
package struct BufferedRandom: RandomNumberGenerator, Sendable {
    /// The most that the kernel gives at once: 256 bytes.
    private static let count = 256 / MemoryLayout<UInt64>.size
    private static let drawn = Mutex<[UInt64]>([])

    package init() {}

    package func next() -> UInt64 {
        Self.drawn.withLock { drawn in
            if let number = drawn.popLast() { return number }
            drawn = [UInt64](repeating: 0, count: Self.count)
            let isDrawn = drawn.withUnsafeMutableBytes { getentropy($0.baseAddress!, $0.count) == 0 }
            if let number = drawn.popLast(), isDrawn { return number }
            drawn = []
            var generator = SystemRandomNumberGenerator()
            return generator.next()
        }
    }
}
