import Crypto
package import HTTPTypes
package import Hummingbird
import NIOCore
import PlainText
package import WireProtocol

/// Names versions of what was read, so that it is sent again only when it has changed.
package enum EntityTags {
    /// A weak tag from the service's own, or from the bytes; apart for each caller, because the answer may be.
    package static func tag(of reply: ServiceReply, for caller: Caller) -> String {
        // What nobody in particular is told is the same for all of them.
        if caller.person == nil, !reply.tag.isEmpty { return "W/\"\(reply.tag)\"" }
        var hash = SHA256()
        hash.update(data: Array((caller.person?.description ?? "").utf8))
        hash.update(data: reply.tag.isEmpty ? reply.body : Array(reply.tag.utf8))
        return "W/\"\(HexText.text(of: hash.finalize().prefix(12)))\""
    }

    /// Whether `If-None-Match` names this tag (RFC 9110, 13.1.2: weak comparison).
    package static func matches(_ headers: HTTPFields, _ tag: String) -> Bool {
        let opaque = strip(tag)
        return headers[values: .ifNoneMatch].joined(separator: ",").split(separator: ",").contains { candidate in
            let text = String(candidate).trimmed
            return text == "*" || strip(text) == opaque
        }
    }

    private static func strip(_ tag: String) -> String { tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag }

    /// `304`, with the headers that the `200` would have had.
    package static func notModified(_ headers: HTTPFields) -> Response {
        var kept = headers
        kept[.contentType] = nil
        return Response(status: .notModified, headers: kept)
    }
}
