import Synchronization
import WireProtocol

/// In which regions points are that were asked for already: those who post something do so around the same few streets. What an import changes is seen
/// a second later at most.
final class RegionMemory: Sendable {
    fileprivate struct State {
        /// Which files the answers come from.
        var imports: String?
        var lookedAt: ContinuousClock.Instant?
        /// Nil for a point that is in none.
        var regions: [Position: PlaceRegion?] = [:]
    }

    /// About ten megabytes.
    static let most = 50_000

    private let state = Mutex(State())
    private let patience: Duration

    /// - Parameter patience: how long nobody looks for imports.
    init(patience: Duration = .seconds(1)) { self.patience = patience }

    /// Whether somebody should look which files were imported. Others who ask meanwhile are not told to.
    func shouldLook(at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            if let last = state.lookedAt, now < last + patience { return false }
            state.lookedAt = now
            return true
        }
    }

    /// Forgets everything that is from other files.
    func see(_ imports: String) {
        state.withLock { $0.see(imports) }
    }

    /// Nil where it is not known; nil within where there is no region.
    func region(of point: Position) -> PlaceRegion?? {
        state.withLock { $0.regions[point] }
    }

    func keep(_ region: PlaceRegion?, of point: Position, from imports: String) {
        state.withLock { state in
            state.see(imports)
            if state.regions.count >= Self.most { state.regions = [:] }
            state.regions[point] = .some(region)
        }
    }
}

extension RegionMemory.State {
    fileprivate mutating func see(_ others: String) {
        guard others != imports else { return }
        (imports, regions) = (others, [:])
    }
}
