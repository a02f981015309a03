package import FoundationEssentials
package import Hummingbird
import PlainText
package import WireProtocol

/// Reads what an address carries, with types, and gathers all that is wrong with it before it refuses.
///
/// What cannot be read as its type is `malformed` (400); what can be read and is out of bounds is `invalid` (422).
package struct ParameterReader {
    private let path: Parameters
    private let query: [String: [String]]
    private var unreadable: ServiceError?
    private var malformed: [FieldError] = []
    private var invalid: [FieldError] = []

    package init(path: Parameters, query: String?) {
        self.path = path
        do throws(ServiceError) {
            self.query = Dictionary(
                try FormEncoding.pairs(query ?? "").map { ($0.0, [$0.1]) }, uniquingKeysWith: { $0 + $1 })
        } catch {
            self.query = [:]
            unreadable = error
        }
    }

    /// Reads with `body` and throws what it found wrong.
    package mutating func read<Value>(_ body: (inout ParameterReader) -> Value) throws(ServiceError) -> Value {
        if let unreadable { throw unreadable }
        let value = body(&self)
        guard malformed.isEmpty else {
            throw ServiceError(.malformed, "The address cannot be read.", errors: malformed + invalid)
        }
        guard invalid.isEmpty else { throw .invalid(invalid) }
        return value
    }

    /// The identity in the path, as `{id}`.
    package mutating func id<Entity>(_ name: String = "id") -> ID<Entity> {
        if let text = path.get(name), let id = ID<Entity>(text) { return id }
        malformed.append(FieldError(name, "malformed", "This is not an id."))
        return ID.new()
    }

    /// A word in the path; what it may be, its service knows.
    package func segment(_ name: String) -> String { path.get(name) ?? "" }

    /// A word in the path that is one of some.
    package mutating func segment<Choice>(_ name: String, as read: (String) -> Choice?) -> Choice? {
        if let choice = read(segment(name)) { return choice }
        malformed.append(FieldError(name, "malformed", "There is no such address."))
        return nil
    }

    /// Where a parameter was given once and not empty.
    package mutating func text(_ name: String, maximum: Int = 512) -> String? {
        guard let values = query[name], let value = values.first, values != [""] else { return nil }
        guard values.count == 1 else {
            malformed.append(FieldError(name, "repeated", "This may be given only once."))
            return nil
        }
        guard value.utf8.count <= maximum else {
            invalid.append(FieldError(name, "too_long", "At most \(maximum) characters."))
            return nil
        }
        return value
    }

    /// What has to be something where it is given: empty is no number, and none of some choices.
    private mutating func given(_ name: String) -> String? { query[name] == [""] ? "" : text(name) }

    /// An identity in the query.
    package mutating func reference<Entity>(_ name: String) -> ID<Entity>? {
        guard let text = given(name) else { return nil }
        if let id = ID<Entity>(text) { return id }
        malformed.append(FieldError(name, "malformed", "This is not an id."))
        return nil
    }

    /// `true` or `false`.
    package mutating func flag(_ name: String) -> Bool? {
        guard let text = given(name) else { return nil }
        if let flag = Bool(text) { return flag }
        malformed.append(FieldError(name, "malformed", "True or false."))
        return nil
    }

    package mutating func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let text = given(name) else { return nil }
        guard let value = Int(text) else {
            malformed.append(FieldError(name, "malformed", "This is not a whole number."))
            return nil
        }
        if !range.contains(value) {
            invalid.append(
                FieldError(name, "out_of_range", "From \(range.lowerBound) to \(range.upperBound)."))
        }
        return value
    }

    package mutating func choice<Choice: RawRepresentable<String>>(
        _ name: String, of choices: [Choice]
    ) -> Choice? {
        guard let text = given(name) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = choices.map(\.rawValue).joined(separator: ", ")
        invalid.append(FieldError(name, "unknown_choice", "One of: \(names)."))
        return nil
    }

    /// As BCP 47 writes one: `de`, `zh-Hant`.
    package mutating func language(_ name: String) -> String? {
        guard let text = given(name) else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
        let isLanguage =
            text.utf8.count <= 35 && (2...3).contains(parts[0].count) && parts[0].allSatisfy(isLetter)
            && parts.dropFirst().allSatisfy { part in
                (1...8).contains(part.count) && part.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
            }
        if isLanguage { return text }
        malformed.append(FieldError(name, "malformed", "This is not a language, as de or zh-Hant."))
        return nil
    }

    /// A moment, as RFC 3339 writes one. In an address the plus of an offset is written `%2B`.
    package mutating func moment(_ name: String) -> Date? {
        guard let text = given(name) else { return nil }
        if let moment = WireJSON.date(from: text) { return moment }
        malformed.append(FieldError(name, "malformed", "This is not a moment, as 2026-03-06T16:00:00Z."))
        return nil
    }

    /// `latitude,longitude`
    package mutating func position(_ name: String) -> Position? {
        guard let numbers = numbers(name, count: 2, as: "latitude,longitude") else { return nil }
        return checked(Position(latitude: numbers[0], longitude: numbers[1]), name)
    }

    private mutating func checked(_ position: Position, _ name: String) -> Position {
        if !position.isValid {
            invalid.append(FieldError(name, "out_of_range", "Latitude from −90 to 90, longitude from −180 to 180."))
        }
        return position
    }

    /// `latitude,longitude`, given as often as may be. Where no least number is said, its service has one.
    package mutating func positions(_ name: String, least: Int = 0, most: Int) -> [Position] {
        let texts = query[name] == [""] ? [] : query[name] ?? []
        guard texts.count <= most else {
            invalid.append(FieldError(name, "too_many", "At most \(most)."))
            return []
        }
        if texts.count < least { invalid.append(FieldError(name, "too_few", "At least \(least).")) }
        return texts.compactMap { text in numbers(name, in: text, count: 2, as: "latitude,longitude") }
            .map { checked(Position(latitude: $0[0], longitude: $0[1]), name) }
    }

    /// `west,south,east,north`
    package mutating func box(_ name: String) -> BoundingBox? {
        guard let numbers = numbers(name, count: 4, as: "west,south,east,north") else { return nil }
        let box = BoundingBox(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
        if !box.isValid {
            invalid.append(FieldError(name, "out_of_range", "West,south,east,north in degrees, south below north."))
        }
        return box
    }

    private mutating func numbers(_ name: String, count: Int, as form: String) -> [Double]? {
        guard let text = given(name) else { return nil }
        return self.numbers(name, in: text, count: count, as: form)
    }

    private mutating func numbers(_ name: String, in text: String, count: Int, as form: String) -> [Double]? {
        let parts = text.utf8.count <= 512 ? text.split(separator: ",", omittingEmptySubsequences: false) : []
        let numbers = parts.compactMap { Double(decimal: $0) }
        guard parts.count == count, numbers.count == count else {
            malformed.append(FieldError(name, "malformed", "\(count) numbers, as \(form)."))
            return nil
        }
        return numbers
    }

    /// Says that exactly one of some parameters must be given, where that is not so.
    package mutating func exactlyOne(of names: [String]) {
        let given = names.filter { query[$0].map { $0 != [""] } ?? false }
        guard given.count != 1 else { return }
        let list = names.joined(separator: ", ")
        for name in given.isEmpty ? names : given {
            invalid.append(FieldError(name, "exactly_one", "Give exactly one of \(list)."))
        }
    }
}
