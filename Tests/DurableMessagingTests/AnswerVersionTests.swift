import DurableMessaging
import Testing
import WireProtocol

@Suite struct AnswerVersionTests {
    private struct Aged: Encodable {
        var age: Int
        var name: String
        var items: [Aged] = []
    }

    private func version(_ value: Aged) throws -> String { AnswerVersion.of(try WireJSON.encode(value)) }

    @Test func agesMakeNoVersion() throws {
        let young = Aged(age: 1, name: "Level 3", items: [Aged(age: 7, name: "a"), Aged(age: 0, name: "b")])
        let old = Aged(age: 3600, name: "Level 3", items: [Aged(age: 12, name: "a"), Aged(age: 99, name: "b")])
        #expect(try version(young) == version(old))
    }

    @Test func everythingElseDoes() throws {
        let version = try version(Aged(age: 1, name: "Level 3"))
        #expect(try self.version(Aged(age: 1, name: "Level 4")) != version)
        #expect(try self.version(Aged(age: 1, name: "Level 3", items: [Aged(age: 1, name: "")])) != version)
    }

    /// A name that looks like an age is a name.
    @Test func textsAreNotTakenForAges() throws {
        let one = try version(Aged(age: 1, name: "a \"age\":1 b"))
        #expect(try version(Aged(age: 1, name: "a \"age\":2 b")) != one)
    }
}
