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
        text.uppercased().filter { !$0.isWhitespace && $0 != "-" }
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
        (1...16).contains(plate.count) && plate.utf8.count <= 64 && plate.allSatisfy { $0.isLetter || $0.isNumber }
            ? nil : "Letters and digits, sixteen at the most."
    }
}
