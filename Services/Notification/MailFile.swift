import FoundationEssentials

/// What lies in a folder, as `MailMessage` and `TextFolder` write it. Reads that, and no mails of others.
struct MailFile: Hashable, Sendable {
    var to: String?
    var subject: String?
    /// Of a mail its part in plain text. Cut short where the bytes are.
    var text: String

    init?(_ bytes: [UInt8]) {
        let file = String(decoding: bytes, as: UTF8.self)
        guard let end = file.firstRange(of: "\r\n\r\n") else { return nil }
        let head = file[..<end.lowerBound].replacing("\r\n ", with: " ").components(separatedBy: "\r\n")
        func header(_ name: String) -> String? {
            head.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
        }
        to = header("To")?.filter { !"<>".contains($0) }
        subject = header("Subject").map(Self.decodedWords)
        let body = file[end.upperBound...]
        guard let boundary = header("Content-Type")?.firstMatch(of: /boundary="([^"]+)"/)?.1 else {
            text = Self.trimmed(body)
            return
        }
        let parts = body.components(separatedBy: "--\(boundary)")
        let plain = parts.first { $0.hasPrefix("\r\nContent-Type: text/plain;") } ?? ""
        let content = plain.firstRange(of: "\r\n\r\n").map { String(plain[$0.upperBound...]) } ?? ""
        text = Self.trimmed(Self.unquoted(content)[...])
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop(while: \.isNewline).reversed().drop(while: \.isNewline).reversed())
    }

    /// RFC 2047, as `MailMessage.encodedWord` writes it.
    private static func decodedWords(_ text: String) -> String {
        guard text.hasPrefix("=?utf-8?B?") else { return text }
        let bytes = text.split(separator: " ").flatMap { word in
            Data(base64Encoded: String(word.dropFirst("=?utf-8?B?".count).dropLast(2))).map(Array.init) ?? []
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// RFC 2045, 6.7.
    private static func unquoted(_ text: String) -> String {
        var (bytes, rest) = ([UInt8](), Array(text.replacing("=\r\n", with: "").utf8)[...])
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "="), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    }
}
