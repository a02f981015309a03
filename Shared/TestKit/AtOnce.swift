/// Does all of it at once, and says what came of each.
package func atOnce<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], _ body: @escaping @Sendable (Input) async throws -> Output
) async -> [Result<Output, any Error>] {
    await withTaskGroup(of: Result<Output, any Error>.self) { group in
        for input in inputs {
            group.addTask {
                do { return .success(try await body(input)) } catch { return .failure(error) }
            }
        }
        return await group.reduce(into: []) { $0.append($1) }
    }
}
