import Configuration
import ServiceKit
import TestKit
import Testing

@Suite("Settings")
struct SettingsTests {
    @Test func `a flag wins over the environment, and that over the file`() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            "kampong.json",
            #"{"kampong": {"bus": {"requests": "file", "events": "file"}, "http": {"host": "file", "port": 81}}}"#)
        let (config, audit) = try await Settings.load(
            arguments: ["auth", "--kampong-bus-requests", "flag"],
            environment: ["KAMPONG_CONFIG": file, "KAMPONG_BUS_REQUESTS": "env", "KAMPONG_BUS_EVENTS": "env"])
        #expect(try config.required("bus.requests") == "flag")
        #expect(try config.required("bus.events") == "env")
        #expect(try config.required("http.host") == "file")
        #expect(try config.port("http.port") == 81)
        #expect(audit.bad == nil)
    }

    @Test func `names the missing setting in one sentence, as people write it`() async throws {
        let (config, _) = try await Settings.load(arguments: [], environment: ["KAMPONG_DATABASE_URL": ""])
        let problem = #expect(throws: ConfigurationProblem.self) { try config.required("database.url") }
        #expect(problem?.description == "The setting KAMPONG_DATABASE_URL (or --kampong-database-url) is missing.")
    }

    @Test(arguments: ["x", "65536", "-1", "8080 "])
    func `refuses what is no port`(text: String) async throws {
        let (config, _) = try await Settings.load(arguments: [], environment: ["KAMPONG_HTTP_PORT": text])
        let problem = #expect(throws: ConfigurationProblem.self) { try config.port("http.port", default: 80) }
        #expect(problem?.description.contains("KAMPONG_HTTP_PORT") == true)
        #expect(problem?.description.hasSuffix("is not a port number.") == true)
    }

    @Test(arguments: [
        "Green Hill\r\nBcc: all@example.org", "\u{200B}", "Hill\u{202E}", String(repeating: "é", count: 101),
    ])
    func `refuses what nobody could call a community`(name: String) async throws {
        let (config, _) = try await Settings.load(arguments: [], environment: ["KAMPONG_COMMUNITY_NAME": name])
        let problem = #expect(throws: ConfigurationProblem.self) { try config.communityName() }
        #expect(problem?.description.contains("KAMPONG_COMMUNITY_NAME") == true)
    }

    @Test func `a community is called Kampong unless somebody says otherwise`() async throws {
        let (none, _) = try await Settings.load(arguments: [], environment: [:])
        #expect(try none.communityName() == "Kampong")
        let (config, _) = try await Settings.load(
            arguments: [], environment: ["KAMPONG_COMMUNITY_NAME": " Green Hill "])
        #expect(try config.communityName() == "Green Hill")
    }

    @Test func `reads seconds and lists`() async throws {
        let (config, audit) = try await Settings.load(
            arguments: [], environment: ["KAMPONG_A": "0.25", "KAMPONG_B": "3", "KAMPONG_C": "tcp://a:1, tcp://b:2 ,"])
        #expect(try config.seconds("a", default: .zero) == .milliseconds(250))
        #expect(try config.seconds("b", default: .zero) == .seconds(3))
        #expect(try config.seconds("absent", default: .seconds(9)) == .seconds(9))
        #expect(try config.list("c") == ["tcp://a:1", "tcp://b:2"])
        #expect(throws: ConfigurationProblem.missing("absent")) { try config.list("absent") }
        #expect(audit.bad == nil)
    }

    @Test func `notices a value that was passed over for a default`() async throws {
        let (config, audit) = try await Settings.load(
            arguments: [], environment: ["KAMPONG_SPOTS_LIFETIME": "half an hour"])
        #expect(config.int(forKey: "spots.lifetime", default: 30) == 30)
        #expect(audit.bad == .bad("spots.lifetime", "is not a whole number"))
        #expect(throws: (any Error).self) { try config.requiredString(forKey: "not.there") }
        #expect(audit.missing == .missing("not.there"))
    }

    @Test func `reads every kind of value in a file as in the environment`() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            "kampong.json",
            #"{"kampong": {"a": 0.25, "b": 3, "c": ["tcp://a:1", "tcp://b:2"], "d": true, "e": null, "f": {"g": "x"}}}"#
        )
        let (config, audit) = try await Settings.load(arguments: [], environment: ["KAMPONG_CONFIG": file])
        #expect(try config.seconds("a", default: .zero) == .milliseconds(250))
        #expect(try config.seconds("b", default: .zero) == .seconds(3))
        #expect(try config.list("c") == ["tcp://a:1", "tcp://b:2"])
        #expect(config.bool(forKey: "d", default: false))
        #expect(config.string(forKey: "e") == nil)
        #expect(try config.required("f.g") == "x")
        #expect(audit.bad == nil)
    }

    @Test(arguments: ["[]", "{", "7"])
    func `refuses a file that is no object`(text: String) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("kampong.json", text)
        let problem = await #expect(throws: ConfigurationProblem.self) {
            try await Settings.load(arguments: [], environment: ["KAMPONG_CONFIG": file])
        }
        #expect(problem?.description.contains(file) == true)
    }

    @Test func `says which file cannot be read`() async throws {
        let problem = await #expect(throws: ConfigurationProblem.self) {
            try await Settings.load(arguments: [], environment: ["KAMPONG_CONFIG": "/nowhere/kampong.json"])
        }
        #expect(problem?.description.contains("/nowhere/kampong.json") == true)
    }
}
