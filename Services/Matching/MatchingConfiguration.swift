import Configuration
import FoundationEssentials
import People
import ServiceKit
import WireProtocol

/// What an operator can set, beside what every service reads.
struct MatchingConfiguration: Sendable {
    var limits: DeliveryLimits
    var wanted: WantedLimits
    var campuses: CampusSeparation

    init(_ config: ConfigReader) throws(ConfigurationProblem) {
        limits = try DeliveryLimits(config)
        wanted = try WantedLimits(config)
        campuses = CampusSeparation(isOn: try CampusDirectory(config).areApart)
    }
}

extension DeliveryLimits {
    /// In minor units: more is a slip of who sets it.
    private static let mostMoney = 1_000_000_000

    init(_ config: ConfigReader) throws(ConfigurationProblem) {
        self.init(currency: config.string(forKey: "community.currency", default: "SGD"))
        guard currency.utf8.count == 3, currency.allSatisfy({ ("A"..."Z").contains($0) }) else {
            throw .bad("community.currency", "is not the three capitals of a currency, such as SGD")
        }
        highestFee = try config.count("deliveries.fee", default: highestFee, most: Self.mostMoney)
        highestLimit = try config.count("deliveries.limit", default: highestLimit, most: Self.mostMoney)
        orders = try config.count("deliveries.orders", default: orders, most: 1000)
        offer = try config.answer("deliveries.offer", default: offer)
        request = try config.answer("deliveries.request", default: request)
    }
}

extension WantedLimits {
    init(_ config: ConfigReader) throws(ConfigurationProblem) {
        self.init()
        perPerson = try config.count("wanted.perperson", default: perPerson, most: 1000)
        days = try config.count("wanted.days", default: days, most: 3650)
        widest = try config.count("wanted.widest", default: widest)
    }
}

extension ConfigReader {
    /// Seconds that somebody may think.
    fileprivate func answer(_ key: String, default otherwise: TimeInterval) throws(ConfigurationProblem) -> TimeInterval
    {
        TimeInterval(try count(key, default: Int(otherwise), most: 3600))
    }
}
