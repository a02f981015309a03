import Logging
import ServiceKit
import ServiceLifecycle

/// Looks now and then which street networks there are: an import by an operator's command is known to every replica without a restart.
struct StreetWatch: Service, CustomStringConvertible {
    static let pause = Duration.seconds(5)

    let store: StreetStore
    let maps: StreetMaps
    let logger: Logger
    var description: String { "streets" }

    func run() async throws {
        await repeatRounds(every: Self.pause, logger: logger, failing: "which streets there are is not known") {
            try await maps.follow(try await store.streets())
            return false
        }
        maps.stop()
    }
}
