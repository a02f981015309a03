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

extension ConfigReader {
    /// A positive number of minutes, at most a year; in seconds.
    func minutes(_ key: String, default seconds: Double) throws(ConfigurationProblem) -> Double {
        let minutes = int(forKey: ConfigKey(path: key), default: Int(seconds / 60))
        guard (1...366 * 24 * 60).contains(minutes) else {
            throw .bad(key, "is not a number of minutes from 1 to a year")
        }
        return Double(minutes) * 60
    }

    /// A positive number of days, at most ten years; in seconds.
    func days(_ key: String, default seconds: Double) throws(ConfigurationProblem) -> Double {
        let days = int(forKey: ConfigKey(path: key), default: Int(seconds / 86400))
        guard (1...3660).contains(days) else { throw .bad(key, "is not a number of days from 1 to ten years") }
        return Double(days) * 86400
    }

    func count(_ key: String, default otherwise: Int) throws(ConfigurationProblem) -> Int {
        let count = int(forKey: ConfigKey(path: key), default: otherwise)
        guard (1...1000).contains(count) else { throw .bad(key, "is not a number from 1 to 1000") }
        return count
    }
}
