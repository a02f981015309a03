package import Configuration
import CoreMetrics
package import Logging
import Synchronization
import Tracing

#if canImport(Glibc)
    import Glibc
#endif

/// How this process logs, counts and traces; set up once per process.
package struct Telemetry: Sendable {
    package var logger: Logger
    package var metrics: PrometheusRegistry

    private static let shared = PrometheusRegistry()
    private static let isBootstrapped = Mutex(false)

    /// Reads `log.level` (info), `log.format` (text on a terminal, json elsewhere) and `trace` (off: finished spans are logged
    /// at level debug; on: at level info), and installs the three systems that libraries log, count and trace through. A
    /// second call in one process, as tests make it, leaves those as they are and returns a logger of its own.
    package static func start(service: String, config: ConfigReader) throws(ConfigurationProblem) -> Telemetry {
        let level = try logLevel(config)
        let format = try logFormat(config)
        let make: @Sendable (String) -> any LogHandler = { label in
            ServiceLogHandler(service: service, label: label, format: format, level: level, metadataProvider: .trace)
        }
        let logger = Logger(label: service, factory: make)
        let traces = config.bool(forKey: "trace", default: false)
        isBootstrapped.withLock { done in
            guard !done else { return }
            done = true
            LoggingSystem.bootstrap(make)
            MetricsSystem.bootstrap(shared)
            InstrumentationSystem.bootstrap(LogTracer(logger: logger, level: traces ? .info : .debug))
        }
        return Telemetry(logger: logger, metrics: shared)
    }

    private static func logLevel(_ config: ConfigReader) throws(ConfigurationProblem) -> Logger.Level {
        guard let text = config.string(forKey: "log.level") else { return .info }
        guard let level = Logger.Level(rawValue: text.lowercased()) else {
            throw .bad("log.level", "is none of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return level
    }

    private static func logFormat(_ config: ConfigReader) throws(ConfigurationProblem) -> LogFormat {
        guard let text = config.string(forKey: "log.format") else { return isatty(STDOUT_FILENO) == 1 ? .text : .json }
        guard let format = LogFormat(rawValue: text.lowercased()) else {
            throw .bad("log.format", "is neither json nor text")
        }
        return format
    }
}
