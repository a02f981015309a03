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

        @Test(arguments: ["auth", "listings", "gateway", "chat", "notification", "places", "postgres"])
        func a_killed_container_is_back_within_ten_seconds(_ container: String) async throws {
            let village = try await Witness.arrive()
            try await village.stack.control("kill", container)
            let begin = ContinuousClock.now
            try await village.stack.control("start", container)
            try await village.expectEverything(by: begin + Self.limit, after: "\(container) was killed")
        }

        @Test(arguments: ["auth", "listings"])
        func a_container_with_a_new_address_is_found_within_ten_seconds(_ container: String) async throws {
            let village = try await Witness.arrive()
            try await village.stack.control("recreate", container)
            try await village.expectEverything(by: .now + Self.limit, after: "\(container) was recreated elsewhere")
        }

        @Test(arguments: ["auth", "listings"])
        func a_container_whose_network_comes_back_is_found_within_ten_seconds(_ container: String) async throws {
            let village = try await Witness.arrive()
            try await village.stack.control("disconnect", container)
            try await Task.sleep(for: .seconds(4))
            try await village.stack.control("reconnect", container)
            try await village.expectEverything(by: .now + Self.limit, after: "\(container) was off the network")
        }
    }
}

/// Two people who try everything that crosses a process: each service, and events from each to another and to the people.
private struct Witness {
    let stack: Stack
    let ada: KampongClient
    let ben: KampongClient
    let adas: PersonID
    let watching: Listener
    let place: Position

    static func arrive() async throws -> Witness {
        let stack = try await Community.stack
        let ada = try await Community.newcomer("Ada", retry: .never)
        let ben = try await Community.newcomer("Ben", retry: .never)
        let place = Community.someWhere()
        let watching = Listener(ada, in: Community.box(around: place))
        try await watching.connect()
        return Witness(
            stack: stack, ada: ada, ben: ben, adas: try await ada.me().id, watching: watching, place: place)
    }

    /// Expects that before a moment a new name given to auth is known to listings, and a spot posted there heard on the stream; that the two can
    /// talk about it, that a place is found, and that Ada is told of Ben, who asks to be her friend.
    func expectEverything(by deadline: ContinuousClock.Instant, after what: String) async throws {
        let name = "Ada \(UUID())"
        let (renaming, posting) = (UUID().uuidString, UUID().uuidString)
        let message = MessageDraft(id: .new(), text: what)
        let isBack = await eventually(within: deadline - .now) {
            guard (try? await ada.changeProfile(ProfileChange(name: .set(name)), key: renaming)) != nil,
                let spot = try? await ada.postSpot(Community.draft(what, at: place), key: posting),
                (try? await ada.spot(spot.id).postedBy.name) == name, await isTalking(message, about: spot),
                (try? await ada.places("singapore")) != nil, await isTold()
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

    private func isTalking(_ message: MessageDraft, about spot: Spot) async -> Bool {
        let subject = RoomSubject(kind: .spot, id: ID(spot.id.uuid))
        guard let room = try? await ben.openRoom(about: subject, with: adas).id,
            (try? await ben.send(message, to: room)) != nil
        else { return false }
        return (try? await ada.messages(in: room).items.map(\.text)) == [message.text]
    }

    private func isTold() async -> Bool {
        // Asked again it is the same question.
        _ = try? await ben.befriend(adas)
        return (try? await ada.notifications().items.contains { $0.kind == .friendAsked }) == true
    }
}
