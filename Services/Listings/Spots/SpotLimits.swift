import FoundationEssentials
import WireProtocol

/// What a community allows. Times are in seconds.
struct SpotLimits: Hashable, Sendable {
    /// ISO 4217; the only currency of prices.
    var currency: String
    /// How long a spot at the street stays on the map.
    var lifetime: TimeInterval = 30 * 60
    /// How long a garage or a private place may.
    var privateLifetime: TimeInterval = 30 * 24 * 60 * 60
    /// How many spots a person may hold at once.
    var claims = 3
    /// After how long a claim no longer counts among those: the person has parked.
    var claimLifetime: TimeInterval = 2 * 60 * 60
    /// How many free spots a person may have on the map at once.
    var freeSpots = 20
    /// For how long a spot is kept that ended without a claim, after the time until which it was offered.
    var retention: TimeInterval = 90 * 24 * 60 * 60

    /// How many people must find a spot gone to end it.
    static let witnesses = 2

    func lifetime(of kind: SpotKind) -> TimeInterval {
        switch kind {
        case .street: lifetime
        case .garage, .private: privateLifetime
        }
    }
}
