import WireProtocol

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Squares of about eleven kilometres that cover the earth, numbered: names are looked up in those around a person.
///
/// Rows of a tenth of a degree of latitude; each is cut into as many columns as keep the squares about square, at the poles into one.
enum PlaceCell {
    private static let perDegree = 10.0
    private static let rows = 1800
    private static let mostColumns = 3600

    static func number(of position: Position) -> Int {
        let row = row(of: position.latitude)
        return number(row: row, column: column(of: position.longitude, in: row))
    }

    /// The square of a point and those around it.
    static func around(_ position: Position) -> [Int] {
        let middle = row(of: position.latitude)
        var cells: Set<Int> = []
        for row in max(0, middle - 1)...min(rows - 1, middle + 1) {
            let column = column(of: position.longitude, in: row)
            let columns = columns(in: row)
            for step in -1...1 { cells.insert(number(row: row, column: (column + step + columns) % columns)) }
        }
        return cells.sorted()
    }

    private static func row(of latitude: Double) -> Int { min(rows - 1, max(0, Int((latitude + 90) * perDegree))) }

    private static func columns(in row: Int) -> Int {
        let latitude = (Double(row) + 0.5) / perDegree - 90
        return max(1, Int(Double(mostColumns) * cos(latitude * .pi / 180)))
    }

    /// The date line is an edge like any other: 180° east is 180° west.
    private static func column(of longitude: Double, in row: Int) -> Int {
        let columns = columns(in: row)
        return Int((longitude + 180) / 360 * Double(columns)) % columns
    }

    private static func number(row: Int, column: Int) -> Int { row * mostColumns + column }
}
