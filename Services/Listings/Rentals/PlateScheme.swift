import PlainText

/// How number plates of a community look. One small file for each; `PlateSchemes.all` lists them.
protocol PlateScheme: Sendable {
    /// As operators name it.
    var name: String { get }
    /// One text for one plate, however it was typed.
    func normalized(_ text: String) -> String
    /// What is wrong with a normalized plate; nil where it may be one.
    func problem(in plate: String) -> String?
}

extension PlateScheme {
    /// In capitals, without spaces and hyphens.
    func normalized(_ text: String) -> String {
        let written = text.uppercased().unicodeScalars.filter { !$0.properties.isWhitespace && $0 != "-" }
        return String(String.UnicodeScalarView(written))
    }
}

enum PlateSchemes {
    static let all: [any PlateScheme] = [SingaporePlates(), AnyPlates()]

    static func named(_ name: String) -> (any PlateScheme)? { all.first { $0.name == name } }
}

/// No check: whatever has letters or digits.
struct AnyPlates: PlateScheme {
    let name = "none"

    func problem(in plate: String) -> String? {
        (1...16).contains(plate.count) && plate.utf8.count <= 64
            && plate.unicodeScalars.allSatisfy {
                ($0.properties.isAlphabetic || $0.properties.numericType != nil) && $0.isVisible
            }
            ? nil : "Letters and digits, sixteen at the most."
    }
}
