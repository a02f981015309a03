import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// What other services ask of matches.

extension DeliveryUseCases {
    /// What there is to be judged by moderators: whoever reports a match reports what the other one did.
    func subject(_ query: SubjectQuery) async throws -> SubjectSnapshot {
        guard let match = try await match(named: query.subject, for: query.viewer),
            let snapshot = SubjectSnapshot(match, for: query.viewer)
        else { throw DeliveryError.matchNotFound }
        return snapshot
    }

    /// What the room of a match needs to know, for one of the two.
    func roomSubject(_ query: RoomSubjectQuery) async throws -> RoomSubjectFacts {
        guard let match = try await match(named: query.subject, for: query.viewer) else {
            throw DeliveryError.matchNotFound
        }
        let now = clock()
        return (match.pass(at: now)?.match ?? match).roomFacts(at: now)
    }

    /// Which of some pictures are receipts.
    func photosInUse(_ asked: PhotoUse) async throws -> PhotoUse {
        PhotoUse(photos: try await store.receipts(among: Array(asked.photos.prefix(PhotoUse.largest))))
    }

    /// - Parameter viewer: one of the two; nil for moderators, who see any.
    private func match(named subject: Subject, for viewer: PersonID?) async throws -> MatchAgreement? {
        guard let id = subject.id(of: DeliveryMatch.self), let match = try await store.match(id) else { return nil }
        return viewer == nil || match.role(of: viewer) != nil ? match : nil
    }
}

extension DeliveryStore {
    fileprivate func receipts(among photos: [String]) async throws -> [String] {
        if photos.isEmpty { return [] }
        return try await database.read(
            "SELECT DISTINCT receipt FROM matches WHERE receipt = ANY(\(photos)) ORDER BY receipt"
        ).map { try $0.get("receipt") }
    }
}
