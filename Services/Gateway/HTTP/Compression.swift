import HTTPTypes
package import Hummingbird
import NIOCore

/// Compresses bodies that are worth it, for those who accept it. Streams are left alone.
package enum Compression {
    /// Below this many bytes the frame costs more than it saves.
    static let minimum = 1024

    private static func concerns(_ response: Response) -> Bool {
        guard let length = response.body.contentLength, length >= minimum else { return false }
        return response.headers[.contentEncoding] == nil && response.status.code != 304
            && ContentTypes.isCompressible(response.headers[.contentType] ?? "")
    }

    static func compress(_ response: inout Response, for request: Request) async throws {
        guard concerns(response) else { return }
        vary(&response.headers)
        guard accepts(request.headers), request.method != .head else { return }
        let collector = Collector()
        try await response.body.write(CollectingWriter(collector: collector))
        let whole = collector.buffer
        guard let small = Gzip.compress(Array(whole.readableBytesView)), small.count < whole.readableBytes else {
            response.body = .init(byteBuffer: whole)
            return
        }
        response.body = .init(byteBuffer: ByteBuffer(bytes: small))
        response.headers[.contentEncoding] = "gzip"
        response.headers[.contentLength] = nil
    }

    /// Whether gzip is accepted: named, or covered by `*`, and not with a weight of nought.
    package static func accepts(_ headers: HTTPFields) -> Bool {
        var wildcard = false
        for choice in headers[values: .acceptEncoding].joined(separator: ",").split(separator: ",") {
            let parameters = HeaderParameters(String(choice))
            let refused = (parameters["q"].flatMap { Double($0) } ?? 1) <= 0
            switch parameters.value.lowercased() {
            case "gzip", "x-gzip": return !refused
            case "*": wildcard = !refused
            default: break
            }
        }
        return wildcard
    }

    static func vary(_ headers: inout HTTPFields) {
        let now = headers[.vary] ?? ""
        // Our own answers end by it; other spellings are looked for where they do not.
        guard !now.hasSuffix("Accept-Encoding"), !now.lowercased().contains("accept-encoding") else { return }
        headers[.vary] = now.isEmpty ? "Accept-Encoding" : now + ", Accept-Encoding"
    }
}

/// Holds what a body wrote. Used by one task at a time: the one that writes the body and then reads it.
private final class Collector: @unchecked Sendable {
    var buffer = ByteBuffer()
}

private struct CollectingWriter: ResponseBodyWriter {
    let collector: Collector

    mutating func write(_ buffer: ByteBuffer) async throws {
        var buffer = buffer
        collector.buffer.writeBuffer(&buffer)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
