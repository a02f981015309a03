import FoundationEssentials
import WireProtocol

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

// By what rides are found: the cells through which their ways lead, and when these are driven. No I/O and no clock.

/// How far a ride may be from where somebody wants to get in, or out, and be found.
struct SearchReach: Sendable {
    /// Ways are told apart by their longest legs, in metres: a driver of a long one comes by from afar for few extra metres.
    private static let legs = [100_000.0, Double(RideLimits.longestWay) + 1]

    /// The longest leg of those ways.
    private let leg: Double

    static let all = legs.map { SearchReach(leg: $0) }

    /// That of a way.
    init(_ way: RideWay) {
        let longest = Double(way.legs.max() ?? 0) + 1
        leg = Self.legs.first { longest <= $0 } ?? Self.legs[Self.legs.count - 1]
    }

    private init(leg: Double) { self.leg = leg }

    /// The narrowest level at which any search looks for such ways. One that wants less extra looks as far.
    var narrowestLevel: Int {
        EarthCell.level(for: metres(forExtra: RideWish.leastExtra)) ?? EarthCell.levels.upperBound
    }

    /// From stop to stop nobody goes farther than the most extra metres that help anybody. Who goes out of the way by so many metres is not farther from it
    /// than in the middle of the longest leg: there both halves of the detour and half the leg make a triangle with a right angle, on a sphere.
    func metres(forExtra extra: Int) -> Double {
        // Two are what rounding may add.
        let half = (leg + Double(min(extra, RideLimits.longestDetour)) + 2) / 2
        let aside = Earth.radius * acos(min(1, cos(half / Earth.radius) / cos(leg / 2 / Earth.radius)))
        return max(Double(extra) + 1, aside) + Self.margin
    }

    private static let margin = 10.0
}

extension RideWish {
    /// The keys around where one gets in, and those around where one gets out: what is found has one of either.
    func anchors(at now: Date) -> [[SearchKey]] {
        let extra = max(mostExtra, Self.leastExtra)
        // Who has left is not found, so nobody gets in before now.
        let times = max(times.lowerBound, min(now, times.upperBound))...times.upperBound
        return [start, end].map { end in
            let cells = SearchReach.all.map { reach -> [EarthCell?] in
                let metres = reach.metres(forExtra: extra)
                guard let level = EarthCell.level(for: metres) else { return [nil] }
                return EarthCell.around(end.inSpace, within: metres, at: level)
            }
            return SearchKey.rides(in: Set(cells.joined()), at: KeyTimes.asked(times))
        }
    }
}

extension OfferedRide {
    /// Whatever search finds it has one of these.
    var searchKeys: [SearchKey] {
        let points = way.points.map(\.inSpace)
        let levels = SearchReach(way).narrowestLevel...EarthCell.levels.upperBound
        let cells = levels.reduce(into: Set<EarthCell?>([nil])) { cells, level in
            for cell in EarthCell.along(points, at: level) { cells.insert(cell) }
        }
        // Whenever somebody may get in.
        let times = departsAt...leavesBy + RideWay.seconds(to: way.length)
        return SearchKey.rides(in: cells, at: KeyTimes.driven(times))
    }
}

extension SearchKey {
    /// - Parameter cells: nil is the whole earth.
    fileprivate static func rides(in cells: Set<EarthCell?>, at times: [String]) -> [SearchKey] {
        let names = cells.map { cell in cell.map { "\($0.level):\($0.x),\($0.y),\($0.z)" } ?? "*" }.sorted()
        return times.flatMap { time in names.map { SearchKey(rawValue: "ride/\(time)/\($0)") } }
    }
}

/// When, as keys name it: by days of universal time, and by spans of some hours. A ride has both, so that a search for a few hours does not judge all that is
/// driven on that day.
private enum KeyTimes {
    private static let (day, span): (TimeInterval, TimeInterval) = (86_400, 7200)
    /// Whoever asks for a longer time is found by its days.
    private static let longestBySpans: TimeInterval = 21_600

    static func asked(_ times: ClosedRange<Date>) -> [String] {
        times.upperBound.timeIntervalSince(times.lowerBound) <= longestBySpans ? spans(times) : days(times)
    }

    static func driven(_ times: ClosedRange<Date>) -> [String] { days(times) + spans(times) }

    private static func days(_ times: ClosedRange<Date>) -> [String] { pieces(of: times, day).map { "\($0)" } }
    private static func spans(_ times: ClosedRange<Date>) -> [String] { pieces(of: times, span).map { "h\($0)" } }

    /// Counted from 1970.
    private static func pieces(of times: ClosedRange<Date>, _ length: TimeInterval) -> ClosedRange<Int> {
        func number(_ moment: Date) -> Int { Int((moment.timeIntervalSince1970 / length).rounded(.down)) }
        return number(times.lowerBound)...number(times.upperBound)
    }
}
