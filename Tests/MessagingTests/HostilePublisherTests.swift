import FoundationEssentials
import Logging
import Synchronization
import TestKit
import Testing
import WireProtocol
import ZeroMQ

@testable import Messaging

/// A publisher that is let in, with the key of its role, and does not keep to the protocol, beside one that does.
@Suite(.timeLimit(.minutes(1))) struct HostilePublisherTests {
    /// What cannot be read, or is not this publisher's, or is true of no stream; of the events only what is known already.
    private static func nonsense(_ epoch: UUID) throws -> [[[UInt8]]] {
        let (known, head) = (event(epoch, 1), Publication.heartbeat(publisher: "listings", epoch: epoch, head: 1))
        var messages: [[[UInt8]]] = [[], [[]], Array(repeating: [], count: 64), Array(repeating: [7], count: 200)]
        for whole in [try Publication.event(known).frames(), try head.frames()] {
            for field in whole.indices {
                for nonsense in HostileTests.nonsense {
                    var frames = whole
                    frames[field] = nonsense
                    messages.append(frames)
                }
                for version in ["", "K", "K0", "K2", "K10", "k1"] {
                    messages.append([Array(version.utf8)] + whole.dropFirst())
                }
            }
            for count in whole.indices { messages.append(Array(whole.prefix(count))) }
        }
        for name in ["auth", "chat", "", "Listings"] {
            for position in Int64(1)...40 {
                messages.append(try Publication.event(event(epoch, position, publisher: name)).frames())
            }
            messages.append(try Publication.heartbeat(publisher: name, epoch: epoch, head: 1000).frames())
        }
        for position in [Int64.min, -1, 0, StreamPosition.limit + 1, .max] {
            messages.append(try Publication.event(event(epoch, position)).frames())
            for life in [epoch, UUID()] where position != 0 {
                messages.append(try Publication.heartbeat(publisher: "listings", epoch: life, head: position).frames())
            }
        }
        // Of another epoch, which nobody but the publisher's table can begin.
        for position in Int64(1)...40 { messages.append(try Publication.event(event(UUID(), position)).frames()) }
        messages.append(try Publication.heartbeat(publisher: "listings", epoch: UUID(), head: 7).frames())
        return messages
    }

    /// A frame beyond the limit, which makes of a message none; and all together, which cost the connection.
    private static func oversize(_ epoch: UUID) throws -> [[[UInt8]]] {
        let whole = try Publication.event(event(epoch, 1)).frames()
        func frame(_ size: Int) -> [UInt8] { [UInt8](repeating: 0x20, count: size) }
        return [
            Array(whole.dropLast()) + [frame(BusLimits.frameSize + 1)],
            whole + Array(repeating: frame(BusLimits.frameSize), count: 3),
        ]
    }

    @Test func whatever_a_publisher_says_the_stream_stays_whole() async throws {
        try await withTown { town in
            let (gazette, reader, log) = (try await Gazette(town), Reader(), LogCapture())
            let rogue = try await RoguePublisher(gazette.context)
            let context = try town.context(.gateway)
            let client = try RequestClient(peers: [.listings: [gazette.requests]], context: context, logger: quiet)
            town.start(client)
            town.start(
                try EventSubscriber(
                    publishers: [.listings: [gazette.events, rogue.endpoint]], client: client, consumer: reader,
                    context: context, logger: log.logger))
            gazette.write(3)
            try await eventually("the first events") { await reader.positions.last == 3 }
            try await eventually("a complaint, which shows that the rogue is heard", within: .seconds(30)) {
                await rogue.say([[[0]]])
                try await Task.sleep(for: .milliseconds(20))
                return !log.lines.isEmpty
            }

            let epoch = gazette.table.withLock(\.epoch)
            let nonsense = try Self.nonsense(epoch)
            for part in stride(from: 0, to: nonsense.count, by: 40) {
                await rogue.say(Array(nonsense[part..<min(part + 40, nonsense.count)]))
                await gazette.publisher.publish(gazette.write(5))
            }
            func expect(_ position: Int64) async throws {
                try await eventually("event \(position)", within: .seconds(30)) {
                    await reader.positions.last == position
                }
            }
            try await expect(gazette.table.withLock(\.head))
            // Who holds the key is the publisher, and heard where it says what is so. While nothing can be asked for, only the rogue can
            // have brought this one; so all that it said before was heard as well.
            gazette.table.withLock { $0.broken = .max }
            let next = gazette.write(1)[0]
            await rogue.say([try Publication.event(next).frames()])
            try await expect(next.position)
            gazette.table.withLock { $0.broken = 0 }
            // What is too large costs the rogue its connection, for good, and nobody else anything.
            await rogue.say(try Self.oversize(epoch))
            try await Task.sleep(for: .milliseconds(300))
            await gazette.publisher.publish(gazette.write(5))
            let written = gazette.table.withLock(\.events)
            try await expect(Int64(written.count))
            #expect(await reader.positions == Array(1...Int64(written.count)))
            #expect(await reader.payloads == written.map { String(decoding: $0.payload, as: UTF8.self) })
            #expect(await reader.resynchronised == 0)
            let complaints = log.lines(saying: "a publication cannot be read")
            #expect(complaints.map(\.level) == [.warning] && complaints[0].metadata == ["publisher": "listings"])
            await rogue.close()
        }
    }
}
