import Hummingbird
import WireProtocol

@testable import GatewayService

extension Parser {
    /// What browsers send: bodies of forms, and what stands in an address.
    static let forms = [
        Parser(name: "form") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let pairs = try? FormEncoding.pairs(text)
            let expected = reference(Array(text.utf8))
            let isSame = pairs?.count == expected?.count && zip(pairs ?? [], expected ?? []).allSatisfy { $0 == $1 }
            try promise("\(pairs as Any) is not \(expected as Any)", isSame)
        },
        Parser(name: "parameters") { bytes in
            let query = String(decoding: bytes, as: UTF8.self)
            var reader = ParameterReader(path: Parameters(), query: query)
            let number = try? reader.read { $0.integer("n", in: -5...100) }
            if let number { try promise("\(number) is beyond its range", (-5...100).contains(number)) }
            reader = ParameterReader(path: Parameters(), query: query)
            if let text = try? reader.read({ $0.text("t", maximum: 20) }) {
                try promise("\(text) is too long", text.utf8.count <= 20)
            }
            reader = ParameterReader(path: Parameters(), query: query)
            if let point = try? reader.read({ $0.position("p") }) { try promise("\(point)", point.isValid) }
            reader = ParameterReader(path: Parameters(), query: query)
            if let box = try? reader.read({ $0.box("b") }) {
                try promise("\(box)", box.isValid && [box.west, box.south, box.east, box.north].allSatisfy(\.isFinite))
            }
            reader = ParameterReader(path: Parameters(), query: query)
            _ = try? reader.read { reader in
                _ = reader.choice("c", of: PhotoSize.allCases)
                reader.exactlyOne(of: ["n", "t", "p"])
                let _: SpotID = reader.id("id")
            }
        },
        Parser(name: "multipart") { bytes in
            // The first line is the Content-Type, the rest the body.
            let lines = bytes.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
            guard lines.count == 2,
                let boundary = Multipart.boundary(ofContentType: String(decoding: lines[0], as: UTF8.self))
            else { return }
            let body = Array(lines[1])
            do {
                let parts = try Multipart.parse(body, boundary: boundary)
                try promise("\(parts.count) parts", parts.count <= 32)
                var end = 0
                for part in parts {
                    let isWithin = part.bytes.startIndex >= end && part.bytes.endIndex <= body.count
                    try promise("\(part.name) lies at \(part.bytes.indices), after \(end)", isWithin)
                    end = part.bytes.endIndex
                }
            } catch is ServiceError {}
        },
        Parser(name: "header") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let parameters = HeaderParameters(text)
            try promise("\(parameters.value)", !parameters.value.contains(";"))
            for name in ["name", "filename", "boundary"] {
                try promise("more than was given", (parameters[name]?.utf8.count ?? 0) <= text.utf8.count)
            }
        },
    ]

    /// application/x-www-form-urlencoded by the letter of the URL standard (5.1), over bytes; but nil where it would replace what is no UTF-8.
    private static func reference(_ bytes: [UInt8]) -> [(String, String)]? {
        let pairs = bytes.split(separator: UInt8(ascii: "&")).map { sequence in
            let equals = sequence.firstIndex(of: UInt8(ascii: "="))
            let name = sequence[..<(equals ?? sequence.endIndex)]
            let value = equals.map { sequence[($0 + 1)...] } ?? []
            return (decoded(Array(name)), decoded(Array(value)))
        }
        guard pairs.allSatisfy({ $0 != nil && $1 != nil }) else { return nil }
        return pairs.map { ($0!, $1!) }
    }

    private static func decoded(_ bytes: [UInt8]) -> String? {
        func digit(_ at: Int) -> UInt8? {
            guard at < bytes.count else { return nil }
            switch bytes[at] {
            case 0x30...0x39: return bytes[at] - 0x30
            case 0x41...0x46: return bytes[at] - 0x41 + 10
            case 0x61...0x66: return bytes[at] - 0x61 + 10
            default: return nil
            }
        }
        var (result, at): ([UInt8], Int) = ([], 0)
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "%"), let high = digit(at + 1), let low = digit(at + 2) {
                result.append(high << 4 | low)
                at += 3
            } else {
                result.append(bytes[at] == UInt8(ascii: "+") ? 0x20 : bytes[at])
                at += 1
            }
        }
        return String(validating: result, as: UTF8.self)
    }
}
