package import PlainText

extension TextRule {
    /// Reads what somebody wrote into a field. What is wrong with it goes to the errors, and comes out as nil.
    ///
    /// - Parameter required: what is said where nothing was written; without it that is allowed.
    /// - Returns: Nil where nothing was written, too.
    package func read(
        _ text: String?, at field: String, _ errors: inout [FieldError], required: String? = nil
    ) -> String? {
        do throws(Fault) {
            return try required == nil ? read(text ?? "") : readRequired(text)
        } catch {
            errors.append(FieldError(field, error.rawValue, words(for: error, required)))
            return nil
        }
    }

    private func words(for fault: Fault, _ required: String?) -> String {
        switch fault {
        case .missing: required ?? "Write a few words."
        case .tooLong: "At most \(longest) characters."
        case .notAllowed: hasLines ? "Only visible characters." : "Only visible characters, on one line."
        }
    }
}
