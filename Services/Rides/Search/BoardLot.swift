import FoundationEssentials
import WireProtocol

/// Rides that leave on one day and have equally many stops, in flat arrays without gaps.
///
/// The arrays are short: a search goes on reading those that it has while one of them is written anew for a ride that changes.
struct BoardLot: Sendable {
    let stops: Int
    private(set) var segments: [BoardSegment] = []
    private(set) var count = 0
    /// Seconds that any of its ways takes at most.
    private(set) var longest: TimeInterval = 0

    init(stops: Int) { self.stops = stops }

    /// - Returns: its number.
    mutating func append(_ entry: BoardEntry) -> Int {
        if count == segments.count * BoardSegment.size { segments.append(BoardSegment(stops: stops)) }
        segments[segments.count - 1].append(entry)
        longest = max(longest, entry.seconds)
        count += 1
        return count - 1
    }

    mutating func replace(_ number: Int, with entry: BoardEntry) {
        segments[number / BoardSegment.size].set(number % BoardSegment.size, to: entry)
        longest = max(longest, entry.seconds)
    }

    /// The last one takes its place.
    /// - Returns: the one that has its number now; nil where there is none.
    mutating func remove(_ number: Int) -> RideID? {
        count -= 1
        let last = segments[segments.count - 1].removeLast()
        if count == (segments.count - 1) * BoardSegment.size { segments.removeLast() }
        guard number != count else { return nil }
        segments[number / BoardSegment.size].set(number % BoardSegment.size, to: last)
        return last.id
    }
}

/// Some rides of a lot.
struct BoardSegment: Sendable {
    static let size = 256

    let stops: Int
    private(set) var ids: [RideID] = []
    private(set) var lines: [BoardLine] = []
    /// Of each ride as many as it has stops: on the unit sphere, and in the last lane metres from the start.
    private(set) var places: [SIMD4<Float>] = []
    private(set) var points: [GridPoint] = []

    init(stops: Int) { self.stops = stops }

    mutating func append(_ entry: BoardEntry) {
        // Arrays that grow by themselves would be twice as long as they need to be.
        if ids.count == Self.size / 8 { reserve() }
        ids.append(entry.id)
        lines.append(entry.line)
        places += entry.places
        points += entry.points
    }

    private mutating func reserve() {
        ids.reserveCapacity(Self.size)
        lines.reserveCapacity(Self.size)
        places.reserveCapacity(Self.size * stops)
        points.reserveCapacity(Self.size * stops)
    }

    mutating func set(_ index: Int, to entry: BoardEntry) {
        (ids[index], lines[index]) = (entry.id, entry.line)
        for stop in 0..<stops {
            (places[index * stops + stop], points[index * stops + stop]) = (entry.places[stop], entry.points[stop])
        }
    }

    mutating func removeLast() -> BoardEntry {
        let entry = BoardEntry(
            id: ids.removeLast(), line: lines.removeLast(), places: Array(places.suffix(stops)),
            points: Array(points.suffix(stops)))
        places.removeLast(stops)
        points.removeLast(stops)
        return entry
    }

    /// The way of one of them, as it is measured exactly.
    func way(_ index: Int) -> FittedWay {
        let range = index * stops..<(index + 1) * stops
        return FittedWay(
            points: points[range].map(\.position), metres: places[range].map { Int($0.w) },
            departsAt: lines[index].departsAt, leavesBy: lines[index].leavesBy,
            detourLeft: Int(lines[index].detourLeft))
    }
}

/// What is looked at of every ride first.
struct BoardLine: Hashable, Sendable {
    var departsAt: Date
    var leavesBy: Date
    var detourLeft: UInt16
    var campus: UInt16
    var free: UInt8
    var luggage: UInt8
}

/// A ride on its way into a segment.
struct BoardEntry: Hashable, Sendable {
    var id: RideID
    var line: BoardLine
    var places: [SIMD4<Float>]
    var points: [GridPoint]

    /// From the start to the end.
    var seconds: TimeInterval { RideWay.seconds(to: places.last.map { Int($0.w) } ?? 0) }

    init(id: RideID, line: BoardLine, places: [SIMD4<Float>], points: [GridPoint]) {
        (self.id, self.line, self.places, self.points) = (id, line, places, points)
    }

    init(_ ride: BoardRide, campus: UInt16) {
        id = ride.id
        line = BoardLine(
            departsAt: ride.departsAt, leavesBy: ride.leavesBy, detourLeft: UInt16(clamping: ride.detourLeft),
            campus: campus, free: UInt8(clamping: ride.free), luggage: ride.luggage.rank)
        points = ride.way.map(\.point)
        places = ride.way.map { stop in
            var place = stop.point.position.onUnitSphere
            // Exact up to 16,000 km.
            place.w = Float(stop.at)
            return place
        }
    }
}
