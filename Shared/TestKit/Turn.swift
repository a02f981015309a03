#if canImport(Testing)
    package import Testing
#endif

/// Which of the tests that take turns run this time: `KAMPONG_TURN` holds a number from 0, which `deploy/test` chooses, prints, and takes
/// again by `--turn`. Where it is not set (`deploy/test --all`, `deploy/ledger`, by hand) everything is due.
package struct Turn: Hashable, Sendable {
    private static let ofThisRun = Result { try Turn(TestSetup.environment["KAMPONG_TURN"]) }

    /// Read once.
    /// - Throws: `TestSetupError` where the variable holds something else. Each test that asks fails by it: it must not look as if none were due.
    package static var current: Turn { get throws { try ofThisRun.get() } }

    /// Nil where everything is due.
    private let number: Int?

    /// - Parameter text: what the variable holds.
    package init(_ text: String?) throws {
        guard let text, !text.isEmpty else {
            number = nil
            return
        }
        guard let number = Int(text), number >= 0 else {
            throw TestSetupError("KAMPONG_TURN takes a number from 0, and is \"\(text)\".")
        }
        self.number = number
    }

    package var isEverything: Bool { number == nil }

    /// Whether it is the turn of the one at `index` among `count`. In `count` runs with one number after the other each is due once.
    package func isDue(_ index: Int, of count: Int) -> Bool {
        precondition((0..<count).contains(index), "there is no turn \(index) of \(count)")
        guard let number else { return true }
        return number % count == index
    }
}

// The static standard library, which release builds have, comes without Testing; no tests are built with it.
#if canImport(Testing)
    extension Trait where Self == ConditionTrait {
        /// For a test or suite that is the one at `index` among `count` that take turns.
        package static func inTurn(
            _ index: Int, of count: Int, sourceLocation: SourceLocation = #_sourceLocation
        ) -> Self {
            .enabled(
                "its turn is \(index) of \(count): deploy/test --turn \(index), or --all",
                sourceLocation: sourceLocation
            ) { try Turn.current.isDue(index, of: count) }
        }
    }
#endif
