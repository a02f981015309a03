import FoundationEssentials
import Logging
import Reactor
import Synchronization
import TestKit
import Testing
import WireProtocol
import ZeroMQ

@testable import Messaging

/// Who may ask what, and what becomes of messages that are none.
@Suite(.timeLimit(.minutes(1))) struct PermissionTests {
    private func router(_ gauge: Gauge) -> RequestRouter {
        var router = RequestRouter(service: "auth")
        router.on(Ask.look) { _, _, _ in
            gauge.enter()
            return Note("seen")
        }
        return router
    }

    @Test func aRoleWithoutPermissionIsRefused() async throws {
        try await withTown { town in
            let gauge = Gauge()
            let served = try await town.serve(router(gauge))
            let listings = try town.client(.listings, of: served.endpoint)
            #expect(await failure { _ = try await listings.call(Ask.look, Nothing(), Nothing()) }?.code == .forbidden)
            // It may what everybody may.
            #expect(try await listings.call(CommonMethods(service: "auth").ping, Nothing(), Nothing()) == Nothing())
            #expect(gauge.total == 0)
            let gateway = try town.client(.gateway, of: served.endpoint)
            #expect(try await gateway.call(Ask.look, Nothing(), Nothing()) == Note("seen"))
        }
    }

    /// What the stream of listings is declared to be for: the gateway hears it, places does not.
    @Test func a_role_that_is_no_subscriber_gets_no_event_and_no_answer() async throws {
        try await withTown { town in
            let log = LogCapture()
            let context = town.context(
                try BusKeys.create(role: PeerRole.listings, in: town.directory.path), logger: log.logger)
            let gazette = try await Gazette(town, in: context, logger: log.logger)
            var readers: [PeerRole: Reader] = [:]
            for role in [PeerRole.places, .gateway] {
                let (context, reader) = (try town.context(role), Reader())
                let client = try RequestClient(peers: [.listings: [gazette.requests]], context: context, logger: quiet)
                town.start(client)
                town.start(
                    try EventSubscriber(
                        publishers: [.listings: [gazette.events]], client: client, consumer: reader, context: context,
                        logger: quiet))
                readers[role] = reader
            }
            let (stranger, guest) = (try #require(readers[.places]), try #require(readers[.gateway]))
            // Long enough for a connection that is given up and tried again, and a pull that is.
            let end = ContinuousClock.now + .seconds(5)
            try await eventually("events over the subscription, and time", within: .seconds(30)) {
                await gazette.publisher.publish(gazette.write(1))
                return await guest.positions.count > 10 && ContinuousClock.now > end
            }
            #expect(await stranger.positions.isEmpty)
            // One of the socket, one of the method.
            let refusals = log.lines.filter { $0.level >= .warning && $0.metadata["peer"] == "places" }
            #expect(Set(refusals.map(\.message)).count == 2 && refusals.count == 2, "\(refusals)")

            let client = try RequestClient(
                peers: [.listings: [gazette.requests]], context: town.context(.places), logger: quiet)
            town.start(client)
            let method = CommonMethods(service: "listings").eventsSince
            let since = EventsSince(epoch: nil, position: 0, limit: 1)
            #expect(await failure { _ = try await client.call(method, since, Nothing()) }?.code == .forbidden)
        }
    }

    @Test func aMethodThatDoesNotExistIsRefused() async throws {
        try await withTown { town in
            let client = try town.client(of: try await town.serve(router(Gauge())).endpoint)
            #expect(
                await failure { _ = try await client.call(Ask.ofNobody, Nothing(), Nothing()) }?.code == .unknownMethod)
        }
    }

    @Test func aServiceThatIsNotConfiguredIsUnavailable() async throws {
        try await withTown { town in
            let client = try town.client(of: "tcp://127.0.0.1:1")
            let elsewhere = Method<Nothing, Nothing, Nothing>("listings.spots", .command)
            #expect(await failure { _ = try await client.call(elsewhere, Nothing(), Nothing()) }?.code == .unavailable)
        }
    }

    @Test func anUnknownKeyGetsNoAnswerUntilItIsKnown() async throws {
        try await withTown { town in
            let served = try await town.serve(router(Gauge()))
            let elsewhere = try TemporaryDirectory("stranger")
            let stranger = try BusKeys.create(role: PeerRole.gateway, in: elsewhere.path)
            try elsewhere.write("public/auth.pub", town.directory.read("public/auth.pub"))
            let client = try RequestClient(
                peers: [.auth: [served.endpoint]], context: town.context(stranger), logger: quiet)
            town.start(client)
            let refused = await failure {
                _ = try await client.call(Ask.look, Nothing(), Nothing(), deadline: Date(timeIntervalSinceNow: 1))
            }
            #expect(refused?.code == .unavailable)
            // The operator brings its key; nobody is restarted.
            try town.directory.write("public/gateway.pub", elsewhere.read("public/gateway.pub"))
            let reply = try await client.call(Ask.look, Nothing(), Nothing(), deadline: Date(timeIntervalSinceNow: 20))
            #expect(reply == Note("seen"))
        }
    }

    @Test func aKeyOfARoleThatDoesNotExistMayNothing() async throws {
        try await withTown { town in
            let gauge = Gauge()
            let served = try await town.serve(router(gauge))
            let nobody = town.context(try BusKeys.create(role: "nobody", in: town.directory.path))
            let client = try RequestClient(peers: [.auth: [served.endpoint]], context: nobody, logger: quiet)
            town.start(client)
            #expect(await failure { _ = try await client.call(Ask.look, Nothing(), Nothing()) }?.code == .forbidden)
            #expect(gauge.total == 0)
        }
    }

    // MARK: By hand

    private func request(_ method: String, deadline: Date = Date(timeIntervalSinceNow: 5)) throws -> [[UInt8]] {
        try RequestEnvelope(id: .version7(), method: method, deadline: deadline, caller: .anonymous).frames()
    }

    @Test func messagesThatAreNoneAreAnsweredOrDroppedAndHarmNobody() async throws {
        try await withTown { town in
            let gauge = Gauge()
            let served = try await town.serve(router(gauge))
            let hand = try await Hand(.dealer, to: "auth", at: served.endpoint, town.context(.gateway))
            let good = try request("auth.look")
            let id = good[1]
            var wrongVersion = good
            wrongVersion[0] = Array("K9".utf8)
            for frames: [[UInt8]] in [
                [[1]], [[], []], [[7], []], [[7], [], [1, 2, 3]], [[7], []] + good.prefix(4),
                Array(repeating: [1], count: 40), good, [[7], []] + wrongVersion,
            ] { try await hand.send(frames) }
            try await hand.send([[8], []] + good)
            try await eventually("the last answer") {
                try hand.replies.contains { try $0.first == [8] && ReplyEnvelope($0) != nil }
            }
            let codes = try hand.replies.filter { $0.first == [7] }.map { try #require(try ReplyEnvelope($0)) }
            #expect(codes.allSatisfy { $0.id == Frame.uuid(id) })
            #expect(codes.compactMap(\.code) == [.malformed, .malformed])
            #expect(gauge.total == 1)
            await hand.close()
        }
    }

    @Test func whatComesAfterItsDeadlineIsNotDone() async throws {
        try await withTown { town in
            let gauge = Gauge()
            let served = try await town.serve(router(gauge))
            let hand = try await Hand(.dealer, to: "auth", at: served.endpoint, town.context(.gateway))
            try await hand.send([[1], []] + request("auth.look", deadline: Date(timeIntervalSinceNow: -0.01)))
            try await hand.send([[2], []] + request("auth.look"))
            try await eventually("the second answer") { hand.replies.contains { $0.first == [2] } }
            #expect(hand.replies.count == 1)
            #expect(gauge.total == 1)
            await hand.close()
        }
    }

    @Test func aPathOfSeveralHopsIsGoneBackWhole() async throws {
        try await withTown { town in
            let served = try await town.serve(router(Gauge()))
            let hand = try await Hand(.dealer, to: "auth", at: served.endpoint, town.context(.gateway))
            try await hand.send([[1, 1], [2, 2], []] + request("auth.look"))
            try await eventually("the answer") {
                hand.replies.first.map { Array($0.prefix(3)) } == [[1, 1], [2, 2], []]
            }
            await hand.close()
        }
    }

    @Test func answersThatNobodyAskedForAreLeftAlone() async throws {
        try await withTown { town in
            let rogue = try await Rogue(town.context(.auth))
            let client = try town.client(of: rogue.endpoint)
            let reply = try await client.call(Ask.look, Nothing(), Nothing())
            #expect(reply == Note("right"))
            await rogue.close()
        }
    }
}
