import FoundationEssentials
import WireProtocol

// What other services ask of rides.

extension RideUseCases {
    /// What there is to be judged by moderators, as the one sees it who reports it.
    func subject(_ query: SubjectQuery) async throws -> SubjectSnapshot {
        guard let id = query.subject.id(of: Ride.self),
            let seen = try await store.ride(id, for: query.viewer, isModerator: query.viewer == nil)
        else { throw RideError.notFound }
        return SubjectSnapshot(seen.ride)
    }

    /// What a room about a ride needs to know, for somebody who sees it, or has ridden along lately.
    func roomSubject(_ query: RoomSubjectQuery) async throws -> RoomSubjectFacts {
        guard let id = query.subject.id(of: Ride.self) else { throw RideError.notFound }
        let partners = try await store.partners(of: id, at: clock())
        let seesAnyway = partners.contains(query.viewer)
        let viewer = seesAnyway ? nil : query.viewer
        guard let seen = try await store.ride(id, for: viewer, isModerator: seesAnyway) else {
            throw RideError.notFound
        }
        return seen.ride.roomFacts(partners)
    }

    /// What somebody drives that has not left.
    func shelf(_ query: ShelfQuery, for caller: Caller) async throws -> Page<ShelfItem> {
        guard query.kind == .ride else { throw ServiceError.notFound("shelf") }
        let asked = RideQuery(by: query.person, limit: query.limit, cursor: query.cursor)
        let found = try await rides(asked, for: caller)
        return Page(items: found.items.map { ShelfItem($0) }, next: found.next)
    }
}
