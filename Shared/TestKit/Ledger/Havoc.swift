import Synchronization

/// Something that can be hurt and healed: a process of the stack, or the database's server.
package struct Victim: Sendable {
    package var name: String
    package var kill: @Sendable () async throws -> Void
    package var start: @Sendable () async throws -> Void
    package var pause: @Sendable () async throws -> Void
    package var resume: @Sendable () async throws -> Void

    package static func member(_ member: StackMember, of stack: Stack) -> Victim {
        Victim(
            name: "\(member)", kill: { try await stack.kill(member) }, start: { try await stack.start(member) },
            pause: { try await stack.pause(member) }, resume: { try await stack.resume(member) })
    }

    package static func server(_ server: PostgresCluster) -> Victim {
        Victim(
            name: "postgres", kill: { try await server.kill() }, start: { try await server.start() },
            pause: { try await server.pause() }, resume: { try server.resume() })
    }

    /// Starts it again. A service that gave up because the database was away is started once more, as a supervisor would.
    package func revive() async throws {
        for _ in 1...3 {
            do { return try await start() } catch { try await Task.sleep(for: .seconds(1)) }
        }
        try await start()
    }
}

/// Kills and freezes random victims, again and again; what was killed is started again as a supervisor would.
package struct Havoc: Sendable {
    package var victims: [Victim]
    package var random: SeededGenerator
    /// Milliseconds from one fault to the next.
    package var interval = 1000...3000
    /// Milliseconds that something stays frozen.
    package var freeze = 200...4000
    /// What a supervisor waits before it starts something again.
    package var restart: Duration = .milliseconds(250)

    package init(_ victims: [Victim], seed: UInt64) {
        self.victims = victims
        random = SeededGenerator(seed: seed)
    }

    /// Returns when the time is over and everything runs again.
    /// - Returns: What was done, in order: `1240 ms kill listings`.
    /// - Throws: What could not be done; a victim that does not start in time.
    package mutating func run(for duration: Duration) async throws -> [String] {
        let begin = ContinuousClock.now
        let end = begin + duration
        var done: [String] = []
        let busy = Busy()
        try await withThrowingTaskGroup(of: Void.self) { group in
            while ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(Int.random(in: interval, using: &random)))
                let idle = victims.filter { victim in !busy.contains(victim.name) }
                guard let victim = idle.randomElement(using: &random), ContinuousClock.now < end else { continue }
                let lasts = Int.random(in: freeze, using: &random)
                let frozen: Duration? = Bool.random(using: &random) ? .milliseconds(lasts) : nil
                done.append(
                    "\((.now - begin) / .milliseconds(1)) ms \(frozen.map { "freeze \($0)" } ?? "kill") \(victim.name)")
                busy.insert(victim.name)
                group.addTask { [restart, busy] in
                    defer { busy.remove(victim.name) }
                    if let frozen {
                        try await victim.pause()
                        try await Task.sleep(for: frozen)
                        try await victim.resume()
                    } else {
                        try await victim.kill()
                        try await Task.sleep(for: restart)
                        try await victim.revive()
                    }
                }
            }
            try await group.waitForAll()
        }
        return done
    }
}

/// Those that are being hurt, or heal.
private final class Busy: Sendable {
    private let names = Mutex<Set<String>>([])
    func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
    func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }
    func remove(_ name: String) { names.withLock { _ = $0.remove(name) } }
}
