import FoundationEssentials

/// The time zones from which somebody chooses, by IANA's names: those that the system has for the countries of the world, each with the clock of one of
/// its towns.
enum ZoneNames {
    /// Read once. Empty where the system has no such table: then there is the community's to choose, and the one that a thing has.
    static let all: [String] = read("/usr/share/zoneinfo/zone.tab")

    /// Lines of country, position, name and a remark, with tabs between them.
    static func read(_ path: String) -> [String] {
        guard let file = FileManager.default.contents(atPath: path) else { return [] }
        return String(decoding: file, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            let columns = $0.split(separator: "\t")
            return columns.count < 3 ? nil : String(columns[2])
        }
    }

    /// To choose from, in their order.
    /// - Parameter chosen: as it was sent, or as a thing has it: offered whatever it is, so that nothing is changed by showing it.
    static func options(_ chosen: String, besides community: String) -> [Field.Option] {
        Set(all + [chosen, community]).sorted().map {
            Field.Option(value: $0, text: $0.replacing("_", with: " "), chosen: $0 == chosen)
        }
    }
}
