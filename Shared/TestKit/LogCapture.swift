package import Logging
import Synchronization

/// Keeps what is logged, for tests that ask how often something was said.
package final class LogCapture: Sendable {
    package struct Line: Hashable, Sendable {
        package var level: Logger.Level
        package var message: String
        package var metadata: [String: String]
    }

    private let kept = Mutex<[Line]>([])

    package init() {}

    package var lines: [Line] { kept.withLock { $0 } }

    /// The lines with exactly this message.
    package func lines(saying message: String) -> [Line] { lines.filter { $0.message == message } }

    package var logger: Logger { Logger(label: "test") { _ in Handler(capture: self) } }

    private struct Handler: LogHandler {
        let capture: LogCapture
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.debug

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
            let line = Line(
                level: event.level, message: event.message.description, metadata: all.mapValues { "\($0)" })
            capture.kept.withLock { $0.append(line) }
        }
    }
}
