import Configuration
import FoundationEssentials
import People
import ServiceKit
import WireProtocol

/// What an operator can set, beside what every service reads.
struct RidesConfiguration: Sendable {
    var limits: RideLimits
    var campuses: CampusSeparation

    init(_ config: ConfigReader) throws(ConfigurationProblem) {
        limits = try RideLimits(config)
        campuses = CampusSeparation(isOn: try CampusDirectory(config).areApart)
    }
}

extension RideLimits {
    init(_ config: ConfigReader) throws(ConfigurationProblem) {
        self.init(currency: config.string(forKey: "community.currency", default: "SGD"))
        guard currency.utf8.count == 3, currency.allSatisfy({ ("A"..."Z").contains($0) }) else {
            throw .bad("community.currency", "is not the three capitals of a currency, such as SGD")
        }
        zone = config.string(forKey: "community.timezone", default: zone)
        guard Zone.named(zone) != nil else {
            throw .bad("community.timezone", "names no time zone of this system, such as Asia/Singapore")
        }
        seats = try config.count("rides.seats", default: seats, most: 60)
        rides = try config.count("rides.open", default: rides, most: 1000)
        requests = try config.count("rides.requests", default: requests, most: 1000)
        shift = try config.minutes("rides.shift", default: shift)
        costPerKilometre = config.int(forKey: "rides.cost.perkm", default: costPerKilometre)
        guard (0...1_000_000).contains(costPerKilometre) else {
            throw .bad("rides.cost.perkm", "is not a number from 0 to 1000000")
        }
        farthest = try config.days("rides.farthest.days", default: farthest)
    }
}
