import DurableMessaging
import FoundationEssentials
import MatchEngine
import Postgres
import WireProtocol

// What is known of ways, and what is asked of them while somebody waits.

extension KnownWays {
    static func selection(of hops: Set<Hop>) -> SQLQuery {
        """
        SELECT one, other, metres, along_streets FROM unnest(\(hops.map(\.one)), \(hops.map(\.other))) AS wanted (one, other)
        JOIN hops USING (one, other) WHERE metres IS NOT NULL
        """
    }

    init(_ rows: PostgresRows) throws {
        for row in rows {
            let way = KnownWay(metres: try row.get("metres"), isAlongStreets: try row.get("along_streets"))
            learn(Hop(try row.get("one"), try row.get("other")), way)
        }
    }

    /// Those of which nobody has said anything, each once.
    func unknown(among places: [DeliveryPlace]) -> [WayQuestion] {
        let stops = Dictionary(places.map { ($0.stop.id, $0.stop) }) { one, _ in one }.values.sorted { $0.id < $1.id }
        return stops.enumerated().flatMap { index, one in
            stops[(index + 1)...].compactMap { other in
                let hop = Hop(one.id, other.id)
                return ways[hop] == nil ? WayQuestion(hop: hop, from: one.position, to: other.position) : nil
            }
        }
    }
}

extension DeliveryStore {
    func ways(among places: [DeliveryPlace]) async throws -> KnownWays {
        try KnownWays(try await database.read(KnownWays.selection(of: KnownWays.hops(among: places))))
    }

    /// Keeps what Places has said. Once more is no harm.
    fileprivate func keep(_ ways: [(question: WayQuestion, way: KnownWay)], at now: Date) async throws {
        for (question, way) in ways {
            _ = try await database.query(
                """
                INSERT INTO hops (one, other, one_latitude, one_longitude, other_latitude, other_longitude, area, metres,
                    along_streets, asked_at)
                VALUES (\(question.hop.one), \(question.hop.other), \(question.from.latitude), \(question.from.longitude),
                    \(question.to.latitude), \(question.to.longitude), \(DeliveryArea.of(question.from)), \(way.metres),
                    \(way.isAlongStreets), \(now))
                ON CONFLICT (one, other) DO UPDATE
                SET metres = excluded.metres, along_streets = excluded.along_streets, asked_at = excluded.asked_at, due_at = NULL
                """)
        }
    }
}

extension DeliveryTransaction {
    func ways(among places: [DeliveryPlace]) async throws -> KnownWays {
        try KnownWays(try await transaction.query(KnownWays.selection(of: KnownWays.hops(among: places))))
    }
}

extension DeliveryUseCases {
    /// So few are asked for while somebody waits.
    private static let mostWhileWaiting = 20

    /// Asks Places for ways between some places that are not known yet. What it does not answer at once is guessed.
    func learnWays(among places: [DeliveryPlace]) async {
        guard let known = try? await store.ways(among: places) else { return }
        let unknown = known.unknown(among: places).prefix(Self.mostWhileWaiting)
        await withTaskGroup(of: Void.self) { group in
            for question in unknown {
                group.addTask {
                    guard let way = try? await askForWays(question.from, [question.to]).first else { return }
                    try? await store.keep([(question, way)], at: clock())
                }
            }
        }
    }
}
