import Argon2
import ArgumentParser
import Reactor

/// The limit of the machine: hashes a second by the library alone, on threads like those of auth.
struct Hashes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Makes Argon2id hashes, and nothing else.")
    @Option(help: "Hashes at the same time.") var concurrency = 2
    @Option(help: "KiB of memory.") var memory = 19456
    @Option(help: "Passes over the memory.") var passes = 2
    @Option(help: "How long to measure.") var seconds = 3.0

    func run() async throws {
        let cost = Argon2.Cost(operations: passes, memoryBytes: memory << 10)
        let (watch, end) = (Stopwatch(), nanoseconds() + Int64(seconds * 1e9))
        let pool = BlockingPool(name: "hashes", limit: concurrency)
        defer { pool.stop() }
        try await withThrowingTaskGroup { group in
            for _ in 0..<concurrency {
                group.addTask {
                    try await pool.run {
                        let salt = [UInt8](repeating: 7, count: Argon2.saltLength)
                        while case let start = nanoseconds(), start < end {
                            _ = try Argon2.hash(
                                password: Array("a walk along the harbour".utf8), salt: salt, cost: cost)
                            watch.note(nanoseconds() - start)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try report(watch.summary(over: seconds))
    }
}
