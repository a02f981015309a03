package import FoundationEssentials
import Synchronization

/// What one process is doing.
package struct ProcessState: Codable, Hashable, Sendable {
    package var name: String
    package var phase: Phase
    /// Absent while it does not run.
    package var pid: Int32?
    /// How often it was started again.
    package var restarts: Int
    /// When the phase began.
    package var since: Date

    package enum Phase: String, Codable, Sendable {
        /// Runs, and is not ready yet.
        case starting
        /// Ready; or running, where nothing tells whether it is ready.
        case running
        /// Ended, and waits to be started again.
        case waiting
        case stopped
    }
}

/// Keeps what is known of all processes, writes it to a file after each change, and says a line about it.
///
/// Safe from any thread.
package final class StackState: Sendable {
    private let states: Mutex<[ProcessState]>
    private let file: String?
    private let say: @Sendable (String) -> Void

    /// - Parameters:
    ///   - file: Rewritten whole, so that readers never see half of it; nil to write none.
    ///   - say: Takes one line per change.
    init(names: [String], file: String?, say: @escaping @Sendable (String) -> Void) {
        let now = Date()
        states = Mutex(names.map { ProcessState(name: $0, phase: .waiting, pid: nil, restarts: 0, since: now) })
        self.file = file
        self.say = say
    }

    package var all: [ProcessState] { states.withLock { $0 } }

    func change(_ name: String, to phase: ProcessState.Phase, pid: Int32?, _ line: String, isRestart: Bool = false) {
        states.withLock { states in
            guard let index = states.firstIndex(where: { $0.name == name }) else { return }
            states[index].phase = phase
            states[index].pid = pid
            states[index].since = Date()
            if isRestart { states[index].restarts += 1 }
            say("\(Self.clock.format(Date())) \(name): \(line)")
            write(states)
        }
    }

    /// Reads a state file; nil where there is none.
    package static func read(_ path: String) -> [ProcessState]? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try? decoder.decode([ProcessState].self, from: data)
    }

    private func write(_ states: [ProcessState]) {
        guard let file else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        do {
            try encoder.encode(states).write(to: URL(filePath: file), options: .atomic)
        } catch {
            say("The state file \(file) cannot be written.")
        }
    }

    private static let clock = Date.ISO8601FormatStyle()
}
