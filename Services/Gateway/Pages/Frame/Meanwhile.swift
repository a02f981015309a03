import WireProtocol

/// What was saved by somebody else, or in another window, while a form was being filled in: the form comes back with what was typed, says what is
/// kept now, and its next sending replaces that.
struct Meanwhile {
    /// What a form says at one place, in words.
    struct Said: Hashable {
        var label: String
        var text: String
        /// What it is told apart by.
        var value: String

        init(_ label: String, _ text: String, value: String? = nil) {
            self.label = label
            self.text = text
            self.value = value ?? text
        }

        init(_ field: Field) {
            self.init(field.label, field.options.first { $0.chosen }?.text ?? field.value)
        }
    }

    /// Where what was typed is something else.
    var lines: [Said]
    var any: Bool
    /// The form with what is kept.
    var href: String

    /// - Parameters:
    ///   - kept: what is kept now, place by place.
    ///   - typed: the same places as they were sent.
    init(_ kept: [Said], besides typed: [Said], href: String, in words: Words) {
        lines = zip(kept, typed).filter { $0.value != $1.value }.map { kept, _ in
            Said(kept.label, kept.text.isEmpty ? words["meanwhile.nothing"] : kept.text)
        }
        any = !lines.isEmpty
        self.href = href
    }
}

extension Visit {
    /// A box that is ticked, or not.
    func said(_ label: String, _ isSo: Bool) -> Meanwhile.Said {
        Meanwhile.Said(label, words["meanwhile.\(isSo ? "yes" : "no")"])
    }

    /// Pictures, which words can only count.
    func said(_ label: String, pictures ids: [String]) -> Meanwhile.Said {
        Meanwhile.Said(label, words["meanwhile.pictures", count: ids.count], value: ids.joined(separator: " "))
    }
}
