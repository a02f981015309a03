import FoundationEssentials
import Synchronization
import WireProtocol

@testable import RidesService

/// Streets that are longer than the straight line by as much as both ends say, in each direction another, and what was asked about them.
final class MadeUpStreets: Sendable {
    let questions = Mutex<[StreetsQuestion]>([])
    let routes = Mutex<[[Position]]>([])
    /// Where it is, Places does not answer.
    let isAway = Mutex(false)
    /// Whether there are streets at a point.
    let isKnown: @Sendable (Position) -> Bool

    init(at isKnown: @escaping @Sendable (Position) -> Bool = { _ in true }) { self.isKnown = isKnown }

    func way(_ from: Position, _ to: Position) -> StreetLeg? {
        guard isKnown(from), isKnown(to) else { return nil }
        let turns = from.latitude * 7919 + from.longitude * 104_729 + to.latitude * 1_299_709 + to.longitude * 31
        let metres = Int((from.metres(to: to) * (1 + Double(abs(Int(turns.rounded())) % 97) / 200)).rounded(.up))
        return StreetLeg(metres: metres, seconds: metres / 15)
    }

    func legs(_ points: [Position]) -> [StreetLeg]? {
        let legs = zip(points, points.dropFirst()).compactMap { from, to in
            from == to ? StreetLeg(metres: 0, seconds: 0) : way(from, to)
        }
        return legs.count == points.count - 1 ? legs : nil
    }

    var askForLegs: AskForLegs {
        { points in
            try self.beThere()
            self.routes.withLock { $0.append(points) }
            return self.legs(points)
        }
    }

    var askForStreets: StreetsQuestion.Ask {
        { question in
            self.questions.withLock { $0.append(question) }
            try self.beThere()
            return question.others.map {
                question.isTowards ? self.way($0, question.point) : self.way(question.point, $0)
            }
        }
    }

    private func beThere() throws {
        if isAway.withLock(\.self) { throw ServiceError(.unavailable, "Places is away.") }
    }

    /// How far a driver goes out of the way by way of some points on a leg of a ride, in plain arithmetic.
    func detour(_ points: [Position], on leg: Int, of ride: OfferedRide) -> StreetLeg {
        let stops = ride.way.points
        let chain = [stops[leg]] + points.map(\.onGrid) + [stops[leg + 1]]
        var sum = StreetLeg(metres: 0, seconds: 0)
        for (from, to) in zip(chain, chain.dropFirst()) where from != to {
            let way = way(from, to)!
            sum = StreetLeg(metres: sum.metres + way.metres, seconds: sum.seconds + way.seconds)
        }
        let own = stops[leg] == stops[leg + 1] ? StreetLeg(metres: 0, seconds: 0) : way(stops[leg], stops[leg + 1])!
        return StreetLeg(metres: max(0, sum.metres - own.metres), seconds: max(0, sum.seconds - own.seconds))
    }
}
