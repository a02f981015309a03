import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

/// All tests of this target, one after the other: some of them end services that others need.
@Suite(.serialized) enum StackTests {}

extension Trait where Self == ConditionTrait {
    /// For a test that ends processes, changes settings or uses the operator's tools, which it can do only to a stack that the tests
    /// have started; reported as skipped beside one that runs already.
    static var onlyOnOwnStack: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["KAMPONG_STACK_URL"] == nil,
            "the stack at KAMPONG_STACK_URL is not ours")
    }

    /// For a test of what the services do, which is the same in containers: where those take turns (`Turn`), it runs on processes alone.
    ///
    /// On containers run each time those that find what only a container can break:
    /// - The ways from one to another: requests of the gateway (`ContainerTests`), of auth (`ExportTests`, `ErasureTests`, `MailTests`), of chat
    ///   (`ChatTests`), and of subscribers that missed something (`FaultTests`); events of auth to each, and back (`ErasureTests`), of listings to
    ///   chat (`ChatTests`) and notification, and of chat to notification (`NotificationTests`); all that comes to live streams (these, `StoryTests`).
    /// - Volumes, tools, and what is in the images: mails (`MailTests`), texts (`PhoneTests`), pictures (`StoryTests`), archives (`ExportTests`), places
    ///   that are there from the beginning (`PlacesFromTheBeginningTests`).
    /// - Being killed, moved and cut off: `FaultTests`, `ContainerTests`.
    /// - What is not allowed: `DatabaseRoleTests`, `ConfinementTests`.
    static var onProcesses: Self {
        .enabled("it runs on processes; on containers with deploy/test --all") {
            try ProcessInfo.processInfo.environment["KAMPONG_STACK_URL"] == nil || Turn.current.isEverything
        }
    }
}

/// The stack that all tests of this target share, and the people who use it.
enum Community {
    /// Started by the first test that asks; its processes end with the test run.
    private static let starting = Task { try await Stack.start(options) }

    /// All the people of these tests come from one address, and sign up within seconds.
    static var options: Stack.Options {
        let lifted = [
            "AUTH_LIMITS_ADDRESS", "LIMITS_READ", "LIMITS_WRITE", "LIMITS_SIGNIN", "LIMITS_PHOTO",
            "LIMITS_STREAMS_ADDRESS",
        ]
        var options = Stack.Options()
        options.settings = Dictionary(uniqueKeysWithValues: lifted.map { ("KAMPONG_\($0)", "1000000") })
        return options
    }

    static var stack: Stack {
        get async throws { try await starting.value }
    }

    static var address: URL {
        get async throws { URL(string: try await stack.baseURL)! }
    }

    /// Someone new, signed in.
    static func newcomer(_ name: String = "Ada", retry: RetryPolicy = .standard) async throws -> KampongClient {
        let client = KampongClient(baseURL: try await address, retry: retry)
        _ = try await client.signUp(SignUp(email: someEmail(), password: "eight or more", name: name))
        return client
    }

    /// Several people, signed in; in batches, because each costs one password hash.
    static func newcomers(_ count: Int) async throws -> [KampongClient] {
        var people: [KampongClient] = []
        while people.count < count {
            people += try await withThrowingTaskGroup(of: KampongClient.self) { group in
                for _ in 0..<min(10, count - people.count) { group.addTask { try await newcomer() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        return people
    }

    static func someEmail() -> String { "\(UUID().uuidString.lowercased())@example.org" }

    /// A draft at a place of its own, so that tests do not see each other's spots.
    static func draft(_ name: String = "By the library", at position: Position = someWhere()) -> SpotDraft {
        SpotDraft(name: name, position: position)
    }

    static func someWhere() -> Position {
        Position(latitude: .random(in: -60...60), longitude: .random(in: -170...170))
    }

    /// The 200 metres around a point.
    static func box(around point: Position) -> BoundingBox {
        BoundingBox(
            west: point.longitude - 0.001, south: point.latitude - 0.001, east: point.longitude + 0.001,
            north: point.latitude + 0.001)
    }
}

/// Asks until the answer holds or the time is up; true when it held.
func eventually(within limit: Duration = .seconds(40), _ holds: () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    repeat {
        if try await holds() { return true }
        try? await Task.sleep(for: .milliseconds(100))
    } while ContinuousClock.now < end
    return false
}

extension Result where Failure == any Error {
    init(catching body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }

    /// The code of the refusal, or nil where it was none.
    var refusal: ErrorCode? {
        guard case .failure(let problem as Problem) = self else { return nil }
        return problem.code
    }
}
