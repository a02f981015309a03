import PlainText
package import WireProtocol

/// Reads `multipart/form-data` (RFC 7578) out of a body that is already in memory and already limited in size.
package enum Multipart {
    package struct Part: Sendable {
        package var name: String
        package var filename: String?
        package var contentType: String?
        package var bytes: ArraySlice<UInt8>
    }

    static let maxParts = 64
    static let maxHeaderBytes = 4096

    /// The boundary that a `Content-Type` names, or nil where it is not a multipart form's.
    package static func boundary(ofContentType type: String) -> String? {
        let parts = HeaderParameters(type)
        guard parts.value.lowercased() == "multipart/form-data", let boundary = parts["boundary"],
            (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return boundary
    }

    /// - Throws: `malformed`, or `tooLarge` where there are more parts or longer headers than any form of ours has.
    package static func parse(_ body: [UInt8], boundary: String) throws(ServiceError) -> [Part] {
        let delimiter = Array("\r\n--\(boundary)".utf8)
        var parts: [Part] = []
        // The first delimiter needs no line break before it.
        let start = body.starts(with: delimiter.dropFirst(2)) ? -2 : 0
        guard var line = next(delimiter, in: body, from: start) else { throw malformed("it has no boundary") }
        while let contents = line.contents {
            guard let following = next(delimiter, in: body, from: contents - 2) else {
                throw malformed("it is cut off")
            }
            guard parts.count < maxParts else { throw ServiceError(.tooLarge, "The form has too many fields.") }
            parts.append(try part(body[contents..<max(contents, following.start)]))
            line = following
        }
        return parts
    }

    private static func part(_ bytes: ArraySlice<UInt8>) throws(ServiceError) -> Part {
        let blank = Array("\r\n\r\n".utf8)
        let searched = Array(bytes.prefix(maxHeaderBytes + blank.count))
        guard let headerEnd = find(blank, in: searched, from: 0) else {
            throw malformed("a part has no header, or one that is too long")
        }
        var disposition: HeaderParameters?
        var contentType: String?
        guard let header = EntranceText.read(searched[..<headerEnd]) else {
            throw malformed("a part's header is no text")
        }
        for line in Array(header.utf8).split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }) {
            let field = line.split(separator: UInt8(ascii: ":"), maxSplits: 1).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard field.count == 2 else { continue }
            switch field[0].lowercased() {
            case "content-disposition": disposition = HeaderParameters(field[1])
            case "content-type": contentType = field[1].trimmed
            default: break
            }
        }
        guard let disposition, disposition.value.lowercased() == "form-data", let name = disposition["name"] else {
            throw malformed("a part has no name")
        }
        return Part(
            name: name, filename: disposition["filename"], contentType: contentType,
            bytes: bytes.dropFirst(headerEnd + blank.count))
    }

    /// A line that is a boundary: where it starts, and where the part begins that follows it (nil after the last).
    private static func next(
        _ delimiter: [UInt8], in body: [UInt8], from start: Int
    ) -> (start: Int, contents: Int?)? {
        var from = start
        while let hit = from < 0 ? from : find(delimiter, in: body, from: from) {
            let end = hit + delimiter.count
            if body[end...].starts(with: Array("--".utf8)) { return (hit, nil) }
            if let contents = lineEnd(in: body, after: end) { return (hit, contents) }
            from = max(0, hit + 1)  // a line of the contents that only begins like a boundary
        }
        return nil
    }

    /// The index after the line break that ends a boundary's line; only white space may stand before it.
    private static func lineEnd(in body: [UInt8], after start: Int) -> Int? {
        var at = start
        while at < body.count, body[at] == 0x20 || body[at] == 0x09 { at += 1 }
        guard at + 1 < body.count, body[at] == 0x0D, body[at + 1] == 0x0A else { return nil }
        return at + 2
    }

    private static func find(_ needle: [UInt8], in body: [UInt8], from start: Int) -> Int? {
        body.withUnsafeBufferPointer { bytes in
            var at = max(0, start)
            while at + needle.count <= bytes.count {
                guard let hit = bytes[at...(bytes.count - needle.count)].firstIndex(of: needle[0]) else { return nil }
                if bytes[hit..<(hit + needle.count)].elementsEqual(needle) { return hit }
                at = hit + 1
            }
            return nil
        }
    }

    private static func malformed(_ why: String) -> ServiceError {
        ServiceError(.malformed, "The form cannot be read: \(why).")
    }
}
