import PlainText
import WireProtocol

/// A password in normalisation form C; it exists only on its way to the hash.
struct Password: Hashable, Sendable {
    /// Counted in Unicode scalars, as NIST SP 800-63B counts.
    static let lengths = 8...1024
    /// A character takes four bytes at the most.
    private static let mostBytes = 4 * 1024

    let text: String

    /// For sign-in: whatever could be one.
    init?(attempt text: String) {
        guard text.utf8.count <= Self.mostBytes, StreamSafe.isSafe(text) else { return nil }
        let normalized = text.normalized
        guard !normalized.isEmpty, normalized.unicodeScalars.count <= Self.lengths.upperBound else { return nil }
        self.text = normalized
    }

    /// For choosing one.
    /// - Parameter common: what is refused because too many have it.
    /// - Throws: what is wrong with it, at the field.
    init(choosing text: String, email: EmailAddress?, common: CommonPasswords) throws(Objection) {
        guard text.utf8.count <= Self.mostBytes else { throw Self.tooLong }
        guard StreamSafe.isSafe(text) else {
            throw Objection("password", "not_allowed", "Use letters, digits, spaces and the like.")
        }
        let normalized = text.normalized
        let count = normalized.unicodeScalars.count
        guard count > 0 else { throw Objection("password", "required", "Choose a password.") }
        guard count >= Self.lengths.lowerBound else {
            throw Objection("password", "too_short", "Use at least 8 characters; a few words make a good one.")
        }
        guard count <= Self.lengths.upperBound else { throw Self.tooLong }
        let folded = normalized.lowercased()
        guard folded != email?.key, folded != email?.text.lowercased() else {
            throw Objection("password", "same_as_email", "Choose something else than your email address.")
        }
        guard !common.contains(folded) else {
            throw Objection("password", "common", "Too many people use this password. Choose another.")
        }
        self.text = normalized
    }

    var bytes: [UInt8] { Array(text.utf8) }

    private static var tooLong: Objection { Objection("password", "too_long", "Use at most 1024 characters.") }
}
