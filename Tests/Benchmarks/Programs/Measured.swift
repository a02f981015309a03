import Glibc
import Synchronization
import WireProtocol

/// Nanoseconds of CLOCK_MONOTONIC, which all processes of a machine share.
func nanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Nanoseconds that this thread had of a processor.
func processorNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// How long calls took, from any task.
final class Stopwatch: Sendable {
    private let durations = Mutex<[Int64]>([])

    func note(_ duration: Int64) { durations.withLock { $0.append(duration) } }

    /// What was noted, in microseconds, and how much of it in a second.
    func summary(over seconds: Double) -> Summary {
        let sorted = durations.withLock { $0.sorted() }
        let at = { (share: Double) in
            sorted.isEmpty ? 0 : Double(sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]) / 1000
        }
        return Summary(
            count: sorted.count, perSecond: Double(sorted.count) / seconds, p50: at(0.5), p90: at(0.9), p99: at(0.99))
    }

    struct Summary: Encodable {
        var count: Int
        var perSecond: Double
        var p50: Double
        var p90: Double
        var p99: Double
    }
}

/// Repeats `call` from `crowd` tasks at once for some seconds after a second of warming up.
func repeatedly(
    crowd: Int, seconds: Double, on executor: any TaskExecutor, _ call: @escaping @Sendable (Int) async throws -> Void
) async throws -> Stopwatch.Summary {
    let watch = Stopwatch()
    let begin = nanoseconds() + 1_000_000_000
    let end = begin + Int64(seconds * 1e9)
    try await withThrowingTaskGroup { group in
        for number in 0..<crowd {
            group.addTask(executorPreference: executor) {
                while true {
                    let start = nanoseconds()
                    if start >= end { return }
                    try await call(number)
                    if start >= begin { watch.note(nanoseconds() - start) }
                }
            }
        }
        try await group.waitForAll()
    }
    return watch.summary(over: seconds)
}

func report(_ value: some Encodable) throws {
    print(String(decoding: try WireJSON.encode(value), as: UTF8.self))
}

/// A mutex that may be part of a value.
final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>
    init(_ value: sending Value) { mutex = Mutex(value) }
    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { mutex.withLock { body(&$0) } }
}
