import Foundation
import Testing
import WireProtocol

/// The names on the wire, and who may use them, are part of the contract: `names.json` holds them. It is made from the methods themselves: where
/// `KAMPONG_RECORD` is set, the test writes it anew.
@Suite struct NameTests {
    private struct Names: Codable {
        var methods: [String: String]
        var events: [String]
        var codes: [String]
        var peers: [String]
    }

    private static let now = Names(
        methods: Dictionary(uniqueKeysWithValues: WireNames.methods.map { ($0.name, $0.promise) }),
        events: WireNames.events.map { $0.type }.sorted(), codes: WireNames.codes.map(\.rawValue).sorted(),
        peers: PeerRole.allCases.map(\.rawValue).sorted())

    @Test func namesAreAsCommitted() throws {
        let now = Self.now
        if ProcessInfo.processInfo.environment["KAMPONG_RECORD"] != nil {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try (encoder.encode(now) + Data("\n".utf8)).write(to: Fixtures.source("names"))
            return
        }
        let golden = try JSONDecoder().decode(Names.self, from: Data(try Fixtures.bytes("names")))
        #expect(now.events == golden.events)
        #expect(now.codes == golden.codes)
        #expect(now.peers == golden.peers)
        #expect(Set(now.methods.keys) == Set(golden.methods.keys))
        for (name, promise) in now.methods { #expect(promise == golden.methods[name], "\(name)") }
    }

    /// One that is not listed would be compared with nothing.
    @Test func everyMethodThatIsDeclaredIsListed() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Shared/WireProtocol")
        let files = try #require(FileManager.default.enumerator(atPath: folder.path()))
        var declared: Set<String> = []
        for case let file as String in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            for found in text.matches(of: #/static let \w+ = Method<[^(]+\(\s*"([\w.]+)"/#) {
                declared.insert(String(found.1))
            }
        }
        #expect(declared.count > 150)
        let missing = declared.subtracting(WireNames.methods.map(\.name))
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test func theServiceIsThePartBeforeTheDot() {
        #expect(AuthMethods.signUp.service == "auth")
        #expect(CommonMethods(service: "listings").ping.service == "listings")
    }
}
