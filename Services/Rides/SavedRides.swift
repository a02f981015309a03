import Messaging
import WireProtocol

// The list of those that somebody likes.

extension RideUseCases {
    func save(_ id: RideID, _ request: RequestContext) async throws {
        _ = try await store.command(request) { rides, person in
            let ride = try await rides.ride(id, for: person).ride
            guard ride.driver != person else { throw RideError.rideOver(ride.possible(for: person, at: rides.now)) }
            try await rides.save(id, for: person)
            return Nothing()
        }
    }

    /// Also of one that is not to be seen any more.
    func unsave(_ id: RideID, _ request: RequestContext) async throws {
        _ = try await store.command(request) { rides, person in
            try await rides.unsave(id, for: person)
            return Nothing()
        }
    }
}
