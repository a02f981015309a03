import Reactor
import ServiceLifecycle

/// A service whose tasks run on the reactor's thread: the HTTP server, whose requests else change threads twice more, on their way
/// to the bus and back.
struct OnReactor<Base: Service>: Service, CustomStringConvertible {
    let base: Base
    let reactor: Reactor

    init(_ base: Base, _ reactor: Reactor) {
        self.base = base
        self.reactor = reactor
    }

    var description: String { "\(base)" }

    func run() async throws {
        try await withTaskExecutorPreference(reactor) { try await base.run() }
    }
}
