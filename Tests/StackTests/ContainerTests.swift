import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// What happens to containers and not to processes: another address, and a network that is taken away. Four faults each time.
    @Suite(
        .serialized,
        .enabled(if: ProcessInfo.processInfo.environment["KAMPONG_STACK_URL"] != nil, "there are no containers here"))
    struct ContainerTests {
        @Test(.inTurn(0, of: 3), arguments: ContainerFault.turns[0])
        func after_a_fault_of_the_first_turn_everything_is_back(_ fault: ContainerFault) async throws {
            try await fault.expectEverythingAfterwards()
        }

        @Test(.inTurn(1, of: 3), arguments: ContainerFault.turns[1])
        func after_a_fault_of_the_second_turn_everything_is_back(_ fault: ContainerFault) async throws {
            try await fault.expectEverythingAfterwards()
        }

        @Test(.inTurn(2, of: 3), arguments: ContainerFault.turns[2])
        func after_a_fault_of_the_third_turn_everything_is_back(_ fault: ContainerFault) async throws {
            try await fault.expectEverythingAfterwards()
        }
    }
}

/// Three runs with one number after the other have them all.
@Suite struct ContainerFaultTests {
    @Test func each_container_is_killed_in_one_of_the_turns_and_each_turn_has_another_kind_of_fault() {
        func containers(_ kind: ContainerFault.Kind) -> [String] {
            ContainerFault.turns.joined().filter { $0.kind == kind }.map(\.container).sorted()
        }
        #expect(containers(.killed) == (PeerRole.services.map(\.rawValue) + ["postgres"]).sorted())
        #expect(containers(.recreated) == ["auth", "listings"] && containers(.disconnected) == ["auth", "listings"])
        for turn in ContainerFault.turns { #expect(Set(turn.map(\.kind)).count > 1 && turn.count <= 5) }
    }
}

struct ContainerFault: Sendable, CustomTestStringConvertible {
    enum Kind: String {
        case killed
        /// A new container of the service, at another address.
        case recreated
        /// For a while without the network.
        case disconnected
    }

    let kind: Kind
    let container: String

    static let turns: [[ContainerFault]] = [
        [.killed("auth"), .killed("chat"), .killed("matching"), .killed("postgres"), .recreated("listings")],
        [.killed("listings"), .killed("notification"), .recreated("auth"), .disconnected("listings")],
        [.killed("gateway"), .killed("places"), .killed("rides"), .disconnected("auth")],
    ]

    private static let back = Promised(.seconds(10))

    private static func killed(_ container: String) -> Self { Self(kind: .killed, container: container) }
    private static func recreated(_ container: String) -> Self { Self(kind: .recreated, container: container) }
    private static func disconnected(_ container: String) -> Self { Self(kind: .disconnected, container: container) }

    var testDescription: String { "\(container) was \(kind.rawValue)" }

    /// Ten seconds are promised, from the moment at which nothing ails the container any more.
    func expectEverythingAfterwards() async throws {
        let village = try await Witness.arrive()
        let begin = try await suffer(in: village.stack)
        let isBack = await village.findsEverything(by: begin + Self.back.limit, after: testDescription)
        let taken = ContinuousClock.now - begin
        let what = isBack ? "everything was back after" : "not everything was back after"
        print("ledger: \(what) \(Self.back.compared(with: taken)), after \(testDescription)")
        #expect(isBack && taken <= Self.back.limit)
    }

    /// - Returns: since when the container may work again.
    private func suffer(in stack: Stack) async throws -> ContinuousClock.Instant {
        switch kind {
        case .killed:
            try await stack.control("kill", container)
            let begin = ContinuousClock.now
            try await stack.control("start", container)
            return begin
        case .recreated:
            try await stack.control("recreate", container)
        case .disconnected:
            try await stack.control("disconnect", container)
            try await Task.sleep(for: .seconds(4))
            try await stack.control("reconnect", container)
        }
        return .now
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

    /// Whether before a moment a new name given to auth is known to listings, and a spot posted there heard on the stream; the two can talk about
    /// it, a place is found, and Ada is told of Ben, who asks to be her friend.
    func findsEverything(by deadline: ContinuousClock.Instant, after what: String) async -> Bool {
        let name = "Ada \(UUID())"
        let (renaming, posting) = (UUID().uuidString, UUID().uuidString)
        let message = MessageDraft(id: .new(), text: what)
        return await eventually(within: deadline - .now) {
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
    }

    private func isTalking(_ message: MessageDraft, about spot: Spot) async -> Bool {
        let subject = Subject(kind: .spot, id: ID(spot.id.uuid))
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
