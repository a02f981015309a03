import FoundationEssentials

/// What the machine lacks for these tests: a sentence for whoever runs them.
package struct TestSetupError: Error, Hashable, CustomStringConvertible {
    package var description: String
    package init(_ sentence: String) { description = sentence }
}

enum TestSetup {
    /// The URL of a PostgreSQL database whose user may create schemas, databases and roles.
    static func databaseURL() throws -> String {
        guard let url = environment["KAMPONG_TEST_DATABASE_URL"], !url.isEmpty else {
            throw TestSetupError(
                "KAMPONG_TEST_DATABASE_URL is not set. Run the tests by deploy/test, which starts a PostgreSQL for them."
            )
        }
        return url
    }

    static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// Eight random characters that a name may contain.
    static func randomName() -> String { String(UUID().uuidString.lowercased().prefix(8)) }
}
