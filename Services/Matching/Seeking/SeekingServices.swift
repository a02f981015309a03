import FoundationEssentials
import Messaging
import WireProtocol

/// What is asked of rides about who seeks one, never while a row is locked. Each throws what rides refuses with; `unavailable` where it does not answer
/// in time.
struct SeekingServices: Sendable {
    /// What others may know of a search.
    var seeking: @Sendable (WantedQuery) async throws -> Seeking
    /// Which of some searches find a ride, and what they would cost its driver.
    var fits: @Sendable (SearchJudging) async throws -> SeekerFits
}

extension SeekingServices {
    private static let patience: TimeInterval = 2

    /// Asks over the bus.
    init(asking client: RequestClient) {
        self.init(
            seeking: {
                try await client.call(RidesMethods.seeking, Nothing(), $0, deadline: Date() + Self.patience)
            },
            fits: {
                try await client.call(RidesMethods.seekerFits, Nothing(), $0, deadline: Date() + Self.patience)
            })
    }
}
