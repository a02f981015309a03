import Configuration
import ServiceKit

// What an operator can set of spots.

extension SpotLimits {
    init(_ config: ConfigReader) throws(ConfigurationProblem) {
        self.init(currency: config.string(forKey: "community.currency", default: "SGD"))
        lifetime = try config.minutes("spots.lifetime", default: lifetime)
        privateLifetime = try config.minutes("spots.privatelifetime", default: privateLifetime)
        claimLifetime = try config.minutes("spots.claimlifetime", default: claimLifetime)
        retention = try config.days("spots.keep.days", default: retention)
        claims = try config.count("spots.claims", default: claims, most: 1000)
        freeSpots = try config.count("spots.perperson", default: freeSpots, most: 1000)
        guard currency.utf8.count == 3, currency.allSatisfy({ ("A"..."Z").contains($0) }) else {
            throw .bad("community.currency", "is not the three capitals of a currency, such as SGD")
        }
    }
}
