import FoundationEssentials
import GatewayService
import NIOCore
import Testing
import WireProtocol

/// Events as a test's publisher would number them.
struct FakePublisher {
    let name: String
    let epoch: UUID
    private(set) var events: [EventEnvelope] = []

    init(_ name: String, epoch: UUID = .version7()) {
        self.name = name
        self.epoch = epoch
    }

    mutating func publish(
        _ type: String = "spotAdded", to audience: Audience = .everyone, at position: Position? = nil,
        concerning concerned: [PersonID]? = nil, within campus: String? = nil
    ) -> EventEnvelope {
        let number = Int64(events.count + 1)
        let event = EventEnvelope(
            publisher: name, epoch: epoch, position: number,
            header: EventHeader(
                id: .version7(), type: type, aggregate: "spot/1", audience: audience, occurredAt: Date(),
                location: position, concerns: concerned, campus: campus),
            payload: Array("{\"n\":\(number)}".utf8))
        events.append(event)
        return event
    }

    var head: Int64 { Int64(events.count) }
    var place: StreamPositions.Place { .init(epoch: epoch, position: head) }
}

@Suite struct StreamPositionsTests {
    @Test func text_and_value_are_the_same_thing() throws {
        let positions = StreamPositions([
            "listings": .init(epoch: UUID(), position: 2044), "auth": .init(epoch: UUID(), position: 0),
        ])
        #expect(StreamPositions(positions.text) == positions)
        #expect(positions.text.hasPrefix("auth."))
        #expect(positions.text.utf8.count < 50)
    }

    @Test(arguments: [
        "x", "a.b.c", "auth.12345678", "auth.12345678.-1", "auth.1234567g.1", "auth.12345678.1,", ".12345678.1",
        "auth.ABCDEF12.1", "auth.12345678.+1", "auth.１234567.1", "b\nevent: x\n.12345678.1", "b\u{E9}.12345678.1",
        String(repeating: "a", count: 600), "auth.1234567８.1",
        "auth.12345678.01",
        "au\nth.12345678.1", "\"}.12345678.1", "auth.12345678.9223372036854775807", "auth.12345678.1,auth.12345678.2",
    ])
    func what_was_never_given_out_is_not_read(text: String) { #expect(StreamPositions(text) == nil) }

    @Test func one_only_advances_within_an_epoch() {
        let (one, two) = (UUID(), UUID())
        var positions = StreamPositions(["a": .init(epoch: one, position: 5), "b": .init(epoch: one, position: 5)])
        positions.advance(
            to: StreamPositions(["a": .init(epoch: one, position: 3), "b": .init(epoch: two, position: 1)]))
        #expect(
            positions == StreamPositions(["a": .init(epoch: one, position: 5), "b": .init(epoch: two, position: 1)]))
    }
}

@Suite struct StreamAudienceTests {
    static let box = BoundingBox(west: 0, south: 0, east: 10, north: 10)

    private func header(_ audience: Audience, _ position: Position? = nil) -> EventHeader {
        EventHeader(
            id: .version7(), type: "x", aggregate: "x", audience: audience, occurredAt: Date(), location: position)
    }

    @Test func nobody_receives_what_is_not_theirs() {
        let (maya, ben) = (PersonID.new(), PersonID.new())
        let inside = Position(latitude: 5, longitude: 5)
        let outside = Position(latitude: 50, longitude: 5)
        #expect(StreamAudience().admits(header(.everyone, outside)))
        #expect(StreamAudience(box: Self.box).admits(header(.everyone, inside)))
        #expect(!StreamAudience(box: Self.box).admits(header(.everyone, outside)))
        #expect(StreamAudience(box: Self.box).admits(header(.everyone)))
        #expect(StreamAudience(person: maya).admits(header(.people([maya, ben]))))
        // What is for oneself is not limited by where one looks.
        #expect(StreamAudience(person: maya, box: Self.box).admits(header(.people([maya]), outside)))
        #expect(!StreamAudience(person: maya).admits(header(.people([ben]))))
        #expect(!StreamAudience().admits(header(.people([ben]))))
        #expect(!StreamAudience(person: maya).admits(header(.nobody)))
    }
}

@Suite struct StreamLogTests {
    private func log(_ publisher: inout FakePublisher, first: Int64, count: Int, capacity: Int = 100) -> StreamLog {
        var log = StreamLog(epoch: publisher.epoch, head: first - 1, capacity: capacity)
        while publisher.head < first - 1 + Int64(count) {
            let event = publisher.publish()
            guard event.position >= first else { continue }
            log.append(
                StreamItem(
                    publisher: "a", position: event.position, header: event.header, payload: event.payload))
        }
        return log
    }

    private func positions(_ items: [StreamItem]) -> [Int64] { items.map(\.position) }

    @Test func what_was_missed_is_replayed_and_no_more() {
        var publisher = FakePublisher("a")
        let log = log(&publisher, first: 11, count: 10)
        for last in 10...19 {
            guard case .replay(let items) = log.resume(from: .init(epoch: publisher.epoch, position: Int64(last)))
            else {
                Issue.record("not a replay from \(last)")
                continue
            }
            #expect(positions(items) == Array(Int64(last + 1)...20))
        }
    }

    @Test func one_who_is_up_to_date_or_ahead_missed_nothing() {
        var publisher = FakePublisher("a")
        let log = log(&publisher, first: 1, count: 5)
        for last in [5, 6, 99] {
            guard case .upToDate = log.resume(from: .init(epoch: publisher.epoch, position: Int64(last))) else {
                Issue.record("missed something at \(last)")
                continue
            }
        }
    }

    @Test func what_is_older_than_the_log_is_fetched() {
        var publisher = FakePublisher("a")
        let log = log(&publisher, first: 11, count: 10)
        guard case .fetch(3, 10, let items) = log.resume(from: .init(epoch: publisher.epoch, position: 3)) else {
            Issue.record("not fetched")
            return
        }
        #expect(positions(items) == Array(11...20))
    }

    @Test func a_log_is_bounded_and_stays_without_gaps() {
        var publisher = FakePublisher("a")
        let log = log(&publisher, first: 1, count: 1000, capacity: 16)
        guard case .fetch(0, let through, let items) = log.resume(from: .init(epoch: publisher.epoch, position: 0))
        else {
            Issue.record("not fetched")
            return
        }
        #expect((16...32).contains(items.count))
        #expect(positions(items) == Array(through + 1...1000))
    }

    @Test func another_epoch_is_lost() {
        var publisher = FakePublisher("a")
        guard case .lost = log(&publisher, first: 1, count: 5).resume(from: .init(epoch: UUID(), position: 2)) else {
            Issue.record("resumed across epochs")
            return
        }
    }
}
