#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import WireProtocol

/// The point of a street that is nearest to a place.
struct Snap: Hashable {
    var road: Int
    /// Millimetres of the road from its beginning to the point, and from there to its end.
    var before: UInt64
    var after: UInt64
    /// Metres from the place to the point, in a straight line.
    var offset: Double
}

extension ProfileNetwork {
    /// The nearest street of all and, where that is cut off from the rest, the nearest one of the rest; none where no street is
    /// within `reach` metres.
    func snaps(of place: Position, within reach: Double) -> [Snap] {
        guard place.isValid, reach > 0, roadCount > 0 else { return [] }
        let x = place.longitude * GridPoint.unitsPerDegree
        let y = place.latitude * GridPoint.unitsPerDegree
        let reach = min(reach, 100_000)
        var radius = min(reach, 60)
        while true {
            let found = nearest(x, y, within: radius)
            if found.main != nil || radius >= reach {
                return [found.any, found.main == found.any ? nil : found.main].compactMap { $0 }.map(snap)
            }
            radius = min(reach, radius * 4)
        }
    }

    private struct Candidate: Hashable {
        var step: Int
        /// How much of the step is before the point.
        var share: Double
        var metres: Double
    }

    private func nearest(_ x: Double, _ y: Double, within radius: Double) -> (any: Candidate?, main: Candidate?) {
        var (any, main): (Candidate?, Candidate?)
        let narrow = cos(y / GridPoint.unitsPerDegree * .pi / 180)
        for range in StreetGrid.cells(around: x, y, metres: radius) {
            var cell = lowerBound(range.lowerBound)
            while cell < cells.count, cells[cell] <= range.upperBound {
                for entry in Int(firstSteps[cell])..<Int(firstSteps[cell + 1]) {
                    let candidate = approach(x, y, to: Int(steps[entry]), narrow: narrow)
                    guard candidate.metres <= radius, candidate.metres < main?.metres ?? .infinity else { continue }
                    if candidate.metres < any?.metres ?? .infinity { any = candidate }
                    if isMain[road(of: candidate.step)] == 1 { main = candidate }
                }
                cell += 1
            }
        }
        return (any, main)
    }

    private func lowerBound(_ key: UInt64) -> Int {
        var (low, high) = (0, cells.count)
        while low < high {
            let middle = (low + high) / 2
            if cells[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// On a plane that touches the earth at the place: over the few hundred metres that matter, it is one.
    private func approach(_ x: Double, _ y: Double, to step: Int, narrow: Double) -> Candidate {
        let (a, b) = (point(step), point(step + 1))
        let ax = GridPoint.eastward(from: x, to: Double(a.x)) * narrow
        let ay = Double(a.y) - y
        let dx = GridPoint.eastward(from: Double(a.x), to: Double(b.x)) * narrow
        let dy = Double(b.y) - Double(a.y)
        let square = dx * dx + dy * dy
        let share = square > 0 ? min(1, max(0, -(ax * dx + ay * dy) / square)) : 0
        let (px, py) = (ax + share * dx, ay + share * dy)
        return Candidate(step: step, share: share, metres: (px * px + py * py).squareRoot() * GridPoint.metresPerUnit)
    }

    private func snap(_ candidate: Candidate) -> Snap {
        let road = road(of: candidate.step)
        let total = UInt64(length[road])
        var before = 0.0
        for step in Int(shapes[road])..<candidate.step { before += point(step).metres(to: point(step + 1)) }
        before += candidate.share * point(candidate.step).metres(to: point(candidate.step + 1))
        var millimetres = min(total, UInt64((before * 1000).rounded()))
        // At its very end, whatever rounding says: a crossing is reached by all its streets.
        if candidate.share == 1, candidate.step + 2 == Int(shapes[road + 1]) { millimetres = total }
        return Snap(road: road, before: millimetres, after: total - millimetres, offset: candidate.metres)
    }
}
