import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

/// What people are told because of an event becomes durable with it.
@Suite struct NoticePublishingTests {
    private struct Refused: Error {}

    private let asker = PersonID.new()
    private let asked = PersonID.new()
    private var ended: FriendQuestionEnded { FriendQuestionEnded(asker: asker, asked: asked) }

    private func published(_ service: ServiceDatabase) async throws -> [(header: EventHeader, payload: [UInt8])] {
        try await service.database.pool.query(
            "SELECT header::text AS header, payload::text AS payload FROM outbox ORDER BY id"
        ).map { row in
            let header: String = try row.get("header")
            let payload: String = try row.get("payload")
            return (try WireJSON.decode(EventHeader.self, from: Array(header.utf8)), Array(payload.utf8))
        }
    }

    @Test func it_follows_the_event_which_says_so() async throws {
        try await ServiceDatabase.with { service in
            try await service.database.transaction { transaction in
                transaction.publish(Became(n: 1), about: "thing/a", to: .everyone)
                transaction.publish(ended, about: "friendship/a", to: .everyone)
            }
            let events = try await published(service)
            #expect(events.map(\.header.type) == [Became.type, FriendQuestionEnded.type, NoticeSettled.type])
            #expect(events.map(\.header.told) == [nil, true, nil])
            #expect(events.map(\.header.audience) == [.everyone, .everyone, .nobody])
            #expect(events.map(\.header.aggregate) == ["thing/a", "friendship/a", "friendship/a"])
            let settled = try WireJSON.decode(NoticeSettled.self, from: events[2].payload)
            #expect(ended.notices(at: Date()) == [.settled(settled)] && settled.to == .people([asked]))
        }
    }

    @Test func without_the_event_nobody_is_told_anything() async throws {
        try await ServiceDatabase.with { service async throws in
            await #expect(throws: Refused.self) {
                try await service.database.transaction { transaction in
                    transaction.publish(ended, about: "friendship/a", to: .nobody)
                    throw Refused()
                }
            }
            #expect(try await published(service).isEmpty)
        }
    }
}
