import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// What happens to containers and not to processes: another address, and a network that is taken away.
    @Suite(
        .serialized,
        .enabled(if: ProcessInfo.processInfo.environment["KAMPONG_STACK_URL"] != nil, "there are no containers here"))
    struct ContainerTests {
        private static let limit = Duration.seconds(10)

        @Test(arguments: [PeerRole.auth, .listings, .gateway])
        func a_killed_container_is_back_within_ten_seconds(_ service: PeerRole) async throws {
            let village = try await Witness.arrive()
            try await village.stack.kill(service)
            let begin = ContinuousClock.now
            try await village.stack.start(service)
            try await village.expectEverything(by: begin + Self.limit, after: "\(service.rawValue) was killed")
        }

        @Test(arguments: [PeerRole.auth, .listings])
        func a_container_with_a_new_address_is_found_within_ten_seconds(_ service: PeerRole) async throws {
            let village = try await Witness.arrive()
            try await village.stack.control("recreate", service)
            try await village.expectEverything(
                by: .now + Self.limit, after: "\(service.rawValue) was recreated elsewhere")
        }

        @Test(arguments: [PeerRole.auth, .listings])
        func a_container_whose_network_comes_back_is_found_within_ten_seconds(_ service: PeerRole) async throws {
            let village = try await Witness.arrive()
            try await village.stack.control("disconnect", service)
            try await Task.sleep(for: .seconds(4))
            try await village.stack.control("reconnect", service)
            try await village.expectEverything(by: .now + Self.limit, after: "\(service.rawValue) was off the network")
        }
    }
}

/// Somebody who tries everything that crosses a process: auth, listings, and the events of both.
private struct Witness {
    let stack: Stack
    let ada: KampongClient
    let watching: Listener
    let place: Position

    static func arrive() async throws -> Witness {
        let stack = try await Community.stack
        let ada = try await Community.newcomer("Ada", retry: .never)
        let place = Community.someWhere()
        let watching = Listener(ada, in: Community.box(around: place))
        try await watching.connect()
        return Witness(stack: stack, ada: ada, watching: watching, place: place)
    }

    /// Expects that a new name given to auth is known to listings, and a spot posted there heard on the stream, before a moment.
    func expectEverything(by deadline: ContinuousClock.Instant, after what: String) async throws {
        let name = "Ada \(UUID())"
        let (renaming, posting) = (UUID().uuidString, UUID().uuidString)
        let isBack = await eventually(within: deadline - .now) {
            guard (try? await ada.changeProfile(ProfileChange(name: .set(name)), key: renaming)) != nil,
                let spot = try? await ada.postSpot(Community.draft(what, at: place), key: posting),
                (try? await ada.spot(spot.id).postedBy.name) == name
            else { return false }
            if watching.spots(named: "spotAdded") == [spot.id] { return true }
            // The stream is opened again where it was cut, as every client does.
            watching.cut()
            try? await watching.connect()
            return watching.spots(named: "spotAdded") == [spot.id]
        }
        let left = deadline - .now
        print("ledger: everything was back \((left / .milliseconds(1)).rounded()) ms before it was due, after \(what)")
        #expect(isBack && left >= .zero, "\(what)")
    }
}
