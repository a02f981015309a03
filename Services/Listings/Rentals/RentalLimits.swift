import FoundationEssentials
import WireProtocol

/// What a community allows of renting. Times are in seconds.
struct RentalLimits: Sendable {
    /// ISO 4217; the only currency of prices.
    var currency: String
    /// Where things are that say nothing else: IANA's name.
    var zone = "Asia/Singapore"
    /// Nothing else is a region; where empty, a region is any text.
    var regions: [String] = []
    var plates: any PlateScheme = SingaporePlates()
    var models = CarModelCatalogue.any
    /// How many different number plates a person may give in a day: whether one is shared already is told to nobody who tries them all.
    var plateTries = 20
    /// How long an owner may take to answer.
    var answer: TimeInterval = 24 * 60 * 60
    /// Whether what is asked for is kept for the one who asks.
    var requestsHold = false
    var longestDays = 90
    var longestHours = 72
    /// How far ahead something may begin.
    var farthest: TimeInterval = 365 * 24 * 60 * 60
    /// How many things a person may share, drafts among them.
    var things = 50
    /// How many requests of a person may wait for an answer.
    var requests = 10
    /// How many agreements that have not begun a person may have as renter before they take another one that nobody answers: each tells a door.
    var ahead = 10

    static let highestPrice = 100_000_000
    static let mostPhotos = 12

    func longest(_ unit: RentalUnit) -> Int { unit == .day ? longestDays : longestHours }

    var farthestDays: Int { Int(farthest / 86400) }

    /// The last day, there, on which something may begin that is asked for now.
    func lastDay(in zone: Zone, at now: Date) -> CivilDay { zone.wallTime(at: now).day + farthestDays }
}
