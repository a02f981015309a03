import FoundationEssentials
import WireProtocol

// In which regions the stops of a ride are.

extension RideUseCases {
    /// What Places knows of the stops of a draft, before anything is locked. What it does not answer now is asked for later (`RideRegionRounds`).
    func regions(of draft: RideDraft, for caller: Caller) async throws -> [Position: String] {
        _ = try caller.requirePerson()
        let points = Set(draft.waysAsked.joined().compactMap(\.position).filter(\.isValid).map(\.onGrid))
        return await withTaskGroup(of: (Position, String?).self) { group in
            for point in points {
                group.addTask { (point, (try? await askForRegion(point)) ?? nil) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }
}

extension RideDraft {
    /// Stops of the way there and of the way back, as far as Places is asked about them. Nobody has checked them yet.
    var waysAsked: [[RideStopDraft]] {
        let there = stops ?? []
        let back = returnRide.map { $0.stops ?? there.reversed() }
        return [there, back].compactMap(\.self).map { Array($0.prefix(RideLimits.stops.upperBound)) }
    }
}

extension RideWay {
    /// - Parameter regions: by the middles of the fields of the grid.
    mutating func place(in regions: [Position: String]) {
        for index in stops.indices {
            if let region = regions[stops[index].position.onGrid] { stops[index].region = region }
        }
    }
}
