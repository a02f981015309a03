import Foundation
public import WireProtocol

// Who seeks a ride and lets others see it. A command takes the idempotency key of an earlier try; without one it makes its own.

extension KampongClient {
    /// Those who seek a ride from a region or to it, the soonest first.
    public func seekers(_ query: SeekingQuery = SeekingQuery()) async throws -> Page<Seeker> {
        try await call(
            .get, "v1/seekers",
            query: Self.query([
                ("region", query.region), ("direction", query.direction?.rawValue),
                ("limit", query.limit.map(String.init)), ("cursor", query.cursor),
            ]))
    }

    /// Those whom a ride could take along, the fewest extra metres first. For its driver alone.
    public func seekers(along query: RideSeekersQuery) async throws -> Page<SeekerAlong> {
        try await call(
            .get, "v1/rides/\(query.ride)/seekers",
            query: Self.query([("limit", query.limit.map(String.init)), ("cursor", query.cursor)]))
    }

    /// Tells somebody who seeks of a ride of one's own, once, however often it is asked for.
    /// - Throws: `Problem` with code `tooManyInvitations` for whoever has invited as many today as one may.
    public func inviteSeeker(_ seeker: WantedID, to ride: RideID, key: String? = nil) async throws {
        let _: Nothing = try await call(.post, "v1/rides/\(ride)/seekers/\(seeker)/invite", key: key)
    }
}
