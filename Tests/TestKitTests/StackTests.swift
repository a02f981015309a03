import Supervisor
import TestKit
import Testing
import WireProtocol

#if canImport(Glibc)
    import Glibc
#endif

/// The stack as a tool: what StackTests rely on. What people can do with it is tested there.
@Suite("Stack", .enabled(if: getenv("KAMPONG_STACK_URL") == nil))
struct LocalStackTests {
    @Test(.timeLimit(.minutes(3)))
    func `its processes can be killed, frozen, ended and started again`() async throws {
        let stack = try await Stack.start()
        let result: Result<Void, any Error>
        do { result = .success(try await use(stack)) } catch { result = .failure(error) }
        if case .failure = result { Issue.record("\(stack.logs())") }
        await stack.stop()
        #expect(await HTTPProbe.get("\(stack.baseURL)/v1/about") == nil)
        try result.get()
    }

    private func use(_ stack: Stack) async throws {
        let about = try #require(await HTTPProbe.get("\(stack.baseURL)/v1/about"))
        #expect(about.status == 200)

        let health = try stack.healthURL(of: .listings)
        try await stack.kill(.listings)
        #expect(await HTTPProbe.get(health) == nil)
        await #expect(throws: TestSetupError.self) { try await stack.kill(.listings) }
        try await stack.start(.listings)
        #expect(await HTTPProbe.get(health)?.status == 200)

        let frozen = try stack.healthURL(of: .auth)
        try await stack.pause(.auth)
        #expect(await HTTPProbe.get(frozen, within: .milliseconds(300)) == nil)
        try await stack.resume(.auth)
        #expect(await HTTPProbe.get(frozen, within: .seconds(10))?.status == 200)

        for service in ["auth", "listings", "rides", "matching", "notification", "chat", "gateway"] {
            #expect(stack.logs().contains("--- \(service)"))
        }
        let exit = try await stack.terminate(.gateway)
        #expect(exit == .status(0), "asked to stop, and nothing went wrong")
        #expect(try stack.log(of: .gateway).contains("stopped"))
        try await stack.start(.gateway)
        #expect(await HTTPProbe.get("\(stack.baseURL)/v1/about")?.status == 200)
    }

    @Test func `says which program is missing`() async throws {
        await #expect(processExitsWith: .success) {
            setenv("KAMPONG_STACK_BINARIES", "/nowhere", 1)
            do {
                _ = try await Stack.start()
                exit(1)
            } catch let error as TestSetupError {
                precondition(error.description.contains("/nowhere/auth is missing"))
            }
        }
    }
}
