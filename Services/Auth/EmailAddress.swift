import PlainText
import WireProtocol

/// An email address in the shape that RFC 5321 sends mail to, trimmed, its domain as UTS 46 maps it.
///
/// Quoted local parts and address literals are refused: people who type them have made a mistake.
struct EmailAddress: Hashable, Sendable {
    static let longest = 254

    /// As mail is sent to it.
    let text: String

    /// What tells addresses apart: providers ignore case before the @ too, and phones begin with a capital; and of a domain, browsers send
    /// another way of writing it than people type.
    let key: String

    /// The key that it had before a domain had one way of writing it.
    private let keyBefore: String

    init?(_ input: String) { self.init(input, isKept: false) }

    /// What was kept: an address that an earlier rule let in goes on being somebody's.
    init?(kept input: String) { self.init(input, isKept: true) }

    private init?(_ input: String, isKept: Bool) {
        // Bytes first: what is long, or has accents piled up, takes its time to be normalised.
        let typed = input.trimmed
        guard typed.utf8.count <= 2 * Self.longest, StreamSafe.isSafe(typed) else { return nil }
        let input = typed.normalized
        guard let at = input.unicodeScalars.lastIndex(of: "@") else { return nil }
        let local = input[..<at]
        let written = input[input.unicodeScalars.index(after: at)...].lowercased()
        let domain = DomainName.mapped(written)
        let ascii = DomainName.ascii(domain)
        let length = local.utf8.count + 1 + max(domain.utf8.count, ascii.utf8.count)
        guard isKept || length <= Self.longest && Self.isLocalPart(local) && Self.isDomain(domain, ascii) else {
            return nil
        }
        let before = written == domain ? DomainName.readable(domain) : written
        self.init(
            text: "\(local)@\(domain)", key: Self.key(local, ascii), keyBefore: Self.key(local, before))
    }

    private init(text: String, key: String, keyBefore: String) {
        self.text = text
        self.key = key
        self.keyBefore = keyBefore
    }

    /// However it was typed.
    static func == (one: EmailAddress, other: EmailAddress) -> Bool { one.text == other.text && one.key == other.key }

    func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(key)
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
        keyBefore == key ? nil : EmailAddress(text: text, key: keyBefore, keyBefore: keyBefore)
    }

    var domain: String {
        let scalars = text.unicodeScalars
        return String(scalars[scalars.index(after: scalars.lastIndex(of: "@")!)...])
    }

    /// The mailbox that it leads to: what follows a plus sign (`maya+news@…`) is the person's own note.
    var mailbox: String {
        let key = key
        let at = key.unicodeScalars.lastIndex(of: "@")!
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

    /// In ASCII as the name service has it (RFC 1035), so that both ways of writing it are judged alike; as people write it without what has
    /// another way of writing it still, and without joiners, which nobody sees.
    private static func isDomain(_ domain: String, _ ascii: String) -> Bool {
        let labels = ascii.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard ascii.utf8.count <= 253, labels.count >= 2, let last = labels.last,
            !last.allSatisfy({ (0x30...0x39).contains($0) }),
            labels.allSatisfy({ (1...63).contains($0.count) && !$0.starts(with: "xn--xn--".utf8) })
        else { return false }
        return domain.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            guard let first = label.first, first != "-", label.last != "-", !isMark(first) else { return false }
            return label.allSatisfy { scalar in
                scalar.isASCII
                    ? ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "-"
                    : isLetterDigitOrMark(scalar) && DomainName.isSettled(scalar)
            }
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark: true
        default: false
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
