/// Texts of several lines that people write.
enum Lines {
    /// Several lines, however the browser ended them, without white space around.
    static func checked(_ text: String, field: String, longest: Int) throws(Objection) -> String {
        guard let text = text.nonEmpty else { throw Objection(field, "required", "Write a few words.") }
        let lines = text.normalized.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        // A character may be piled up from any number of scalars; bytes are limited as well.
        guard lines.count <= longest, lines.utf8.count <= 10 * longest else {
            throw Objection(field, "too_long", "Use at most \(longest) characters.")
        }
        let isPlain = lines.split(separator: "\n").allSatisfy { !String($0).hasControlCharacters }
        guard isPlain, lines.isVisible else {
            throw Objection(field, "characters", "Use letters, digits, spaces and the like.")
        }
        return lines
    }
}
