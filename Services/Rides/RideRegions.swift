import FoundationEssentials
import WireProtocol

// In which regions the stops of a ride are.

extension RideUseCases {
    /// What Places knows of the stops of a draft, before anything is locked. What it does not answer now is asked for later (`RideRegionRounds`).
    func regions(of draft: RideDraft, for caller: Caller) async throws -> [Position: String] {
        _ = try caller.requirePerson()
        let stops = (draft.stops ?? []).prefix(RideLimits.stops.upperBound)
        let points = Set(stops.compactMap(\.position).filter(\.isValid).map(\.onGrid))
        return await withTaskGroup(of: (Position, String?).self) { group in
            for point in points {
                group.addTask { (point, (try? await askForRegion(point)) ?? nil) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
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
