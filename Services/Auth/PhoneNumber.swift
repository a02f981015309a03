import PlainText
import WireProtocol

/// A telephone number as ITU-T E.164 writes it: a plus sign, the country's code, and 15 digits at most.
struct PhoneNumber: Hashable, Sendable {
    static let digits = 7...15
    private static let mostBytes = 200
    /// What people write between digits.
    private static let between: Set<Unicode.Scalar> = [
        " ", "-", ".", "/", "(", ")", "\u{A0}", "\u{2010}", "\u{2011}", "\u{2013}",
    ]

    let text: String

    /// Reads it with the spaces, dashes, dots, slashes and brackets that people write into numbers, and with 00 for the plus.
    init(_ input: String) throws(Objection) {
        guard input.utf8.count <= Self.mostBytes else { throw Self.wrong }
        var rest = input.trimmed.unicodeScalars[...]
        if rest.starts(with: "00".unicodeScalars) { rest = ("+" + String(rest.dropFirst(2))).unicodeScalars[...] }
        guard rest.first == "+" else {
            throw Objection("phone", "country", "Begin with + and the country's code: +65 9123 4567.")
        }
        var number = "+".unicodeScalars
        for scalar in rest.dropFirst() {
            if ("0"..."9").contains(scalar) {
                number.append(scalar)
            } else if !Self.between.contains(scalar) {
                throw Self.wrong
            }
        }
        // No country's code begins with 0.
        guard Self.digits.contains(number.count - 1), number.dropFirst().first != "0" else { throw Self.wrong }
        text = String(number)
    }

    private static var wrong: Objection {
        Objection("phone", "phone", "This is not a whole telephone number: +65 9123 4567.")
    }
}
