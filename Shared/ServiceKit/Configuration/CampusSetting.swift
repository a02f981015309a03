package import Configuration
package import WireProtocol

extension CampusDirectory {
    /// `KAMPONG_COMMUNITY_CAMPUSES` and `_CAMPUSES_APART`, which several services read.
    /// - Throws: `ConfigurationProblem`.
    package init(_ config: ConfigReader) throws(ConfigurationProblem) {
        let key = "community.campuses"
        let entries = (config.stringArray(forKey: ConfigKey(path: key)) ?? []).filter { !$0.allSatisfy(\.isWhitespace) }
        do throws(Unreadable) {
            self = try CampusDirectory(entries)
        } catch {
            throw .bad(key, "has the entry \(error.entry), which is not id=Name:domain+domain, or says something twice")
        }
        // Whoever misspells it must not believe that campuses are kept apart.
        switch config.string(forKey: "community.campuses.apart", default: "") {
        case "true": areApart = true
        case "", "false": break
        default: throw .bad("community.campuses.apart", "is neither true nor false")
        }
        if areApart, all.isEmpty { throw .bad("community.campuses.apart", "is set without \(key)") }
    }
}
