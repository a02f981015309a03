import FoundationEssentials

/// An address that may stand in an envelope and a header: no white space, no line break, no angle bracket.
struct MailAddress: Hashable, Sendable {
    let text: String

    init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), text.utf8.count <= 254,
            text.unicodeScalars.allSatisfy({ scalar in
                scalar.value > 0x20 && scalar.value != 0x7F && !"<>()[]\\,;:\"".unicodeScalars.contains(scalar)
                    && !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
                    && scalar.properties.generalCategory != .format
            })
        else { return nil }
        self.text = text
    }

    var domain: String { String(text.split(separator: "@").last ?? "") }
}

/// Who sends: `name <address>`.
struct MailSenderName: Hashable, Sendable {
    var name: String
    var address: String
}

/// Why a mail cannot be written; says nothing of its content.
struct MailProblem: Error, Hashable, CustomStringConvertible {
    let description: String
    init(_ sentence: String) { description = sentence }
}

/// A mail as RFC 5322 and MIME write it: text and HTML of the same words (multipart/alternative).
///
/// Ours, because no Swift package for it resolves; headers and transfer encoding of two texts are a page.
struct MailMessage: Hashable, Sendable {
    let id: UUID
    let sender: MailSenderName
    let recipient: MailAddress
    let date: Date
    let language: String
    let subject: String
    let text: String
    let html: String
    /// Where somebody ends mails of this kind, by one click and without signing in (RFC 8058).
    var unsubscribe: String?

    /// - Throws: `MailProblem` where a header would hold a line break or another control character.
    func bytes() throws(MailProblem) -> [UInt8] {
        let id = id.uuidString.lowercased()
        let boundary = "=_kampong-\(id)"
        let (from, subject) = (try Self.encodedWord(sender.name), try Self.encodedWord(subject))
        var headers = [
            "Date: \(Self.written(date))",
            "From: \(from) <\(sender.address)>",
            "To: <\(recipient.text)>",
            "Subject: \(subject)",
            "Message-ID: <\(id)@\(MailAddress(sender.address)?.domain ?? "localhost")>",
            "MIME-Version: 1.0",
            "Auto-Submitted: auto-generated",
            "Content-Language: \(language)",
            "Content-Type: multipart/alternative; boundary=\"\(boundary)\"",
        ]
        if let unsubscribe {
            headers += ["List-Unsubscribe: <\(unsubscribe)>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"]
        }
        for header in headers where header.replacing("\r\n ", with: "").unicodeScalars.contains(where: Self.isControl) {
            throw MailProblem("A header of the mail would hold a control character.")
        }
        let parts = [("plain", text), ("html", html)].map { kind, content in
            """
            --\(boundary)\r\nContent-Type: text/\(kind); charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r
            \(Self.quotedPrintable(content))\r\n
            """
        }
        return Array((headers.joined(separator: "\r\n") + "\r\n\r\n" + parts.joined() + "--\(boundary)--\r\n").utf8)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || scalar.value == 0x7F || (0x80...0x9F).contains(scalar.value)
    }
}

// MARK: Encodings

extension MailMessage {
    /// A text in a header (RFC 2047): as it is where it is plain, else in encoded words of at most 75 characters.
    /// - Throws: `MailProblem` for control characters, which would begin another header.
    static func encodedWord(_ text: String) throws(MailProblem) -> String {
        guard !text.unicodeScalars.contains(where: isControl) else {
            throw MailProblem("A header of the mail would hold a control character.")
        }
        let isPlain = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || (0x30...0x39).contains(byte)
                || byte == 0x20
        }
        if isPlain, text.utf8.count <= 60 { return text }
        var chunks: [[UInt8]] = [[]]
        // Whole characters: an encoded word must be readable by itself.
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if chunks[chunks.count - 1].count + bytes.count > 45 { chunks.append([]) }
            chunks[chunks.count - 1] += bytes
        }
        return chunks.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    /// RFC 2045, 6.7: lines of at most 76 characters, all ASCII, whatever the text is.
    static func quotedPrintable(_ text: String) -> String {
        text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var (result, width) = ("", 0)
            let bytes = Array(line.utf8)
            for (index, byte) in bytes.enumerated() {
                let isBlank = byte == 0x20 || byte == 0x09
                let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
                let isLast = index == bytes.count - 1
                let written = isPlain || isBlank && !isLast ? String(UnicodeScalar(byte)) : escaped(byte)
                if width + written.utf8.count > (isLast ? 76 : 75) {
                    result += "=\r\n"
                    width = 0
                }
                result += written
                width += written.utf8.count
            }
            return result
        }.joined(separator: "\r\n")
    }

    private static func escaped(_ byte: UInt8) -> String {
        "=" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    /// `Sat, 21 Nov 2026 08:37:12 +0000`
    static func written(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second, .weekday], from: date)
        func two(_ number: Int?) -> String { ((number ?? 0) < 10 ? "0" : "") + String(number ?? 0) }
        let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][(parts.weekday ?? 1) - 1]
        let month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][
            (parts.month ?? 1) - 1]
        let clock = "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))"
        return "\(day), \(two(parts.day)) \(month) \(parts.year ?? 1970) \(clock) +0000"
    }
}
