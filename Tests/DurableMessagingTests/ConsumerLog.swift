import FoundationEssentials
import Messaging
import Postgres
import TestKit
import WireProtocol

@testable import DurableMessaging

/// A consumer that keeps a log, and that fails when it is told to.
enum ConsumerLog {
    struct Poison: Error, CustomStringConvertible {
        let description = "this cannot be swallowed"
    }

    /// Events for these things fail while it says so.
    final class Mood: Sendable {
        private let bad = Locked<Set<String>>([])
        let attempts = Locked(0)
        func set(_ things: Set<String>) { bad.change { $0 = things } }
        func isBad(_ thing: String) -> Bool { bad.value.contains(thing) }
    }

    /// Writes every event down, in order, so that nothing can hide.
    static func with(_ body: (ServiceDatabase, DurableConsumer, Mood) async throws -> Void) async throws {
        try await ServiceDatabase.with { service in
            _ = try await service.database.query(
                "CREATE TABLE log (id bigint GENERATED ALWAYS AS IDENTITY, aggregate text, n int8)")
            var limits = DurableConsumer.Limits()
            limits.firstPause = .milliseconds(1)
            let consumer = DurableConsumer(database: service.database, limits: limits)
            let mood = Mood()
            consumer.on(Became.self, from: "there") { event, header, transaction in
                try await transaction.query("INSERT INTO log (aggregate, n) VALUES (\(header.aggregate), \(event.n))")
                if mood.isBad(header.aggregate) {
                    mood.attempts.change { $0 += 1 }
                    throw Poison()
                }
            }
            try await body(service, consumer, mood)
        }
    }

    static func entries(_ service: ServiceDatabase) async throws -> [String] {
        try await service.database.pool.query("SELECT aggregate || n AS entry FROM log ORDER BY id").map {
            try $0.get("entry")
        }
    }
}
