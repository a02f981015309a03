import Testing
import WireProtocol

/// What crosses the wire stays readable: golden documents, decoded and encoded again, say the same.
@Suite struct BodyTests {
    let examples: [String: [String: [JSON]]]
    init() throws { examples = try Self.committed.get() }

    /// Read once, and not for each of a thousand cases.
    private static let committed = Result { try Fixtures.examples() }

    private func documents(of contract: Contract) throws -> [JSON] {
        let found = examples.values.compactMap { $0[contract.type] }.first
        return try #require(found, "no file has \(contract.type)")
    }

    @Test(arguments: Contract.all) func staysAsItIs(_ contract: Contract) throws {
        for document in try documents(of: contract) {
            let back = try contract.roundTrip(document.bytes)
            #expect(try back == contract.byFoundation(document.bytes))
            // `Nothing` is an empty body on the wire; an empty object is read as well.
            #expect(try (back.isEmpty ? .object([:]) : JSON(back)) == document)
        }
    }

    /// An old reader meets a new writer: additive changes break nobody.
    @Test(arguments: Contract.all) func readsWhatALaterVersionAdds(_ contract: Contract) throws {
        for document in try documents(of: contract) {
            let back = try contract.roundTrip(document.withMore.bytes)
            #expect(try (back.isEmpty ? .object([:]) : JSON(back)) == document)
        }
    }

    /// A field that is added to a type must be added to its golden example too.
    @Test(arguments: Contract.all) func firstExampleIsComplete(_ contract: Contract) throws {
        let first = try #require(try documents(of: contract).first)
        #expect(try contract.gaps(first.bytes).isEmpty)
    }

    /// Every document is checked by somebody, and nothing is checked twice.
    @Test func everyDocumentHasItsType() {
        let documented = examples.values.flatMap { $0.keys }.sorted()
        #expect(documented == Contract.all.map(\.type).sorted())
    }

    @Test func nothingIsAnEmptyBody() throws {
        #expect(try WireJSON.encode(Nothing()).isEmpty)
        #expect(try WireJSON.decode(Nothing.self, from: []) == Nothing())
    }

    /// The same value has the same bytes in every process: ETags and digests may be taken of them.
    @Test func bytesAreStable() throws {
        let money = Money(amount: 250, currency: "SGD")
        #expect(String(decoding: try WireJSON.encode(money), as: UTF8.self) == #"{"amount":250,"currency":"SGD"}"#)
    }

    /// A set has another order each time that it is made.
    @Test func sets_are_written_in_order() throws {
        let people = (1...40).map { _ in PersonID.new() }
        let written = people.map(\.description).sorted().map { "\"\($0)\"" }.joined(separator: ",")
        for _ in 0..<5 {
            let audience = try WireJSON.encode(Audience.people(Set(people.shuffled())))
            #expect(String(decoding: audience, as: UTF8.self) == #"{"people":{"_0":[\#(written)]}}"#)
            let roles: [PersonRole] = [.operator, .moderator]
            let caller = try WireJSON.encode(Caller(roles: Set(roles.shuffled())))
            #expect(String(decoding: caller, as: UTF8.self) == #"{"roles":["moderator","operator"]}"#)
        }
    }

    @Test func malformedNamesThePlace() throws {
        let error = #expect(throws: ServiceError.self) {
            try WireJSON.decode(SpotDraft.self, from: Array(#"{"name":"x","position":{"latitude":1}}"#.utf8))
        }
        #expect(error?.code == .malformed)
        #expect(error?.errors.map(\.field) == ["position.longitude"])
        let nonsense = #expect(throws: ServiceError.self) { try WireJSON.decode(SignIn.self, from: Array("{".utf8)) }
        #expect(nonsense?.code == .malformed)
        #expect(nonsense?.errors == [])
    }

    /// RFC 8259, section 8.1. A relay that looks at bodies would see other words than the service reads.
    @Test func json_travels_in_utf_8_only() throws {
        let text = "{\"refreshToken\":\"x\"}"
        #expect(try WireJSON.decode(Refresh.self, from: Array(text.utf8)).refreshToken == "x")
        for unit in [2, 4] {
            for isLittle in [true, false] {
                let bytes = text.utf8.flatMap { byte in
                    let zeros = [UInt8](repeating: 0, count: unit - 1)
                    return isLittle ? [byte] + zeros : zeros + [byte]
                }
                #expect(throws: ServiceError.self) { try WireJSON.decode(Refresh.self, from: bytes) }
            }
        }
    }
}
