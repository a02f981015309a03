import FoundationEssentials
import ServiceLifecycle

/// Starts the processes of a stack, starts again what ends, and ends them all when it is asked to stop.
///
/// The thin shell around `RestartPolicy`. Children die with the supervisor, whatever it dies of (see `ChildProcess`).
package struct Supervisor: Service, CustomStringConvertible {
    package struct Options: Sendable {
        package var policy = RestartPolicy()
        /// How long a child may take to end after SIGTERM, before SIGKILL. Services give themselves 8 seconds.
        package var grace: Duration = .seconds(12)
        /// Between two questions to a readiness address.
        package var readinessInterval: Duration = .milliseconds(200)
        /// Between two questions to a liveness address.
        package var livenessInterval: Duration = .seconds(5)
        /// So many unanswered questions in a row, and the process is killed.
        package var livenessFailures = 3

        package init() {}
    }

    package let state: StackState
    private let processes: [ProcessSpecification]
    private let options: Options

    package var description: String { "supervisor" }

    /// - Parameters:
    ///   - stateFile: Rewritten at each change; nil to write none.
    ///   - say: Takes one line per change.
    package init(
        _ processes: [ProcessSpecification], options: Options = Options(), stateFile: String? = nil,
        say: @escaping @Sendable (String) -> Void
    ) {
        self.processes = processes
        self.options = options
        state = StackState(names: processes.map(\.name), file: stateFile, say: say)
    }

    /// Runs until a graceful shutdown or cancellation, and returns when no child is left.
    package func run() async throws {
        await cancelOnShutdown {
            await withTaskGroup { group in
                for process in processes {
                    group.addTask { await Watch(process: process, options: options, state: state).run() }
                }
            }
        }
    }

    /// A graceful shutdown cancels the watches, which end their children.
    private func cancelOnShutdown(_ body: @escaping @Sendable () async -> Void) async {
        let work = Task { await body() }
        await withTaskCancellationOrGracefulShutdownHandler {
            await work.value
        } onCancelOrGracefulShutdown: {
            work.cancel()
        }
    }
}
