import DurableMessaging
import FoundationEssentials
import People
import WireProtocol

/// Who is named where some rides are shown.
struct RideCompany: Sendable {
    let names: KnownPeople
    private let passengers: [RideID: [Passenger]]

    init(names: KnownPeople, _ passengers: [RideID: [Passenger]]) {
        self.names = names
        self.passengers = passengers
    }

    func passengers(of seen: SeenRide) -> [(person: PersonID, seats: Int)] {
        (passengers[seen.ride.id] ?? []).map { ($0.person, $0.seats) }
    }

    func answer(_ seen: SeenRide, to viewer: PersonID?, isModerator: Bool = false, at now: Date) -> Ride {
        Ride(
            seen, passengers: passengers(of: seen), for: viewer, among: names, isModerator: isModerator, at: now)
    }

    static func people(in rides: [SeenRide], _ passengers: [RideID: [Passenger]]) -> Set<PersonID> {
        Set(rides.map(\.ride.driver)).union(passengers.values.joined().map(\.person))
    }
}

extension RideTransaction {
    /// A ride as somebody sees it who has just done something to it.
    func answer(_ seen: SeenRide, to person: PersonID) async throws -> Ride {
        let rows = try await transaction.query(Passenger.selection(of: [seen.ride.id]))
        let passengers = [seen.ride.id: try rows.map(Passenger.init)]
        let names = try await people(RideCompany.people(in: [seen], passengers), for: person)
        return RideCompany(names: names, passengers).answer(seen, to: person, at: now)
    }
}
