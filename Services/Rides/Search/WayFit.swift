import FoundationEssentials
import WireProtocol

// How a ride goes with what somebody looks for. No I/O and no clock.

/// Where somebody would get in and out, and how far somebody has to go because the two ride together.
struct WayFit: Hashable, Sendable {
    /// Metres from the start, along the way.
    var boardsAt: Int
    var leavesAt: Int
    /// The numbers of the driver's stops; nil where the driver comes by points of the other's own.
    var stops: ClosedRange<Int>?
    var startGap = 0
    var endGap = 0
    var detour = 0

    var extra: Int { startGap + endGap + detour }
}

/// The stops of a way as everybody may know them, and when they are passed.
struct FittedWay: Hashable, Sendable {
    var points: [Position]
    /// From the start to each of them.
    var metres: [Int]
    var departsAt: Date
    var leavesBy: Date
    /// Metres.
    var detourLeft: Int

    /// From stop to stop or by way of one's own points, whichever means fewer metres.
    func best(for wish: RideWish) -> WayFit? {
        guard let detour = detour(for: wish) else { return near(wish) }
        guard let near = near(wish) else { return detour }
        return near.extra <= detour.extra ? near : detour
    }

    // MARK: From stop to stop

    /// Those stops from and to which there is the least to go for who rides along.
    func near(_ wish: RideWish) -> WayFit? {
        let last = points.count - 1
        let ends = (0...last).map { $0 == 0 ? 0 : Int(points[$0].metres(to: wish.end).rounded()) }
        var best: WayFit?
        for first in 0..<last where wish.isMet(departsAt, leavesBy, after: metres[first]) {
            let startGap = Int(wish.start.metres(to: points[first]).rounded())
            for second in first + 1...last where startGap + ends[second] < best?.extra ?? wish.mostExtra + 1 {
                best = WayFit(
                    boardsAt: metres[first], leavesAt: metres[second], stops: first...second, startGap: startGap,
                    endGap: ends[second])
            }
        }
        return best
    }

    // MARK: By way of one's own points

    /// The same as who asks for a seat from and to these points is told (`RideWay.part`).
    func detour(for wish: RideWish) -> WayFit? {
        guard wish.mayDetour, detourLeft > 0 else { return nil }
        let toStart = points.map { $0.metres(to: wish.start) }
        let toEnd = points.map { $0.metres(to: wish.end) }
        guard let found = insertion(toStart, toEnd, wish.between), found.detour <= min(detourLeft, wish.mostExtra)
        else { return nil }
        let (first, last) = (found.first, found.last)
        let boards = min(share(of: first, toStart), metres[first + 1] - 1)
        let leaves = max(share(of: last, toEnd), metres[last] + 1, boards + 1)
        guard wish.isMet(departsAt, leavesBy, after: boards) else { return nil }
        return WayFit(boardsAt: boards, leavesAt: leaves, detour: found.detour)
    }

    private typealias Insertion = (first: Int, last: Int, detour: Int)

    /// The legs into which both are put: into one, or each into its own.
    private func insertion(_ toStart: [Double], _ toEnd: [Double], _ between: Double) -> Insertion? {
        let legs = 0..<points.count - 1
        var best: Insertion?
        func consider(_ first: Int, _ last: Int, _ detour: Int) {
            if detour < best?.detour ?? .max { best = (first, last, detour) }
        }
        for leg in legs { consider(leg, leg, detour(toStart[leg] + between + toEnd[leg + 1], on: leg)) }
        var before: (leg: Int, detour: Int)?
        for leg in legs {
            if let before {
                consider(before.leg, leg, before.detour + detour(toEnd[leg] + toEnd[leg + 1], on: leg))
            }
            let here = detour(toStart[leg] + toStart[leg + 1], on: leg)
            if here < before?.detour ?? .max { before = (leg, here) }
        }
        return best
    }

    private func detour(_ whole: Double, on leg: Int) -> Int {
        max(0, Int(whole.rounded()) - (metres[leg + 1] - metres[leg]))
    }

    /// How far along a leg a point is, by how far it is from both ends.
    private func share(of leg: Int, _ distances: [Double]) -> Int {
        let (before, after) = (distances[leg], distances[leg + 1])
        guard before + after > 0 else { return metres[leg] }
        return metres[leg] + Int((Double(metres[leg + 1] - metres[leg]) * before / (before + after)).rounded())
    }
}

extension FittedWay {
    init(_ ride: OfferedRide) {
        self.init(
            points: ride.way.points, metres: ride.way.stops.map(\.at), departsAt: ride.departsAt,
            leavesBy: ride.leavesBy, detourLeft: ride.detourLeft)
    }
}
