/// A condition that did not come true in time.
package struct NeverHappened: Error, CustomStringConvertible {
    package var description: String
}

/// Waits until `condition` holds, looking every few milliseconds; for what cannot be awaited directly.
/// - Parameters:
///   - what: Ends the sentence "Waited in vain for …".
///   - limit: Generous, since it only matters when the test fails.
/// - Throws: `NeverHappened`, or what the condition throws.
package func eventually(
    _ what: String, within limit: Duration = .seconds(30), isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            throw NeverHappened(description: "Waited in vain for \(what) (\(limit)).")
        }
        try await Task.sleep(for: .milliseconds(10))
    }
}
