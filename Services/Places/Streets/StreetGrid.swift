#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Cells of a five-hundredth of a degree that cover the earth, numbered row by row from the south-west.
enum StreetGrid {
    private static let cellSize: Double = 20_000
    private static let columns = 180_000
    private static let rows = 90_000

    private static func row(_ y: Double) -> Int {
        min(max(Int(((y + 900_000_000) / cellSize).rounded(.down)), 0), rows - 1)
    }

    /// Not yet brought to within the columns that there are: what crosses the date line goes on beyond them.
    private static func column(_ x: Double) -> Int { Int(((x + 1_800_000_000) / cellSize).rounded(.down)) }

    private static func key(row: Int, column: Int) -> UInt64 {
        let turned = (column % columns + columns) % columns
        return UInt64(row * columns + turned)
    }

    /// The cells that a step from one point to another touches.
    static func cells(from a: GridPoint, to b: GridPoint) -> [UInt64] {
        let (ax, ay) = (Double(a.x), Double(a.y))
        let (dx, dy) = (GridPoint.eastward(from: ax, to: Double(b.x)), Double(b.y) - Double(a.y))
        var found: [UInt64] = []
        for row in row(min(ay, ay + dy))...row(max(ay, ay + dy)) {
            // What of the step is in this row, as shares of it.
            var (begin, end) = (0.0, 1.0)
            if dy != 0 {
                let south = (Double(row) * cellSize - 900_000_000 - ay) / dy
                let north = (Double(row + 1) * cellSize - 900_000_000 - ay) / dy
                (begin, end) = (max(0, min(south, north)), min(1, max(south, north)))
            }
            let (x1, x2) = (ax + dx * begin, ax + dx * end)
            // A unit more on each side: better a cell too many than one that rounding loses.
            for column in column(min(x1, x2) - 1)...max(column(min(x1, x2) - 1), column(max(x1, x2) + 1)) {
                found.append(key(row: row, column: column))
            }
        }
        return found
    }

    /// The cells within `metres` of a point: ranges of keys, one or two for each row.
    static func cells(around x: Double, _ y: Double, metres: Double) -> [ClosedRange<UInt64>] {
        let reach = metres / GridPoint.metresPerUnit + 1
        let farthest = min(max(abs(y - reach), abs(y + reach)), 900_000_000)
        let narrow = max(cos(farthest / GridPoint.unitsPerDegree * .pi / 180), 1e-3)
        let (west, east) = (column(x - reach / narrow), column(x + reach / narrow))
        var found: [ClosedRange<UInt64>] = []
        for row in row(y - reach)...row(y + reach) {
            if east - west >= columns - 1 {
                found.append(key(row: row, column: 0)...key(row: row, column: columns - 1))
                continue
            }
            let (first, last) = (key(row: row, column: west), key(row: row, column: east))
            if first <= last {
                found.append(first...last)
            } else {
                found.append(first...key(row: row, column: columns - 1))
                found.append(key(row: row, column: 0)...last)
            }
        }
        return found
    }

    /// The cells that have steps in them, in order, and which steps: by the index of the point at which each begins.
    static func index(of roads: Roads) -> (keys: [UInt64], first: [UInt32], steps: [UInt32]) {
        var entries: [(key: UInt64, step: UInt32)] = []
        for road in 0..<roads.count {
            for step in Int(roads.shapes[road])..<Int(roads.shapes[road + 1]) - 1 {
                for cell in cells(from: roads.points[step], to: roads.points[step + 1]) {
                    entries.append((cell, UInt32(step)))
                }
            }
        }
        entries.sort { ($0.key, $0.step) < ($1.key, $1.step) }
        var (keys, first): ([UInt64], [UInt32]) = ([], [])
        for (place, entry) in entries.enumerated() where keys.last != entry.key {
            keys.append(entry.key)
            first.append(UInt32(place))
        }
        first.append(UInt32(entries.count))
        return (keys, first, entries.map(\.step))
    }
}
