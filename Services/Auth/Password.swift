internal import WireProtocol

/// A password in normalisation form C; it exists only on its way to the hash.
struct Password: Hashable, Sendable {
    /// Counted in Unicode scalars, as NIST SP 800-63B counts.
    static let lengths = 8...1024

    let text: String

    /// For sign-in: whatever could be one.
    init?(attempt text: String) {
        let normalized = text.normalized
        guard !normalized.isEmpty, normalized.unicodeScalars.count <= Self.lengths.upperBound else { return nil }
        self.text = normalized
    }

    /// For choosing one.
    /// - Throws: what is wrong with it, at the field.
    init(choosing text: String, email: EmailAddress?) throws(Objection) {
        let normalized = text.normalized
        let count = normalized.unicodeScalars.count
        guard count > 0 else { throw Objection("password", "required", "Choose a password.") }
        guard count >= Self.lengths.lowerBound else {
            throw Objection("password", "too_short", "Use at least 8 characters; a few words make a good one.")
        }
        guard count <= Self.lengths.upperBound else {
            throw Objection("password", "too_long", "Use at most 1024 characters.")
        }
        let folded = normalized.lowercased()
        guard folded != email?.key else {
            throw Objection("password", "same_as_email", "Choose something else than your email address.")
        }
        guard !CommonPasswords.contains(folded) else {
            throw Objection("password", "common", "Too many people use this password. Choose another.")
        }
        self.text = normalized
    }

    var bytes: [UInt8] { Array(text.utf8) }
}

/// What is wrong with one field, on its way to the one who collects.
struct Objection: Error, Hashable {
    let error: FieldError

    init(_ field: String, _ code: String, _ message: String) { error = FieldError(field, code, message) }

    init(_ error: FieldError) { self.error = error }
}
