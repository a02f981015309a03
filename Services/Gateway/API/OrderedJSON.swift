/// JSON whose objects keep the order of their members, and whose texts and numbers stay as they are written.
///
/// Foundation reads objects into dictionaries; the order in which a document says things is for those who read it.
package enum OrderedJSON: Hashable, Sendable {
    case object([Member])
    case array([OrderedJSON])
    /// A number, `true`, `false`, `null`, or a text with its quotes and escapes.
    case literal(String)

    package struct Member: Hashable, Sendable {
        /// As it is written between the quotes.
        package var name: String
        package var value: OrderedJSON

        package init(_ name: String, _ value: OrderedJSON) {
            self.name = name
            self.value = value
        }
    }

    package static let null = OrderedJSON.literal("null")

    /// - Parameter text: what needs no escapes.
    package static func text(_ text: String) -> OrderedJSON { .literal("\"\(text)\"") }

    /// Of an object; none of anything else.
    package var members: [Member] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    /// Of an array; none of anything else.
    package var items: [OrderedJSON] {
        guard case .array(let items) = self else { return [] }
        return items
    }

    /// What stands between the quotes of a text; nil for what is none.
    package var text: String? {
        guard case .literal(let literal) = self, literal.hasPrefix("\"") else { return nil }
        return String(literal.dropFirst().dropLast())
    }

    /// A member that is there and not null.
    package subscript(name: String) -> OrderedJSON? {
        let value = members.first { $0.name == name }?.value
        return value == .null ? nil : value
    }

    /// Puts a member in its place or, where it is new, after all others; does nothing where there is no value.
    package mutating func set(_ name: String, _ value: OrderedJSON?) {
        guard let value else { return }
        var all = members
        if let index = all.firstIndex(where: { $0.name == name }) {
            all[index].value = value
        } else {
            all.append(Member(name, value))
        }
        self = .object(all)
    }

    /// With words in its places: where `"{word}"` is a whole text, what the word means; within a text or a name, its letters.
    package func filled(with words: [Member]) -> OrderedJSON {
        switch self {
        case .object(let members):
            return .object(
                members.map { Member(Self.fill($0.name, with: words), $0.value.filled(with: words)) })
        case .array(let items): return .array(items.map { $0.filled(with: words) })
        case .literal(let literal):
            let whole = words.first { literal == "\"{\($0.name)}\"" }
            return whole?.value ?? .literal(Self.fill(literal, with: words))
        }
    }

    private static func fill(_ text: String, with words: [Member]) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        var filled = text
        for word in words {
            guard let letters = word.value.text else { continue }
            filled = filled.replacing("{\(word.name)}", with: letters)
        }
        return filled
    }
}

extension OrderedJSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(stringLiteral text: String) { self = .text(text) }
    package init(booleanLiteral truth: Bool) { self = .literal(truth ? "true" : "false") }
    package init(arrayLiteral items: OrderedJSON...) { self = .array(items) }
    package init(dictionaryLiteral members: (String, OrderedJSON)...) {
        self = .object(members.map { Member($0.0, $0.1) })
    }
}

// MARK: Writing

extension OrderedJSON {
    /// Each member and each item in a line of its own.
    package var bytes: [UInt8] {
        var text = ""
        write(to: &text, newLine: "\n")
        text += "\n"
        return Array(text.utf8)
    }

    private func write(to text: inout String, newLine: String) {
        let inside = newLine + "  "
        switch self {
        case .literal(let literal): text += literal
        case .array(let items):
            var separator = "["
            for item in items {
                text += separator + inside
                item.write(to: &text, newLine: inside)
                separator = ","
            }
            text += items.isEmpty ? "[]" : newLine + "]"
        case .object(let members):
            var separator = "{"
            for member in members {
                text += separator + inside + "\"\(member.name)\": "
                member.value.write(to: &text, newLine: inside)
                separator = ","
            }
            text += members.isEmpty ? "{}" : newLine + "}"
        }
    }
}
