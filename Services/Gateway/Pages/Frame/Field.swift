import PlainText
import WireProtocol

/// One field of a form as `frame/field` and `frame/select` show it: what was typed, and what is wrong with it.
struct Field {
    struct Option {
        var value: String
        var text: String
        var chosen: Bool
    }

    var id: String
    var name: String
    var label: String
    var type = "text"
    var value = ""
    var error: String?
    var hint: String?
    var optional = false
    var required = false
    var secret = false
    /// Shown and not to be changed here.
    var locked = false
    /// Typed as it is: no capitals, no spelling.
    var verbatim = false
    var autocomplete: String?
    var inputmode: String?
    var maxlength: String?
    var describedBy: String?
    /// The first wrong field of a form gets the focus.
    var focus = false
    var options: [Option] = []
    /// The address that says, while it is being typed, whether it will do.
    var watch: String?
    /// What that address says now.
    var said: UsernameCheck?

    init(_ name: String, _ label: String) {
        id = name
        self.name = name
        self.label = label
    }

    /// What a browser's password manager does about a password.
    enum PasswordUse: String {
        case current = "current-password"
        case new = "new-password"
    }

    /// A password is never written into a page, not even one's own.
    static func password(
        _ label: String, _ use: PasswordUse, name: String = "password", required: Bool = true, hint: String? = nil
    ) -> Field {
        Field(name, label).with {
            $0.type = "password"
            $0.secret = true
            $0.required = required
            $0.autocomplete = use.rawValue
            $0.hint = hint
        }
    }

    /// A copy with changes.
    func with(_ change: (inout Field) -> Void) -> Field {
        var copy = self
        change(&copy)
        copy.describedBy =
            [copy.error == nil ? nil : "\(id)-error", copy.hint == nil ? nil : "\(id)-hint"]
            .compactMap { $0 }.joined(separator: " ").nonEmpty
        return copy
    }
}

/// What is wrong with the fields of a form, in the person's language.
struct FieldErrors {
    private(set) var messages: [String: String] = [:]
    private let words: Words

    init(_ words: Words) { self.words = words }

    /// Takes over what a service says. Its fields are named as in the JSON body; `names` says what the form calls them, and
    /// `topics` where the catalogue has words of their own for them.
    init(_ error: ServiceError, _ words: Words, names: [String: String] = [:], topics: [String: String] = [:]) {
        self.words = words
        for wrong in error.errors {
            let name = names[wrong.field] ?? wrong.field
            add(name, wrong.code, topic: topics[name] ?? name, otherwise: wrong.message)
        }
    }

    /// The first thing that is wrong with a field is what is said.
    mutating func add(_ field: String, _ code: String, topic: String? = nil, otherwise: String? = nil) {
        guard messages[field] == nil else { return }
        messages[field] =
            words.find("field.\(topic ?? field).\(code)") ?? otherwise.flatMap { words.code == "en" ? $0 : nil }
            ?? words.find("field.\(code)") ?? otherwise ?? words["field.invalid"]
    }

    var isEmpty: Bool { messages.isEmpty }

    /// Puts the messages on the fields, in the order in which the page shows them.
    func mark(_ fields: inout [Field]) {
        var marked = false
        for index in fields.indices {
            guard let message = messages[fields[index].name] else { continue }
            fields[index] = fields[index].with {
                $0.error = message
                $0.focus = !marked
            }
            marked = true
        }
    }
}

extension Visit {
    /// Puts what a service refused onto the fields that it is about.
    /// - Returns: What is said above the form: the whole refusal where it is about none of them.
    func mark(_ fields: inout [Field], by error: ServiceError?, topics: [String: String] = [:]) -> String? {
        guard let error else { return nil }
        let errors = FieldErrors(error, words, topics: topics)
        errors.mark(&fields)
        return errors.isEmpty ? told(error) : nil
    }
}
