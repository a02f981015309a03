import DurableMessaging
import FoundationEssentials
import People
import WireProtocol

/// Who is named where some rides are shown, and the other ways that go with them.
struct RideCompany: Sendable {
    let names: KnownPeople
    private let passengers: [RideID: [Passenger]]
    /// As far as the one who looks may see them.
    private let others: [OfferedRide]

    init(names: KnownPeople, _ passengers: [RideID: [Passenger]], others: [OfferedRide]) {
        self.names = names
        self.passengers = passengers
        self.others = others
    }

    func answer(_ seen: SeenRide, to viewer: PersonID?, isModerator: Bool = false, at now: Date) -> Ride {
        Ride(
            seen, passengers: (passengers[seen.ride.id] ?? []).map { ($0.person, $0.seats) },
            other: others.lazy.compactMap { OtherWay($0, of: seen.ride) }.first, for: viewer, among: names,
            isModerator: isModerator, at: now)
    }

    static func people(in rides: [SeenRide], _ passengers: [RideID: [Passenger]]) -> Set<PersonID> {
        Set(rides.map(\.ride.driver)).union(passengers.values.joined().map(\.person))
    }
}

extension RideTransaction {
    /// A ride as somebody sees it who has just done something to it.
    func answer(_ seen: SeenRide, to person: PersonID) async throws -> Ride {
        let answers = try await transaction.pipeline([
            Passenger.selection(of: [seen.ride.id]),
            RideViewer(person: person).others(of: [seen.ride.id], people.campuses),
        ])
        let passengers = [seen.ride.id: try answers[0].map(Passenger.init)]
        let names = try await people(RideCompany.people(in: [seen], passengers), for: person)
        let others = try answers[1].map(OfferedRide.init)
        return RideCompany(names: names, passengers, others: others).answer(seen, to: person, at: now)
    }
}
