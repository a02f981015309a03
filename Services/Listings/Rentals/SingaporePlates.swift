import WireProtocol

/// Plates of Singapore: one to three letters, one to four digits, and a letter that is the checksum of both.
struct SingaporePlates: PlateScheme {
    let name = "singapore"

    private static let weights = [9, 4, 5, 4, 3, 2]
    private static let letters = Array("AZYXUTSRPMLKJHGEDCB")

    func problem(in plate: String) -> String? {
        guard let (prefix, number, check) = Self.parts(of: plate) else {
            return "A plate has letters, a number and a letter, such as SBA 1234 G."
        }
        return Self.checksum(prefix, number) == check ? nil : "The last letter does not belong to this number."
    }

    /// Of three letters the last two count; a single one stands in the second place.
    private static func checksum(_ prefix: [UInt8], _ number: Int) -> Character {
        let letters = prefix.suffix(2).map { Int($0) - 0x40 }
        let digits = [number / 1000, number / 100 % 10, number / 10 % 10, number % 10]
        let figures = (letters.count == 1 ? [0] : []) + letters + digits
        return Self.letters[zip(figures, weights).reduce(0) { $0 + $1.0 * $1.1 } % Self.letters.count]
    }

    private static func parts(of plate: String) -> ([UInt8], Int, Character)? {
        let bytes = Array(plate.utf8)
        let prefix = bytes.prefix { (0x41...0x5A).contains($0) }
        let digits = bytes[prefix.endIndex...].prefix { (0x30...0x39).contains($0) }
        // I and O look like digits; numbers have no zeros in front.
        guard (1...3).contains(prefix.count), !prefix.contains(UInt8(ascii: "I")), !prefix.contains(UInt8(ascii: "O")),
            (1...4).contains(digits.count), digits.first != UInt8(ascii: "0"), digits.endIndex == bytes.count - 1,
            let last = plate.last, let number = CivilDay.digits(digits)
        else { return nil }
        return (Array(prefix), number, last)
    }
}
