package import Configuration
import PlainText

/// Why a process cannot start: a sentence that names the key, for the person who sets the service up.
///
/// `ServiceHost.run` prints it and leaves with exit status 78 (`EX_CONFIG` of sysexits.h).
package struct ConfigurationProblem: Error, Hashable, CustomStringConvertible {
    package var description: String

    package init(_ sentence: String) { description = sentence }

    /// The setting is not there. `key` is relative to `kampong`, as `database.url`.
    package static func missing(_ key: String) -> ConfigurationProblem {
        ConfigurationProblem("The setting \(names(of: key)) is missing.")
    }

    /// The setting is there and cannot be used. `reason` continues "The setting … ", as "is not a port number".
    package static func bad(_ key: String, _ reason: String) -> ConfigurationProblem {
        ConfigurationProblem("The setting \(names(of: key)) \(reason).")
    }

    /// `KAMPONG_DATABASE_URL (or --kampong-database-url)`: a key as people write it.
    private static func names(of key: String) -> String {
        let words = key.split(separator: ".")
        let variable = (["KAMPONG"] + words.map { $0.uppercased() }).joined(separator: "_")
        return "\(variable) (or --kampong-\(words.joined(separator: "-")))"
    }
}

extension ConfigReader {
    /// A text that must be there and not be empty.
    package func required(_ key: String, isSecret: Bool = false) throws(ConfigurationProblem) -> String {
        guard let value = string(forKey: ConfigKey(path: key), isSecret: isSecret), !value.isEmpty else {
            throw .missing(key)
        }
        return value
    }

    /// What people call the community: on pages, in subjects of mails, and where devices keep passkeys.
    package func communityName() throws(ConfigurationProblem) -> String {
        let name = string(forKey: "community.name", default: "Kampong").trimmed
        guard name.isVisible, !name.hasControls, name.utf8.count <= 200 else {
            throw .bad("community.name", "is no line of at most 200 bytes")
        }
        return name
    }

    /// A TCP port, 0 for any; `otherwise` when the setting is absent, and without that it must be there.
    package func port(_ key: String, default otherwise: Int? = nil) throws(ConfigurationProblem) -> Int {
        guard let port = int(forKey: ConfigKey(path: key)) else {
            return try absent(key, otherwise, "is not a port number")
        }
        guard (0...65535).contains(port) else { throw .bad(key, "is not a port number") }
        return port
    }

    /// A number of seconds, with or without a fraction.
    package func seconds(_ key: String, default otherwise: Duration) throws(ConfigurationProblem) -> Duration {
        guard let number = double(forKey: ConfigKey(path: key)) else {
            return try absent(key, otherwise, "is not a number of seconds")
        }
        guard (0..<1e9).contains(number) else { throw .bad(key, "is not a number of seconds") }
        return .microseconds(Int64((number * 1e6).rounded()))
    }

    /// A comma-separated list (or a JSON array) with at least one entry.
    package func list(_ key: String) throws(ConfigurationProblem) -> [String] {
        let entries = (stringArray(forKey: ConfigKey(path: key)) ?? []).map { entry in
            String(entry.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
        guard !entries.isEmpty else { throw .missing(key) }
        return entries
    }

    /// What to do about a value that did not come as the type that was asked for: it is not there, or it is wrong.
    private func absent<Value>(_ key: String, _ otherwise: Value?, _ reason: String) throws(ConfigurationProblem)
        -> Value
    {
        guard string(forKey: ConfigKey(path: key)) == nil else { throw .bad(key, reason) }
        guard let otherwise else { throw .missing(key) }
        return otherwise
    }
}

extension ConfigKey {
    /// A key from its dotted form.
    package init(path: String) { self.init(path.split(separator: ".").map(String.init)) }
}
