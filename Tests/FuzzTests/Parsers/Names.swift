import PlainText

@testable import AuthService

extension Parser {
    /// What is one thing in several ways of writing it: domains, and the addresses that accounts are told apart by.
    static let names = [
        Parser(name: "domain") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let (mapped, ascii) = (DomainName.mapped(text), DomainName.ascii(text))
            try promise("\(mapped) is mapped on", isSame(DomainName.mapped(mapped), mapped))
            try promise("\(ascii) changes", isSame(DomainName.ascii(ascii), ascii))
            try promise("\(mapped) is another domain", isSame(DomainName.ascii(mapped), ascii))
            let readable = DomainName.readable(text)
            try promise("\(readable) is another domain", isSame(DomainName.ascii(readable), ascii))
            try promise("\(readable) is read on", isSame(DomainName.readable(readable), readable))
        },
        Parser(name: "email") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let email = EmailAddress(text) else { return }
            let domain = email.key.utf8.reversed().prefix { $0 != UInt8(ascii: "@") }
            let isPlain = domain.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "-.".utf8.contains($0)
            }
            try promise("\(email.key) is no domain of mail", isPlain && (3...253).contains(domain.count))
            try promise(
                "\(email.text) is too long",
                max(email.text.utf8.count, email.key.utf8.count) <= 2 * EmailAddress.longest)
            // As it is kept, and as browsers send it, it is let in as the same.
            let local = String(email.text.prefix(upTo: email.text.unicodeScalars.lastIndex(of: "@")!))
            for typed in [email.text, "\(local)@\(DomainName.ascii(email.domain))"] {
                try promise("\(typed) is not \(email.key)", EmailAddress(typed)?.key == email.key)
            }
            // Small letters may be longer than capitals, and what is readable longer than ASCII.
            for typed in [email.key, "\(local)@\(DomainName.readable(email.domain))"] {
                try promise("\(typed) is not \(email.key)", EmailAddress(typed).map { $0.key == email.key } ?? true)
            }
            try promise("\(text) is kept otherwise", EmailAddress(kept: text) == email)
            try promise("\(email.key) has no mailbox", email.mailbox.utf8.count <= email.key.utf8.count)
        },
    ]

    /// Byte by byte: what looks the same may be written in two ways.
    private static func isSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
}
