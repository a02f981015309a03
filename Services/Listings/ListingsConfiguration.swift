import Configuration
import People
import ServiceKit
import WireProtocol

/// What an operator can set, beside what every service reads.
struct ListingsConfiguration: Sendable {
    var limits: SpotLimits
    var rentals: RentalLimits
    var campuses: CampusSeparation

    init(_ config: ConfigReader) throws(ConfigurationProblem) {
        limits = try SpotLimits(config)
        rentals = try RentalLimits(config, currency: limits.currency)
        campuses = CampusSeparation(isOn: try CampusDirectory(config).areApart)
    }
}
