import PlainText
import WireProtocol

/// An email address in the shape that RFC 5321 sends mail to, trimmed, its domain in lower case.
///
/// Quoted local parts and address literals are refused: people who type them have made a mistake.
struct EmailAddress: Hashable, Sendable {
    static let longest = 254

    /// As mail is sent to it.
    let text: String

    /// What tells addresses apart: providers ignore case before the @ too, and phones begin with a capital; and of a domain, browsers send
    /// another way of writing it than people type.
    let key: String

    init?(_ input: String) {
        // Bytes first: what is long, or has accents piled up, takes its time to be normalised.
        let typed = input.trimmed
        guard typed.utf8.count <= 2 * Self.longest, StreamSafe.isSafe(typed) else { return nil }
        let input = typed.normalized
        guard input.utf8.count <= Self.longest, let at = input.lastIndex(of: "@") else { return nil }
        let local = input[..<at]
        let domain = input[input.index(after: at)...].lowercased()
        guard Self.isLocalPart(local), Self.isDomain(domain) else { return nil }
        self.init(text: "\(local)@\(domain)", key: Self.key(local, DomainName.ascii(domain)))
    }

    private init(text: String, key: String) {
        self.text = text
        self.key = key
    }

    private static func key(_ local: Substring, _ domain: String) -> String {
        "\(local)@\(domain)".lowercased().normalized
    }

    /// Reads what somebody typed into a form's field `email`.
    /// - Throws: `invalid` at `email`.
    init(ofField input: String) throws {
        guard let email = EmailAddress(input) else { throw ServiceError.invalid([Self.objection]) }
        self = email
    }

    static let objection = FieldError("email", "email", "This does not look like an email address.")

    /// The same with the key that it had before a domain had one way of writing it; nil where that is no other. Passwords from then are
    /// salted with it.
    var earlier: EmailAddress? {
        let local = text[..<text.lastIndex(of: "@")!]
        let before = Self.key(local, DomainName.readable(domain))
        return before == key ? nil : EmailAddress(text: text, key: before)
    }

    var domain: String { String(text[text.index(after: text.lastIndex(of: "@")!)...]) }

    /// The mailbox that it leads to: what follows a plus sign (`maya+news@…`) is the person's own note.
    var mailbox: String {
        let key = key
        let at = key.lastIndex(of: "@")!
        let local = key[..<at]
        // By scalars: a plus sign with an accent is one.
        let plain = local.unicodeScalars.prefix { $0 != "+" }
        return (plain.isEmpty ? String(local) : String(plain)) + key[at...]
    }

    private static func isLocalPart(_ part: Substring) -> Bool {
        guard (1...64).contains(part.utf8.count) else { return false }
        let atoms = part.split(separator: ".", omittingEmptySubsequences: false)
        return atoms.allSatisfy { atom in
            !atom.isEmpty
                && atom.unicodeScalars.allSatisfy { scalar in
                    scalar.isASCII
                        ? scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                            || "!#$%&'*+/=?^_`{|}~-".unicodeScalars.contains(scalar)
                        : isLetterDigitOrMark(scalar)
                }
        }
    }

    private static func isDomain(_ domain: String) -> Bool {
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last, !last.allSatisfy(\.isWholeNumber) else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.unicodeScalars.allSatisfy { scalar in
                    scalar.isASCII
                        ? ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "-"
                        : isLetterDigitOrMark(scalar)
                }
        }
    }

    private static func isLetterDigitOrMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .nonspacingMark, .spacingMark:
            true
        default: false
        }
    }
}
