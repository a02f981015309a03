package import Configuration
import FoundationEssentials
import Synchronization

/// Where settings come from: flags, then the environment, then a JSON file, each before the next.
package enum Settings {
    /// Reads the process's own settings, scoped to `kampong`: the key `bus.requests` is the flag `--kampong-bus-requests`,
    /// the variable `KAMPONG_BUS_REQUESTS`, and `{"kampong": {"bus": {"requests": …}}}` in the file that
    /// `KAMPONG_CONFIG` names. Empty variables count as absent (compose files pass them so).
    /// - Returns: The reader, and what notices values that cannot be read.
    /// - Throws: `ConfigurationProblem` when the file cannot be read.
    package static func load(
        arguments: [String] = CommandLine.arguments,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws(ConfigurationProblem) -> (config: ConfigReader, audit: SettingsAudit) {
        var providers: [any ConfigProvider] = [
            CommandLineArgumentsProvider(arguments: arguments, secretsSpecifier: secrets),
            EnvironmentVariablesProvider(
                environmentVariables: environment.filter { !$0.value.isEmpty }, secretsSpecifier: secrets),
        ]
        if let path = ConfigReader(providers: providers).string(forKey: "kampong.config") {
            providers.append(try file(path))
        }
        let audit = SettingsAudit()
        return (ConfigReader(providers: providers, accessReporter: audit).scoped(to: "kampong"), audit)
    }

    private static func file(_ path: String) throws(ConfigurationProblem) -> any ConfigProvider {
        do {
            return EnvironmentVariablesProvider(
                environmentVariables: try SettingsFile.variables(at: path), secretsSpecifier: secrets)
        } catch {
            throw .bad("config", "names the file \(path), which cannot be read as JSON")
        }
    }

    /// Keeps connection strings and keys out of access logs.
    private static let secrets = SecretsSpecifier<String, String>.dynamic { key, _ in
        let name = key.lowercased()
        return ["secret", "password", "token", "database"].contains { name.contains($0) }
    }
}

/// Remembers the first setting that was there and could not be read, and the first that was demanded and is missing.
///
/// `ConfigReader.int(forKey:default:)` and its like answer with the default where a value cannot be read, and a typing error
/// in a port would go unnoticed; `ServiceHost.run` asks here after the wiring and refuses to start. What the library
/// throws for a missing key is no public type, so the sentence about it comes from here too.
package final class SettingsAudit: AccessReporter {
    private struct Problems {
        var bad: ConfigurationProblem?
        var missing: ConfigurationProblem?
    }
    private let problems = Mutex(Problems())

    package init() {}

    /// The first setting that could not be read.
    package var bad: ConfigurationProblem? { problems.withLock { $0.bad } }
    /// The first setting that was required and is not there.
    package var missing: ConfigurationProblem? { problems.withLock { $0.missing } }

    /// The sentence for an error, where it came from a setting.
    func problem(behind error: any Error) -> any Error {
        if error is ConfigurationProblem { return error }
        if let bad { return bad }
        let isOfTheConfiguration = String(reflecting: type(of: error)).hasPrefix("Configuration.")
        return isOfTheConfiguration ? missing ?? error : error
    }

    package func report(_ event: AccessEvent) {
        let isBad =
            event.conversionError != nil
            || event.providerResults.contains { result in
                if case .failure = result.result { true } else { false }
            }
        let isRefused = if case .failure = event.result { true } else { false }
        guard isBad || isRefused else { return }
        let key = event.metadata.key.components.dropFirst().joined(separator: ".")
        problems.withLock { problems in
            if isBad {
                problems.bad = problems.bad ?? .bad(key, "is not \(Self.words(for: event.metadata.valueType))")
            } else {
                problems.missing = problems.missing ?? .missing(key)
            }
        }
    }

    private static func words(for type: ConfigType) -> String {
        switch type {
        case .int: "a whole number"
        case .double: "a number"
        case .bool: "true or false"
        case .string: "a text"
        case .bytes: "base64"
        default: "a list of the right kind"
        }
    }
}
