import FoundationEssentials

/// What a community allows. Times are in seconds, lengths in metres, amounts in minor units.
struct DeliveryLimits: Hashable, Sendable {
    /// ISO 4217; the only currency of fees and goods.
    var currency: String
    /// The most that is paid for bringing something, and as a tip.
    var highestFee = 10_000
    /// The most that may be spent on goods.
    var highestLimit = 50_000
    /// How many orders a person may have that are not over.
    var orders = 3
    /// How long somebody may think whom the server asks, or whom the orderer has asked for.
    var offer: TimeInterval = 60
    var request: TimeInterval = 120

    static let restaurants = 1...8
    static let radii = 100...1000
    static let usualRadius = 400
    /// How many of the restaurants of a circle are shown.
    static let shownAround = 20
    static let capacity = 1...4
    static let detours = [0, 150, 300, 500]
    static let usualDetour = 150
    /// Minutes that an availability lasts, and that an order waits.
    static let minutes = 15...180
    static let usualAvailability = 30
    static let usualWait = 60
    /// Minutes until food is ready, or is there.
    static let longestMinutes = 180
    /// How often digits may be wrong until none are taken any more: all ten thousand are soon tried.
    static let wrongCodes = 10
    /// Offers not answered in a row that make somebody asked whether they are still there.
    static let unanswered = 3
}
