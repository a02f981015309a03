import FoundationEssentials
import PlainText
import WireProtocol

// How long a way is, and a part of it. All lengths are those between the middles of fields of the grid. No I/O and no clock.

extension RideWay {
    /// The way through stops that were checked (`RideRules`).
    init(measuring drafts: [RideStopDraft]) {
        stops = []
        for draft in drafts {
            guard let position = draft.position else { continue }
            let at = stops.last.map { $0.at + Self.leg($0.position.onGrid, position.onGrid) } ?? 0
            stops.append(
                WayStop(name: draft.name, address: draft.address, position: position, region: nil, at: at))
        }
    }

    /// A leg has a length, also within one field.
    private static func leg(_ start: Position, _ end: Position) -> Int { max(1, Int(start.metres(to: end).rounded())) }

    /// As everybody may know them.
    var points: [Position] { stops.map(\.position.onGrid) }

    /// Metres from each stop to the next.
    var legs: [Int] { zip(stops, stops.dropFirst()).map { $1.at - $0.at } }

    /// The part from one point to another: the start where nothing is said, and the end. A point of one's own is put where the driver goes out of
    /// the way the least.
    ///
    /// - Returns: Nil where something is wrong, which `errors` names.
    func part(from: SeatPointDraft?, to: SeatPointDraft?, errors: inout [FieldError]) -> WayPart? {
        let boarding = PlaceOnWay(from, of: self, otherwise: 0, at: "from", &errors)
        let leaving = PlaceOnWay(to, of: self, otherwise: stops.count - 1, at: "to", &errors)
        guard let boarding, let leaving else { return nil }
        guard !boarding.isClose(to: leaving, on: self) else {
            errors.append(FieldError("to", "too_close", "That is where you get in."))
            return nil
        }
        guard let part = part(from: boarding, to: leaving) else {
            errors.append(FieldError("to", "out_of_order", "One gets out after getting in."))
            return nil
        }
        return part
    }

    /// Nil where the one is not after the other.
    private func part(from boarding: PlaceOnWay, to leaving: PlaceOnWay) -> WayPart? {
        switch (boarding, leaving) {
        case (.stop(let first), .stop(let last)):
            return first < last ? WayPart(boarding: point(first), leaving: point(last), detour: 0) : nil
        case (.own(let own), .stop(let last)):
            return insertion(of: own, among: 0..<last).map {
                WayPart(boarding: entry(own, on: $0.leg), leaving: point(last), detour: $0.detour)
            }
        case (.stop(let first), .own(let own)):
            return insertion(of: own, among: first..<stops.count - 1).map {
                WayPart(boarding: point(first), leaving: exit(own, on: $0.leg), detour: $0.detour)
            }
        case (.own(let first), .own(let last)):
            return part(from: first, to: last)
        }
    }

    /// Both on one leg, or each on its own, whichever is the least.
    private func part(from first: OwnPoint, to last: OwnPoint) -> WayPart? {
        let (points, legs) = (points, legs)
        let (start, end) = (first.position.onGrid, last.position.onGrid)
        let between = start.metres(to: end)
        let onOne = legs.indices.map { leg in
            let whole = points[leg].metres(to: start) + between + end.metres(to: points[leg + 1])
            return (first: leg, last: leg, detour: Self.detour(whole, insteadOf: legs[leg]))
        }
        let onTwo = legs.indices.compactMap { leg in
            insertion(of: first, among: 0..<leg).flatMap { before in
                insertion(of: last, among: leg..<leg + 1).map { after in
                    (first: before.leg, last: leg, detour: before.detour + after.detour)
                }
            }
        }
        return (onOne + onTwo).min { $0.detour < $1.detour }.map { best in
            let boarding = entry(first, on: best.first)
            let leaving = exit(last, on: best.last, after: boarding)
            return WayPart(boarding: boarding, leaving: leaving, detour: best.detour)
        }
    }

    /// The leg into which a point is put.
    private func insertion(of own: OwnPoint, among range: Range<Int>) -> (leg: Int, detour: Int)? {
        let (points, legs, point) = (points, legs, own.position.onGrid)
        return range.map { leg in
            let whole = points[leg].metres(to: point) + point.metres(to: points[leg + 1])
            return (leg: leg, detour: Self.detour(whole, insteadOf: legs[leg]))
        }.min { $0.detour < $1.detour }
    }

    /// Rounding must not make a way shorter that goes by another point.
    private static func detour(_ metres: Double, insteadOf leg: Int) -> Int { max(0, Int(metres.rounded()) - leg) }

    // MARK: Where a point is along the way

    private func point(_ number: Int) -> WayPoint { WayPoint(at: stops[number].at, stop: number) }

    /// Before the end of its leg, so that there is some way left.
    private func entry(_ own: OwnPoint, on leg: Int) -> WayPoint {
        WayPoint(at: min(share(own, of: leg), stops[leg + 1].at - 1), own: own)
    }

    /// After the beginning of its leg, and after where one got in.
    private func exit(_ own: OwnPoint, on leg: Int, after boarding: WayPoint? = nil) -> WayPoint {
        WayPoint(at: max(share(own, of: leg), stops[leg].at + 1, (boarding?.at ?? 0) + 1), own: own)
    }

    /// Where on its leg it is, by how far it is from both ends.
    private func share(_ own: OwnPoint, of leg: Int) -> Int {
        let point = own.position.onGrid
        let (before, after) = (
            stops[leg].position.onGrid.metres(to: point), point.metres(to: stops[leg + 1].position.onGrid)
        )
        guard before + after > 0 else { return stops[leg].at }
        return stops[leg].at + Int((Double(legs[leg]) * before / (before + after)).rounded())
    }
}

/// Where somebody wants to get in, or out.
private enum PlaceOnWay {
    case stop(Int)
    case own(OwnPoint)

    init?(
        _ draft: SeatPointDraft?, of way: RideWay, otherwise number: Int, at field: String,
        _ errors: inout [FieldError]
    ) {
        guard let draft else {
            self = .stop(number)
            return
        }
        if let stop = draft.stop {
            guard way.stops.indices.contains(stop) else {
                errors.append(FieldError(field, "out_of_range", "The ride has no such stop."))
                return nil
            }
            self = .stop(stop)
        } else {
            guard let own = OwnPoint(draft, at: field, &errors) else { return nil }
            self = .own(own)
        }
    }

    /// Of stops of the driver's their order decides: a way may lead back to where it began.
    func isClose(to other: PlaceOnWay, on way: RideWay) -> Bool {
        if case .stop = self, case .stop = other { return false }
        return position(on: way).metres(to: other.position(on: way)) < Double(RideLimits.shortestLeg)
    }

    private func position(on way: RideWay) -> Position {
        switch self {
        case .stop(let number): way.stops[number].position.onGrid
        case .own(let own): own.position.onGrid
        }
    }
}

extension OwnPoint {
    /// - Returns: Nil where something is wrong, which `errors` names.
    fileprivate init?(_ draft: SeatPointDraft, at field: String, _ errors: inout [FieldError]) {
        let before = errors.count
        let name = TextRule.line(RideRules.longestName).read(draft.name, at: "\(field).name", &errors)
        let address = TextRule.line(RideRules.longestAddress).read(draft.address, at: "\(field).address", &errors)
        let isNamed = name != nil || errors.count > before
        guard isNamed, let position = draft.position else {
            errors.append(RideRules.notAPlace(at: field))
            return nil
        }
        errors += RideRules.errors(in: position, at: field)
        guard errors.count == before, let name else { return nil }
        self.init(name: name, address: address, position: position)
    }
}

extension OfferedRide {
    /// Seats that are free all the way from each stop to the next.
    var freeByLeg: [Int] { zip(way.stops, way.stops.dropFirst()).map { free(from: $0.at, to: $1.at) } }

    /// What seats on a part of the way cost, in minor units: the share of the metres, rounded half up.
    func cost(of part: WayPart, seats: Int) -> Int { cost(from: part.boarding.at, to: part.leaving.at, seats: seats) }

    func cost(from start: Int, to end: Int, seats: Int) -> Int {
        guard way.length > 0 else { return 0 }
        return (2 * cost * seats * (end - start) + way.length) / (2 * way.length)
    }

    /// Seats that are free for somebody on a part of the way: none where the driver would have to go out of the way more than is left of it.
    func free(on part: WayPart) -> Int {
        part.detour <= detourLeft ? free(from: part.boarding.at, to: part.leaving.at) : 0
    }
}
