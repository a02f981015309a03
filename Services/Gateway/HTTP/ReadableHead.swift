import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// What an address and the headers are made of, before anybody reads them. Nearly all are ASCII.
enum ReadableHead {
    /// The request without the headers that nobody should read, and what whoever sent them is told.
    static func of(_ request: Request) -> (request: Request, trouble: ServiceError?) {
        var trouble: ServiceError?
        if !isReadable(address: request.uri.path) { trouble = malformed("The address cannot be read.") }
        guard request.headers.contains(where: { !isASCII($0.value) }) else { return (request, trouble) }
        var head = request.head
        for name in Set(request.headers.map(\.name)) {
            let values = request.headers[values: name]
            guard name != .cookie else {
                head.headerFields[values: name] = cookies(values)
                continue
            }
            guard !values.allSatisfy(StreamSafe.isSafe) else { continue }
            head.headerFields[values: name] = []
            trouble = malformed("The header \(name.rawName) cannot be read.")
        }
        return (Request(head: head, body: request.body), trouble)
    }

    /// Ours are ASCII. Others' on the same host are left out: to whoever compares characters U+037E is a semicolon, so that one of theirs could
    /// hold one of ours.
    private static func cookies(_ values: [String]) -> [String] {
        let pairs = values.flatMap { Array($0.utf8).split(separator: UInt8(ascii: ";")) }
        return pairs.map { String(decoding: $0, as: UTF8.self).trimmed }.filter { isASCII($0) && !$0.isEmpty }
    }

    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    private static func isReadable(address: String) -> Bool {
        guard address.utf8.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }) else { return true }
        return EntranceText.read(FormEncoding.decode(Array(address.utf8)[...])) != nil
    }

    private static func malformed(_ detail: String) -> ServiceError { ServiceError(.malformed, detail) }
}
