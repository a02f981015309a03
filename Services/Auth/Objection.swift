import PlainText
import WireProtocol

/// What is wrong with one field, on its way to the one who collects.
struct Objection: Error, Hashable {
    let error: FieldError

    init(_ field: String, _ code: String, _ message: String) { error = FieldError(field, code, message) }

    init(_ error: FieldError) { self.error = error }
}

extension TextRule {
    /// What somebody wrote, as it will be kept.
    func written(_ text: String, in field: String, required words: String = "Write a few words.") throws(Objection)
        -> String
    {
        var errors: [FieldError] = []
        guard let text = read(text, at: field, &errors, required: words) else { throw Objection(errors[0]) }
        return text
    }
}
