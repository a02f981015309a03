import Configuration
import FoundationEssentials
import PlainText
import ServiceKit
import WireProtocol

// What an operator can set of renting.

extension RentalLimits {
    init(_ config: ConfigReader, currency: String) throws(ConfigurationProblem) {
        self.init(currency: currency)
        zone = config.string(forKey: "community.timezone", default: zone)
        guard Zone.named(zone) != nil else {
            throw .bad("community.timezone", "names no time zone of this system, such as Asia/Singapore")
        }
        regions = (config.stringArray(forKey: "community.regions") ?? []).map(\.trimmed.normalized).filter {
            !$0.isEmpty
        }
        let scheme = config.string(forKey: "cars.plates", default: plates.name)
        guard let plates = PlateSchemes.named(scheme) else {
            let known = PlateSchemes.all.map(\.name).joined(separator: ", ")
            throw .bad("cars.plates", "is none of the schemes that are known: \(known)")
        }
        self.plates = plates
        plateTries = try config.count("cars.platetries", default: plateTries, most: 1000)
        models = try Self.catalogue(config)
        answer = try config.minutes("rentals.answer", default: answer)
        switch config.string(forKey: "rentals.requestshold", default: "false") {
        case "true": requestsHold = true
        case "false", "": break
        default: throw .bad("rentals.requestshold", "is neither true nor false")
        }
        longestDays = try config.count("rentals.longest.days", default: longestDays, most: 1000)
        longestHours = try config.count("rentals.longest.hours", default: longestHours, most: 1000)
        farthest = try config.days("rentals.farthest.days", default: farthest)
        things = try config.count("rentals.things", default: things, most: 1000)
        requests = try config.count("rentals.requests", default: requests, most: 1000)
        ahead = try config.count("rentals.ahead", default: ahead, most: 1000)
    }

    /// The operator's file, or the one that comes along.
    private static func catalogue(_ config: ConfigReader) throws(ConfigurationProblem) -> CarModelCatalogue {
        let own = config.string(forKey: "cars.models", default: "")
        let path = own.isEmpty ? ServiceResources.directory(of: "ListingsService") + "/Data/car-models.txt" : own
        guard let file = FileManager.default.contents(atPath: path) else {
            if own.isEmpty { return .any }
            throw .bad("cars.models", "names a file that cannot be read")
        }
        do throws(CarModelCatalogue.BadLine) {
            return try CarModelCatalogue(String(decoding: file, as: UTF8.self))
        } catch {
            throw .bad("cars.models", "has a line that is not \"Brand: model, model\": number \(error.number)")
        }
    }
}
