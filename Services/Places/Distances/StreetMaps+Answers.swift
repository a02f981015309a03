import FoundationEssentials
import StreetNetwork
import WireProtocol

// Of several networks that know a way the fastest counts; none leads from one network into another.

extension StreetMaps {
    /// - Throws: `unavailable` where there is more to do than can be done in time.
    func distances(_ question: DistanceQuestion, before deadline: Date) async throws -> PlaceDistances {
        try await compute(before: deadline) { maps in
            let best = question.fastest(on: maps)
            return PlaceDistances(
                items: best.map { PlaceDistance($0.distance) }, attribution: Self.attribution(of: best))
        }
    }

    /// - Throws: `unavailable` where there is more to do than can be done in time.
    func route(_ question: RouteQuestion, before deadline: Date) async throws -> PlaceRoute {
        try await compute(before: deadline) { maps in
            var best: [FastestWay] = []
            var points = [question.points[0]]
            for leg in question.legs {
                guard deadline > Date() else { throw Self.overloaded }
                let ways = DistanceQuestion(from: leg.from, to: leg.to, by: question.profile).fastest(on: maps)
                best += ways
                let way = ways[0].map?.network.way(from: leg.from, to: leg.to, by: question.profile)
                points += (way ?? [leg.from, leg.to]).dropFirst()
            }
            return PlaceRoute(
                legs: best.map { PlaceDistance($0.distance) }, shape: WayShape.simplified(points),
                attribution: Self.attribution(of: best))
        }
    }

    private static func attribution(of ways: [FastestWay]) -> [String] {
        Set(ways.compactMap(\.map?.listed.attribution)).sorted()
    }
}

/// The fastest way to one point, and whose streets it is along; nobody's in a straight line.
private struct FastestWay {
    var distance: StreetDistance
    var map: LoadedStreets?
}

extension DistanceQuestion {
    fileprivate func fastest(on maps: [LoadedStreets]) -> [FastestWay] {
        var best = straightLines.map { FastestWay(distance: $0) }
        for map in maps {
            let found = map.network.distances(from: origin, to: targets, by: profile, backwards: backwards)
            for (index, distance) in found.enumerated() where distance.isAlongStreets {
                guard distance.seconds ?? 0 < best[index].distance.seconds ?? .infinity else { continue }
                best[index] = FastestWay(distance: distance, map: map)
            }
        }
        return best
    }
}
