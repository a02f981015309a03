import DurableMessaging
import FoundationEssentials
import Postgres
import ServiceKit
import WireProtocol

/// What services say of what can be found: a round looks at each thing that one of them names.
struct WantedHandlers: Sendable {
    /// Those of each kind of what is looked for.
    let looks: [WantedLooks]

    func follow(on consumer: DurableConsumer) {
        for (service, looks) in Dictionary(grouping: looks, by: \.kind.service) {
            follow(looks, of: service, on: consumer)
        }
    }

    private func follow(_ looks: [WantedLooks], of service: PeerRole, on consumer: DurableConsumer) {
        let publisher = service.rawValue
        let reading = EventReading(SearchableChanged.self) { event, _ in event }
        consumer.on(runsOf: [reading], from: publisher) { changes, transaction in
            for own in looks {
                let named = changes.filter { $0.subject.kind == own.kind }
                if named.isEmpty { continue }
                let wanted = own.store.wanted(in: transaction)
                try await wanted.look(at: named.filter { $0.isNarrower != true }.map(\.subject))
                try await wanted.look(atNarrowed: named.filter { $0.isNarrower == true }.map(\.subject))
                transaction.whenCommitted { own.bell.ring() }
            }
        }
        // What went while nothing could be heard is not named again. So many as one statement can write in its time.
        consumer.whenAnew(publisher) { transaction in
            _ = try await transaction.query(
                """
                INSERT INTO looks (kind, subject, at, due_at, is_again)
                SELECT kind, subject, \(transaction.now), \(transaction.now), true FROM searchables
                WHERE is_there AND kind = ANY(\(looks.map(\.kind.rawValue)))
                ORDER BY changed_at DESC LIMIT 100000
                """)
        } after: {
            for own in looks { own.bell.ring() }
        }
    }
}

extension WantedTransaction {
    /// Rounds look at these.
    func look(at subjects: [Subject]) async throws { try await look(at: subjects, where: "true") }

    /// The same of things that no search finds that did not before: of those that somebody waits to be told of, or that a look has begun at, which
    /// somebody may wait for once it is done.
    func look(atNarrowed subjects: [Subject]) async throws {
        try await look(
            at: subjects,
            where: """
                EXISTS (SELECT FROM hits WHERE hits.kind = named.kind AND hits.subject = named.subject
                    AND hits.state IN ('waiting', 'late'))
                OR EXISTS (SELECT FROM looks WHERE looks.kind = named.kind AND looks.subject = named.subject)
                """)
    }

    private func look(at subjects: [Subject], where condition: SQLQuery) async throws {
        if subjects.isEmpty { return }
        try await transaction.query(
            """
            INSERT INTO looks (kind, subject, at, due_at)
            SELECT DISTINCT kind, subject, \(now), \(now)
            FROM unnest(\(subjects.map(\.kind.rawValue))::text[], \(subjects.map(\.id))) AS named (kind, subject)
            WHERE \(condition)
            """)
    }
}
