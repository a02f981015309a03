import FoundationEssentials
import Reactor
import Synchronization
import TestKit
import Testing
import WireProtocol
import ZeroMQ

@testable import Messaging

/// A publisher and a subscriber on real sockets: every event arrives once and in order, whatever the line loses.
@Suite(.timeLimit(.minutes(1))) struct EventTests {
    @discardableResult
    private func subscribe(
        _ town: Town, to gazette: Gazette, _ reader: Reader, events: String? = nil,
        startingAt: FirstContact = .beginning
    ) throws -> (subscriber: EventSubscriber, running: Running) {
        let context = try town.context(.gateway)
        let client = try RequestClient(peers: [.listings: [gazette.requests]], context: context, logger: quiet)
        town.start(client)
        let subscriber = try EventSubscriber(
            publishers: [.listings: [events ?? gazette.events]], client: client, consumer: reader, context: context,
            startingAt: startingAt, logger: quiet)
        return (subscriber, town.start(subscriber))
    }

    private func expect(_ reader: Reader, toHave positions: ClosedRange<Int64>) async throws {
        try await eventually("event \(positions.upperBound)", within: .seconds(30)) {
            await reader.positions.last == positions.upperBound
        }
        #expect(await reader.positions == Array(positions))
    }

    /// Tells events until one arrives as it is told: before the subscription stands, they come by pull.
    private func hear(_ gazette: Gazette, _ reader: Reader) async throws {
        try await eventually("a live event", within: .seconds(30)) {
            let (pulls, event) = (gazette.pulls, gazette.write(1))
            await gazette.publisher.publish(event)
            try await Task.sleep(for: .milliseconds(50))
            return await reader.positions.last == event[0].position && gazette.pulls == pulls
        }
    }

    @Test func whatIsPublishedArrives() async throws {
        try await withTown { town in
            let (gazette, reader) = (try await Gazette(town), Reader())
            gazette.write(3)
            try subscribe(town, to: gazette, reader)
            try await expect(reader, toHave: 1...3)
            for _ in 0..<20 {
                await gazette.publisher.publish(gazette.write(10))
                try await Task.sleep(for: .milliseconds(5))
            }
            try await expect(reader, toHave: 1...203)
            #expect(await reader.payloads.last == #"{"number":203}"#)
        }
    }

    @Test func anEventArrivesAtOnceWhenTheLineIsGood() async throws {
        try await withTown { town in
            let (gazette, reader) = (try await Gazette(town), Reader())
            try subscribe(town, to: gazette, reader)
            try await hear(gazette, reader)
        }
    }

    @Test func whatThePublisherLosesIsPulled() async throws {
        try await withTown { town in
            let (gazette, reader) = (try await Gazette(town), Reader())
            try subscribe(town, to: gazette, reader)
            for turn in 0..<30 {
                let events = gazette.write(10)
                await gazette.publisher.publish(events.filter { ($0.position + Int64(turn)) % 3 != 0 })
                try await Task.sleep(for: .milliseconds(5))
            }
            try await expect(reader, toHave: 1...300)
        }
    }

    @Test func aBurstThatIsLostToASlowReaderStillArrivesWhole() async throws {
        try await withTown { town in
            let (gazette, reader) = (try await Gazette(town), Reader())
            let subscriber = try subscribe(town, to: gazette, reader).subscriber
            await gazette.publisher.publish(gazette.write(1))
            try await expect(reader, toHave: 1...1)
            // More than any buffer holds, and the reader takes none of it before the end is known.
            await reader.hold()
            let pulls = gazette.pulls
            await gazette.publisher.publish(gazette.write(12_000))
            try await eventually("the whole burst to be known") { await subscriber.lag(behind: .listings) == 12_000 }
            await reader.goOn()
            try await expect(reader, toHave: 1...12_001)
            #expect(gazette.pulls > pulls)
        }
    }

    @Test func aLostLastEventIsNoticedByTheHeartbeat() async throws {
        try await withTown { town in
            let (gazette, reader) = (try await Gazette(town), Reader())
            try subscribe(town, to: gazette, reader)
            try await hear(gazette, reader)
            let last = gazette.write(1)[0]  // and not a word of it
            let start = ContinuousClock.now
            try await expect(reader, toHave: 1...last.position)
            #expect(ContinuousClock.now - start < .seconds(8))
        }
    }

    @Test func aPublisherThatStartsAgainGoesOn() async throws {
        try await withTown { town in
            let (first, reader) = (try await Gazette(town), Reader())
            await first.publisher.publish(first.write(5))
            try subscribe(town, to: first, reader)
            try await expect(reader, toHave: 1...5)
            try await first.stop()
            first.write(5)
            let table = first.table.withLock { $0 }
            let second = try await Gazette(
                town, in: first.context, table: table, requests: first.requests, events: first.events)
            await second.publisher.publish(second.write(5))  // before anybody is connected
            try await expect(reader, toHave: 1...15)
            #expect(await reader.resynchronised == 0)
        }
    }

    @Test func aSubscriberThatStartsAgainGoesOnWhereItWas() async throws {
        try await withTown { town in
            let (gazette, reader) = (try await Gazette(town), Reader())
            gazette.write(5)
            let running = try subscribe(town, to: gazette, reader).running
            try await expect(reader, toHave: 1...5)
            await running.shutDown()
            gazette.write(5)
            try subscribe(town, to: gazette, reader)
            try await expect(reader, toHave: 1...10)
        }
    }

    @Test func aRestoredPublisherIsReadAnew() async throws {
        try await withTown { town in
            let (gazette, reader) = (try await Gazette(town), Reader())
            gazette.write(8)
            try subscribe(town, to: gazette, reader)
            try await expect(reader, toHave: 1...8)
            // The backup is older than what was seen, and the positions are given out again.
            gazette.table.withLock { table in
                table.epoch = UUID()
                table.events = (1...6).map { event(table.epoch, $0) }
            }
            try await eventually("the new stream") { await reader.positions == Array(1...8) + Array(1...6) }
            #expect(await reader.resynchronised == 1)
        }
    }

    @Test func whoCannotCatchUpBeginsAnew() async throws {
        try await withTown { town in
            let gazette = try await Gazette(town)
            let epoch = gazette.table.withLock { $0.epoch }
            gazette.write(10)
            gazette.table.withLock { table in
                table.floor = 6
                table.events.removeFirst(6)
            }
            let reader = Reader(at: StreamOffset(epoch: epoch, position: 2))
            try subscribe(town, to: gazette, reader)
            try await expect(reader, toHave: 7...10)
            #expect(await reader.resynchronised == 1)
        }
    }

    @Test func aLiveStreamBeginsWithWhatComesNext() async throws {
        try await withTown { town in
            let (gazette, reader) = (try await Gazette(town), Reader(keepsHistory: false))
            gazette.write(10)
            try subscribe(town, to: gazette, reader, startingAt: .head)
            try await eventually("the head") { await reader.offset?.position == 10 }
            gazette.write(2)
            try await expect(reader, toHave: 11...12)
        }
    }

    @Test func whatFailsComesAgainAndNothingTwice() async throws {
        try await withTown { town in
            let (gazette, reader) = (try await Gazette(town), Reader())
            await reader.fail(3)
            gazette.table.withLock { $0.broken = 2 }
            gazette.write(20)
            try subscribe(town, to: gazette, reader)
            try await expect(reader, toHave: 1...20)
        }
    }

    @Test func aLineThatFellSilentCostsNothing() async throws {
        try await withTown { town in
            let (gazette, reader) = (try await Gazette(town), Reader())
            let proxy = SilentProxy(to: gazette.events)
            try subscribe(town, to: gazette, reader, events: await proxy.start())
            try await hear(gazette, reader)
            await proxy.fallSilent()
            let lost = gazette.write(5)
            await gazette.publisher.publish(lost)
            try await expect(reader, toHave: 1...lost[4].position)
            await proxy.stop()
            proxy.reactor.stop()
        }
    }
}
