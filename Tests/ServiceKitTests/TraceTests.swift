import Foundation
import Logging
import ServiceContextModule
import ServiceKit
import Testing
import Tracing

private struct Headers: Injector, Extractor {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
    func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
}

private struct Refused: Error { var secret = "no one may read this" }

@Suite("Traces")
struct TraceTests {
    /// The example of the recommendation, and a later version that appends a part.
    @Test(arguments: [
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
    ])
    func `reads a traceparent`(text: String) throws {
        let trace = try #require(TraceContext(traceparent: text))
        #expect(trace.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(trace.spanID == "00f067aa0ba902b7")
        #expect(trace.isSampled)
        #expect(trace.traceparent == "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
    }

    @Test(arguments: [
        "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-zz",
    ])
    func `begins anew where a traceparent is malformed`(text: String) {
        #expect(TraceContext(traceparent: text) == nil)
    }

    @Test func `a span continues the trace that came in, and hands it on`() throws {
        let tracer = LogTracer(logger: LineSink().logger(.json), level: .info)
        var context = ServiceContext.topLevel
        let arrived = [
            "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "tracestate": "other=1",
        ]
        tracer.extract(arrived, into: &context, using: Headers())
        let span = tracer.startSpan("work", context: context)
        var sent: [String: String] = [:]
        tracer.inject(span.context, into: &sent, using: Headers())
        let parent = try #require(sent["traceparent"])
        #expect(parent.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-"))
        #expect(!parent.contains("00f067aa0ba902b7"), "the span is a new one")
        #expect(parent.hasSuffix("-01"))
        #expect(sent["tracestate"] == "other=1")
    }

    @Test func `a finished span is one line, with its parent and without the error's words`() throws {
        let sink = LineSink()
        let tracer = LogTracer(logger: sink.logger(.json), level: .info)
        #expect(throws: Refused.self) {
            try tracer.withSpan("outer", ofKind: .server) { outer in
                outer.updateAttributes { $0["method"] = "auth.signIn" }
                try tracer.withSpan("inner") { _ in throw Refused() }
            }
        }
        let objects = try sink.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        try #require(objects.count == 2)
        let (inner, outer) = (objects[0], objects[1])
        let details = try #require(inner["metadata"] as? [String: Any])
        #expect(inner["trace"] as? String == outer["trace"] as? String)
        #expect(details["parent"] as? String == outer["span"] as? String)
        #expect(details["name"] as? String == "inner")
        #expect(details["status"] as? String == "error")
        #expect((details["error"] as? String)?.contains("Refused") == true)
        #expect(!sink.lines.joined().contains("no one may read this"))
        let attributes = (outer["metadata"] as? [String: Any])?["attributes"] as? [String: String]
        #expect(attributes == ["method": "auth.signIn"])
    }

    @Test func `a span below the logger's level has an identity and no line`() {
        let sink = LineSink()
        let tracer = LogTracer(logger: sink.logger(.json), level: .debug)
        tracer.withSpan("quiet") { span in
            #expect(!span.isRecording)
            #expect(span.context.trace?.isSampled == false)
            #expect(ServiceContext.current?.trace == span.context.trace)
        }
        #expect(sink.lines.isEmpty)
    }
}
