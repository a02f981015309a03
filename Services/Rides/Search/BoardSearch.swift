import FoundationEssentials
import WireProtocol

/// What is asked of the board.
struct BoardQuery: Hashable, Sendable {
    var wish: RideWish
    /// Who has left by then is not found.
    var now: Date
    /// Rides with fewer free seats wherever one looks are left out.
    var free = 0
    var luggage = RideLuggage.none
    /// Whether their drivers have shown that they belong to a campus.
    var onlyVerified = false
    /// Where campuses are kept apart, the one whose rides are found.
    var campus: String?
    /// Where the search before ended.
    var after: FoundKey?
    var limit = 60
}

/// One search: the best rides of those that it is shown.
///
/// Every ride is measured roughly first, which is never more than it is; so whatever is too far already cannot be among the best. The others are
/// measured exactly, of each segment those first that are likely to be best, which leaves fewer.
struct BoardSearch {
    private let query: BoardQuery
    private let campuses: ClosedRange<UInt16>
    private let rough: RoughDistances
    private(set) var best: [FoundKey] = []
    /// More extra metres than these do not come in.
    private var bound: Float
    /// Those of a segment that are measured exactly.
    private var candidates: [Candidate] = []

    private struct Candidate {
        let index: Int
        let near: Float
        let detour: Float

        var least: Float { min(near, detour) }
    }

    /// - Parameter campuses: the numbers of those whose rides are found.
    init(_ query: BoardQuery, of campuses: ClosedRange<UInt16>) {
        (self.query, self.campuses, rough) = (query, campuses, RoughDistances(query.wish))
        // Each of the distances is rounded to whole metres.
        bound = Float(query.wish.mostExtra + 2)
        best.reserveCapacity(min(query.limit, 1000) + 1)
        candidates.reserveCapacity(BoardSegment.size)
    }

    mutating func look(through lot: BoardLot) {
        for segment in lot.segments { look(through: segment, lasting: lot.longest) }
    }

    // What does not change stands in variables of the loop's own, and no index of it is checked: with both it takes a third of the time.
    private mutating func look(through segment: BoardSegment, lasting longest: TimeInterval) {
        let (query, campuses, rough, stops) = (query, campuses, rough, segment.stops)
        let (times, luggage, detours) = (query.wish.times, query.luggage.rank, query.wish.mayDetour)
        let earliest = times.lowerBound - longest
        segment.lines.withUnsafeBufferPointer { lines in
            segment.places.withUnsafeBufferPointer { places in
                for index in lines.indices {
                    let line = lines[index]
                    guard line.departsAt <= times.upperBound, line.leavesBy > query.now, line.leavesBy >= earliest,
                        line.free >= query.free, line.luggage >= luggage, campuses.contains(line.campus)
                    else { continue }
                    let way = UnsafeBufferPointer(rebasing: places[index * stops..<(index + 1) * stops])
                    let (near, detour) = rough.measure(way)
                    let isOnTheWay = detours && detour <= Float(line.detourLeft)
                    let candidate = Candidate(index: index, near: near, detour: isOnTheWay ? detour : .infinity)
                    if candidate.least <= bound { candidates.append(candidate) }
                }
            }
        }
        weighCandidates(of: segment)
    }

    // MARK: Exactly

    private mutating func weighCandidates(of segment: BoardSegment) {
        guard !candidates.isEmpty else { return }
        candidates.sort { $0.least < $1.least }
        for candidate in candidates {
            guard candidate.least <= bound else { break }
            weigh(segment, candidate.index, near: candidate.near <= bound, detour: candidate.detour <= bound)
        }
        candidates.removeAll(keepingCapacity: true)
    }

    private mutating func weigh(_ segment: BoardSegment, _ index: Int, near: Bool, detour: Bool) {
        let way = segment.way(index)
        var extra = Int.max
        if near, let fit = way.near(query.wish) { extra = fit.extra }
        if detour, let fit = way.detour(for: query.wish) { extra = min(extra, fit.extra) }
        guard extra < Int.max else { return }
        let key = FoundKey(extra: extra, departsAt: way.departsAt, id: segment.ids[index])
        if let after = query.after, key <= after { return }
        keep(key)
    }

    private mutating func keep(_ key: FoundKey) {
        if best.count == query.limit {
            guard let last = best.last, key < last else { return }
            best.removeLast()
        }
        best.insert(key, at: best.partitioningIndex { $0 > key })
        if best.count == query.limit, let last = best.last { bound = Float(last.extra) }
    }
}

extension [FoundKey] {
    /// The first of a sorted array for which something holds, as it does for all that follow.
    fileprivate func partitioningIndex(_ holds: (FoundKey) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
