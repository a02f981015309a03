import DurableMessaging
import FoundationEssentials
import Postgres
import ServiceKit
import WireProtocol

/// What services say of what can be found: a round looks at each thing that one of them names.
struct WantedHandlers: Sendable {
    /// Those of each service that has what is looked for.
    let looks: [WantedLooks]

    func follow(on consumer: DurableConsumer) {
        for one in looks { follow(one, on: consumer) }
    }

    private func follow(_ looks: WantedLooks, on consumer: DurableConsumer) {
        let publisher = looks.service.rawValue
        let reading = EventReading(SearchableChanged.self) { event, _ in event.subject }
        consumer.on(runsOf: [reading], from: publisher) { subjects, transaction in
            let own = subjects.filter { looks.kinds.contains($0.kind) }
            try await looks.store.wanted(in: transaction).look(at: own)
            // The round waits a moment, in which this is committed; else it is found by the next one.
            looks.bell.ring()
        }
        // What went while nothing could be heard is not named again. So many as one statement can write in its time.
        consumer.whenAnew(publisher) { transaction in
            _ = try await transaction.query(
                """
                INSERT INTO looks (kind, subject, at, due_at)
                SELECT kind, subject, \(transaction.now), \(transaction.now) FROM searchables
                WHERE is_there AND kind = ANY(\(looks.kinds.map(\.rawValue)))
                ORDER BY changed_at DESC LIMIT 100000
                """)
        } after: {
            looks.bell.ring()
        }
    }
}

extension WantedTransaction {
    /// Rounds look at these.
    func look(at subjects: [Subject]) async throws {
        if subjects.isEmpty { return }
        try await transaction.query(
            """
            INSERT INTO looks (kind, subject, at, due_at)
            SELECT DISTINCT kind, subject, \(now), \(now)
            FROM unnest(\(subjects.map(\.kind.rawValue))::text[], \(subjects.map(\.id))) AS named (kind, subject)
            """)
    }
}
