import Foundation
import Logging
import ServiceContextModule
import ServiceKit
import Synchronization
import Testing

/// Collects log lines.
final class LineSink: Sendable {
    private let stored = Mutex<[String]>([])
    var lines: [String] { stored.withLock { $0 } }
    var write: @Sendable ([UInt8]) -> Void {
        { bytes in self.stored.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
    }

    func logger(_ format: LogFormat, level: Logger.Level = .info, label: String = "auth") -> Logger {
        Logger(label: label) { label in
            ServiceLogHandler(
                service: "auth", label: label, format: format, level: level, metadataProvider: .trace, sink: self.write)
        }
    }

    /// The one line as a JSON object.
    func object() throws -> [String: Any] {
        let line = try #require(lines.count == 1 ? lines[0] : nil)
        #expect(line.hasSuffix("}\n"))
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
}

private struct Failure: Error {}

@Suite("Log lines")
struct LogTests {
    @Test func `a line of JSON holds what was logged, whatever it contains`() throws {
        let sink = LineSink()
        let nasty = "quote \" backslash \\ line\nfeed tab\t bell\u{7} ünï ☂"
        sink.logger(.json).error(
            "\(nasty)", error: Failure(),
            metadata: [
                "count": .stringConvertible(3), "ratio": .stringConvertible(0.5), "yes": .stringConvertible(true),
                "nan": .stringConvertible(Double.nan), "list": ["a", ["b": "c"]], "key \"": "v",
            ])
        let object = try sink.object()
        #expect(object["message"] as? String == nasty)
        #expect(object["level"] as? String == "error")
        #expect(object["service"] as? String == "auth")
        #expect(object["logger"] == nil)
        #expect((object["error"] as? String)?.contains("Failure") == true)
        let metadata = try #require(object["metadata"] as? [String: Any])
        #expect(metadata["count"] as? Int == 3)
        #expect(metadata["ratio"] as? Double == 0.5)
        #expect(metadata["yes"] as? Bool == true)
        #expect(metadata["nan"] as? String == "nan")
        #expect(metadata["key \""] as? String == "v")
        let list = try #require(metadata["list"] as? [Any])
        #expect(list[0] as? String == "a")
        #expect((list[1] as? [String: String]) == ["b": "c"])
        let time = try #require(object["time"] as? String)
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    }

    @Test func `the trace of the task is in the line`() throws {
        let sink = LineSink()
        var context = ServiceContext.topLevel
        context.trace = TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
        ServiceContext.$current.withValue(context) { sink.logger(.json).info("hello") }
        let object = try sink.object()
        #expect(object["trace"] as? String == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(object["span"] as? String == "00f067aa0ba902b7")
        #expect(object["metadata"] == nil)
    }

    @Test func `nearer metadata wins`() throws {
        let sink = LineSink()
        var logger = sink.logger(.json, label: "auth.pool")
        logger[metadataKey: "a"] = "logger"
        logger[metadataKey: "b"] = "logger"
        logger.info("hello", metadata: ["b": "call"])
        let object = try sink.object()
        #expect(object["metadata"] as? [String: String] == ["a": "logger", "b": "call"])
        #expect(object["logger"] as? String == "auth.pool")
    }

    @Test func `nothing that is logged can forge a line for the terminal`() throws {
        let sink = LineSink()
        sink.logger(.text).warning("a\nb\u{1B}[2J", metadata: ["k": "v w", "a": "x\ny", "q": "say \"hi\""])
        let line = try #require(sink.lines.first)
        #expect(line.filter { $0 == "\n" }.count == 1)
        #expect(line.hasSuffix(#"WARNING  auth: a\u{a}b\u{1b}[2J a=x\u{a}y k="v w" q="say \"hi\"""# + "\n"))
    }

    @Test func `the level holds`() {
        let sink = LineSink()
        sink.logger(.json, level: .warning).info("quiet")
        #expect(sink.lines.isEmpty)
    }
}
