import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Turns")
struct TurnTests {
    @Test(arguments: [1, 2, 3, 5, 6], [0, 1, 7, 1499])
    func `in as many runs as there are, each is due once and one at a time`(count: Int, first: Int) throws {
        var due: [Int] = []
        for number in first..<first + count {
            let turn = try Turn("\(number)")
            #expect(!turn.isEverything)
            let now = (0..<count).filter { turn.isDue($0, of: count) }
            #expect(now.count == 1)
            due += now
        }
        #expect(due.sorted() == Array(0..<count))
    }

    @Test(arguments: [nil, ""])
    func `where nothing is said, all are due`(text: String?) throws {
        let turn = try Turn(text)
        #expect(turn.isEverything)
        #expect((0..<6).allSatisfy { turn.isDue($0, of: 6) })
    }

    @Test(arguments: ["all", "-1", "1.5", " 3", "3\n", "0x3", "٣", "99999999999999999999"])
    func `what is no number from 0 is said, and nothing is skipped for it`(text: String) async throws {
        let problem = #expect(throws: TestSetupError.self) { try Turn(text) }
        #expect(problem?.description == "KAMPONG_TURN takes a number from 0, and is \"\(text)\".")
    }

    /// The variable of this process may hold anything: it is read in another one.
    @Test func `a test whose turn cannot be known has an error for its condition`() async {
        await #expect(processExitsWith: .success) {
            setenv("KAMPONG_TURN", "all", 1)
            let condition: ConditionTrait = .inTurn(0, of: 2)
            do {
                _ = try await condition.evaluate()
                exit(1)
            } catch is TestSetupError {}
        }
    }

    @Test(arguments: [("4", true), ("5", false)])
    func `a test is enabled in its turn alone`(number: String, isDue: Bool) async {
        await #expect(processExitsWith: isDue ? .exitCode(7) : .exitCode(8)) { [number] in
            setenv("KAMPONG_TURN", number, 1)
            let condition: ConditionTrait = .inTurn(1, of: 3)
            exit(try await condition.evaluate() ? 7 : 8)
        }
    }
}

@Suite("What is promised")
struct PromisedTests {
    @Test(arguments: [
        (4310, "4310 ms, 5690 before what is promised"), (10_000, "10000 ms, 0 before what is promised"),
        (12_500, "12500 ms, 2500 LATER than is promised"),
    ])
    func `what it took is said beside it`(taken: Int, said: String) {
        #expect(Promised(.seconds(10)).compared(with: .milliseconds(taken)) == said)
        #expect(Promised(.seconds(10)).limit == .seconds(30))
    }
}
