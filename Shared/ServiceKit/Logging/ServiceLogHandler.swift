import FoundationEssentials
package import Logging

/// How log lines look.
package enum LogFormat: String, CaseIterable, Sendable {
    /// One JSON object a line, for machines.
    case json
    /// For a terminal.
    case text
}

/// Writes log lines in one of the two formats. Metadata of the log call wins over that of the provider (the trace), and that
/// over the logger's own.
package struct ServiceLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    package var logLevel: Logger.Level
    private let service: String
    private let label: String
    private let format: LogFormat
    private let sink: @Sendable ([UInt8]) -> Void

    /// - Parameters:
    ///   - service: The service's name, in every line.
    ///   - label: The logger's label; shown where it differs from the service's name.
    ///   - sink: Takes a whole line with its line feed; called on the thread that logs.
    package init(
        service: String, label: String, format: LogFormat, level: Logger.Level,
        metadataProvider: Logger.MetadataProvider? = nil,
        sink: @escaping @Sendable ([UInt8]) -> Void = StandardOutput.write
    ) {
        self.service = service
        self.label = label
        self.format = format
        self.logLevel = level
        self.metadataProvider = metadataProvider
        self.sink = sink
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { _, new in new } }
        if let own = event.metadata { all.merge(own) { _, new in new } }
        let line = LogLine(
            time: Date(), level: event.level, service: service, label: label == service ? nil : label,
            message: event.message.description, error: event.error.map { "\($0)" }, metadata: all)
        sink(format == .json ? line.json() : line.text())
    }
}
