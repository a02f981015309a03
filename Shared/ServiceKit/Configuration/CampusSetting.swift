package import Configuration
package import WireProtocol

extension CampusDirectory {
    /// `KAMPONG_COMMUNITY_CAMPUSES`, which several services read.
    /// - Throws: `ConfigurationProblem`.
    package init(_ config: ConfigReader) throws(ConfigurationProblem) {
        let key = "community.campuses"
        let entries = (config.stringArray(forKey: ConfigKey(path: key)) ?? []).filter { !$0.allSatisfy(\.isWhitespace) }
        do throws(Unreadable) {
            self = try CampusDirectory(entries)
        } catch {
            throw .bad(key, "has the entry \(error.entry), which is not id=Name:domain+domain, or says something twice")
        }
    }
}
