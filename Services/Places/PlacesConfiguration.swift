import Configuration
import FoundationEssentials
import ServiceKit

/// What an operator can set, beside what every service reads. Which places there are, imports say.
struct PlacesConfiguration: Sendable {
    /// Where street networks are; without it there are none.
    var streets: StreetFolder?
    /// Distances that are measured at the same time. No more than there are processors: they would only share them.
    var distancesAtOnce = max(2, ProcessInfo.processInfo.activeProcessorCount)

    /// Those that people choose from; regions that are imported should be called so too.
    var regions: [String]

    init(_ config: ConfigReader) throws(ConfigurationProblem) {
        streets = config.string(forKey: "streets.directory").map(StreetFolder.init)
        regions = (config.stringArray(forKey: "community.regions") ?? []).map(\.oneLine).filter { !$0.isEmpty }
    }
}
