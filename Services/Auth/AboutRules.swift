import FoundationEssentials
import PlainText
import WireProtocol

// What people may say about themselves beyond who they are: telephone, a few words, a car.

extension ProfileRules {
    static let longestBio = 500
    static let longestCarWord = 40
    /// The first car of all was built in 1886.
    static let firstCarYear = 1886

    func phone(_ text: String?) throws(Objection) -> PhoneNumber? {
        guard let text else { return nil }
        return try PhoneNumber(text)
    }

    func bio(_ text: String?) throws(Objection) -> String? {
        guard let text else { return nil }
        return try TextRule.lines(Self.longestBio).written(text, in: "bio")
    }

    /// - Returns: Nil where nothing is said of it.
    func car(_ car: PersonCar, now: Date, _ errors: inout [FieldError]) -> PersonCar? {
        func word(_ field: String, _ text: String?) -> String? {
            collect(&errors) { () throws(Objection) in try carWord("car.\(field)", text?.nonEmpty) } ?? nil
        }
        var checked = PersonCar(
            make: word("make", car.make), model: word("model", car.model), color: word("color", car.color))
        if let year = car.year {
            // Next year's cars are sold this year.
            let latest = Calendar(identifier: .gregorian).component(.year, from: now) + 1
            if (Self.firstCarYear...latest).contains(year) {
                checked.year = year
            } else {
                errors.append(FieldError("car.year", "out_of_range", "From \(Self.firstCarYear) to \(latest)."))
            }
        }
        return checked == PersonCar() ? nil : checked
    }

    private func carWord(_ field: String, _ text: String?) throws(Objection) -> String? {
        guard let text else { return nil }
        return try TextRule.line(Self.longestCarWord).written(text, in: field)
    }
}
