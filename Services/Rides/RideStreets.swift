import FoundationEssentials
import WireProtocol

// How far a driver goes out of the way along streets. Always by car and between the middles of fields of the grid. No I/O and no clock.

/// Ways along streets from one point to another, as far as they are known.
struct KnownStreets: Hashable, Sendable {
    private struct Ends: Hashable {
        var from: Position
        var to: Position
    }

    private var ways: [Ends: StreetLeg] = [:]

    subscript(from: Position, to: Position) -> StreetLeg? {
        get { from == to ? StreetLeg(metres: 0, seconds: 0) : ways[Ends(from: from, to: to)] }
        set { ways[Ends(from: from, to: to)] = newValue }
    }

    /// Point after point; nil where some of it is not known.
    fileprivate func length(of chain: [Position]) -> StreetLeg? {
        var sum = StreetLeg(metres: 0, seconds: 0)
        for (from, to) in zip(chain, chain.dropFirst()) {
            guard let way = self[from, to] else { return nil }
            sum = StreetLeg(metres: sum.metres + way.metres, seconds: sum.seconds + way.seconds)
        }
        return sum
    }
}

/// A leg that is not driven straight, but by way of one point of somebody's own or of both.
fileprivate struct BentLeg {
    var number: Int
    /// With the stops at both its ends.
    var chain: [Position]
}

extension RideWay {
    /// The legs on which a part has points of somebody's own.
    fileprivate func bentLegs(for part: WayPart) -> [BentLeg] {
        func bent(_ number: Int, _ points: [Position]) -> BentLeg {
            BentLeg(
                number: number,
                chain: [stops[number].position.onGrid] + points + [stops[number + 1].position.onGrid])
        }
        // One gets in before the end of a leg, and out after its beginning.
        let first = part.boarding.own.flatMap { own in
            legs.indices.last { stops[$0].at <= part.boarding.at }.map { ($0, own.position.onGrid) }
        }
        let last = part.leaving.own.flatMap { own in
            legs.indices.last { stops[$0].at < part.leaving.at }.map { ($0, own.position.onGrid) }
        }
        if let first, let last, first.0 == last.0 { return [bent(first.0, [first.1, last.1])] }
        return [first, last].compactMap(\.self).map { bent($0.0, [$0.1]) }
    }
}

extension OfferedRide {
    /// The ways that have to be known to say how far a part is out of the way along streets; none where that is not known of the ride's own.
    func streets(for part: WayPart) -> [(from: Position, to: Position)] {
        guard legs?.count == way.stops.count - 1 else { return [] }
        return way.bentLegs(for: part).flatMap { Array(zip($0.chain, $0.chain.dropFirst())) }
    }

    /// The same part, with the detour along streets where that is known, and where it is not less than in a straight line.
    func measured(_ part: WayPart, along streets: KnownStreets) -> WayPart {
        guard let legs, legs.count == way.stops.count - 1 else { return part }
        let bent = way.bentLegs(for: part)
        let lengths = bent.compactMap { streets.length(of: $0.chain) }
        guard !bent.isEmpty, lengths.count == bent.count else { return part }
        var (metres, seconds) = (0, 0)
        for (leg, length) in zip(bent, lengths) {
            metres += max(0, length.metres - legs[leg.number].metres)
            seconds += max(0, length.seconds - legs[leg.number].seconds)
        }
        var measured = part
        measured.detour = max(part.detour, metres)
        measured.detourSeconds = seconds
        return measured
    }
}
