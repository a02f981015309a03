import FoundationEssentials
import WireProtocol

/// What a community allows. Times are in seconds, lengths in metres.
struct RideLimits: Hashable, Sendable {
    /// ISO 4217; the only currency of costs.
    var currency: String
    /// IANA's name: the zone of rides that name none.
    var zone = "UTC"
    /// The most seats of one ride.
    var seats = 8
    /// How many open rides a person may have.
    var rides = 20
    /// How many requests of a person may wait for an answer.
    var requests = 10
    /// By how much a departure may move without asking those who ride along.
    var shift: TimeInterval = 15 * 60
    /// The most that a seat may cost for each kilometre, in minor units, rounded up to a whole unit; 0 for no limit.
    var costPerKilometre = 0
    /// How far ahead a ride may leave.
    var farthest: TimeInterval = 365 * 86_400

    static let stops = 2...8
    static let longestWay = 3_000_000
    /// Between the ends, unless a stop is as far from both.
    static let shortestWay = 1_000
    static let shortestLeg = 200
    static let longestDetour = 50_000
    static let usualDetour = 5_000
    static let seatsAtOnce = 1...8
    /// What a search may allow of extra metres.
    static let extra = 0...longestWay
    static let longestDeparture: TimeInterval = 6 * 3600
    /// From the earliest departure to the latest arrival.
    static let longestTime = longestDeparture + RideWay.seconds(to: longestWay)
    /// Hours in which an answer may be wanted.
    static let answers = [3, 6, 12, 24]
    static let usualAnswer = 24
    /// In minor units.
    static let highestCost = 100_000_000

    var farthestDays: Int { Int(farthest / 86_400) }

    /// The most that a seat may cost on a way so long, in minor units; nil where there is no limit.
    func highestCost(of metres: Int) -> Int? {
        guard costPerKilometre > 0 else { return nil }
        let (whole, unit) = (metres * costPerKilometre, 100_000)
        return (whole + unit - 1) / unit * 100
    }

    /// The most that a driver may offer to go out of a way so long.
    static func longestDetour(of metres: Int) -> Int { min(longestDetour, metres / 4) }
}
