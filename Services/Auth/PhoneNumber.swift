internal import WireProtocol

/// A telephone number as ITU-T E.164 writes it: a plus sign, the country's code, and 15 digits at most.
struct PhoneNumber: Hashable, Sendable {
    static let digits = 7...15

    let text: String

    /// Reads it with the spaces, dashes, dots, slashes and brackets that people write into numbers, and with 00 for the plus.
    init(_ input: String) throws(Objection) {
        var rest = input.normalized.trimmed[...]
        if rest.hasPrefix("00") { rest = "+" + rest.dropFirst(2) }
        guard rest.hasPrefix("+") else {
            throw Objection("phone", "country", "Begin with + and the country's code: +65 9123 4567.")
        }
        var number = "+"
        for character in rest.dropFirst() {
            if "0123456789".contains(character) {
                number.append(character)
            } else if !" -./()\u{A0}\u{2010}\u{2011}\u{2013}".contains(character) {
                throw Self.wrong
            }
        }
        // No country's code begins with 0.
        guard Self.digits.contains(number.count - 1), !number.hasPrefix("+0") else { throw Self.wrong }
        text = number
    }

    private static var wrong: Objection {
        Objection("phone", "phone", "This is not a whole telephone number: +65 9123 4567.")
    }
}
