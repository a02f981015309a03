import DurableMessaging
import FoundationEssentials
import Logging
import Messaging
import Postgres
import TestKit
import WireProtocol

@testable import MatchingService

// Rides in the tests' stock, and what is asked of those who seek one.

extension Stock {
    /// What rides says of who seeks one.
    var seeking: SeekingServices {
        SeekingServices(seeking: { try self.shown($0) }, fits: { try self.fits($0) })
    }

    private func shown(_ query: WantedQuery) throws -> Seeking {
        try answer(.seeking) { state in
            guard let rides = query.rides, let after = rides.after, let before = rides.before else {
                throw ServiceError.invalid([FieldError("rides", "required", "Where?")])
            }
            return Seeking(
                from: SeekingEnd(name: "Kerava", region: state.regions.from, position: rides.from.onGrid),
                to: SeekingEnd(name: "Kajaani", region: state.regions.to, position: rides.to.onGrid),
                after: after, before: before, seats: rides.seats ?? 1, luggage: rides.luggage)
        }
    }

    private func fits(_ judging: SearchJudging) throws -> SeekerFits {
        try answer(.fits) { state in
            guard let item = state.items.first(where: { $0.subject == judging.subject }) else {
                throw ServiceError.notFound("ride")
            }
            let apart = state.apart
            let fits = judging.searches.compactMap { search -> SeekerFit? in
                guard let query = try? search.query.read(), let rides = query.rides,
                    Stock.finds(item, query, for: search.person, apart)
                else { return nil }
                let extra = item.extra(on: rides)
                return SeekerFit(id: search.id, startGap: extra, endGap: 0, detour: 2 * extra, extra: extra)
            }
            return SeekerFits(fits: fits)
        }
    }
}

extension Stock.Item {
    /// Metres from where a way begins to where this does.
    func extra(on way: RideSearchQuery) -> Int { position.map { Int(way.from.metres(to: $0).rounded()) } ?? 0 }
}

/// A ride that leaves within some hours from an hour after noon on, from so many metres east of the restaurant.
func rides(from east: Double = 0, hours: Double = 2, seats: Int? = nil) -> WantedQuery {
    WantedQuery(
        rides: RideSearchQuery(
            from: position(east), to: position(east, 50_000), after: after(minutes: 60),
            before: after(minutes: 60 + 60 * hours), seats: seats))
}

extension Searches {
    /// A ride that begins so many metres east of the restaurant, and is known here; Maya's, unless it is said otherwise.
    @discardableResult
    func ride(_ east: Double, of driver: PersonID = maya) async throws -> RideID {
        let id = RideID.new(at: clock.now)
        let title = "Ride \(Int(east))"
        stock.put(Stock.Item(subject: Subject(id), owner: driver, title: title, position: position(east)))
        try await appeared(Subject(id))
        return id
    }

    /// Tom seeks a ride so that others see it, unless it is somebody else.
    @discardableResult
    func seek(
        _ query: WantedQuery = rides(), by person: PersonID = tom, id: UUID = .version7()
    ) async throws -> Wanted {
        try await useCases.post(WantedDraft(query: query, isVisible: true), .from(person, id: id))
    }

    /// All whom somebody sees; Lin, unless it is said otherwise.
    func seekers(_ query: SeekingQuery = SeekingQuery(), for person: PersonID = lin) async throws -> [Seeker] {
        try await useCases.seekers(query, for: Caller(person: person)).items
    }

    /// Who seeks along the way of a ride, as Maya sees it, unless it is somebody else.
    func along(_ ride: RideID, for person: PersonID = maya) async throws -> [SeekerAlong] {
        try await useCases.rideSeekers(RideSeekersQuery(ride: ride, limit: 100), for: Caller(person: person)).items
    }

    func invite(
        _ seeker: WantedID, to ride: RideID, by driver: PersonID = maya, id: UUID = .version7()
    ) async throws {
        try await useCases.invite(SeekerReference(ride: ride, seeker: seeker), .from(driver, id: id))
    }

    // MARK: Rounds

    var announcing: SeekingAnnouncing { SeekingAnnouncing(store: store, services: stock.services, logger: .quiet) }
    var regions: SeekingRegions { SeekingRegions(store: store, seeking: stock.seeking, logger: .quiet) }

    /// Settles all searches that have begun, and then tells drivers of them.
    func announce() async throws {
        _ = try await catchUp().round()
        let announcing = announcing
        while try await announcing.round() {}
    }

    // MARK: What was told

    /// The notices that drivers got, in order.
    func announced() async throws -> [ToldSeeker] {
        try await deliveries.told(NoticeRaised.self).compactMap { notice -> ToldSeeker? in
            guard notice.kind == .seekerFound, case .people(let people) = notice.to, let driver = people.first,
                let seeker = notice.actor, let ride = notice.subject.id(of: Ride.self)
            else { return nil }
            return ToldSeeker(driver: driver, ride: ride, seeker: seeker)
        }
    }

    func invitations() async throws -> [NoticeRaised] {
        try await deliveries.told(NoticeRaised.self).filter { $0.kind == .rideInvited }
    }
}

struct ToldSeeker: Hashable, Sendable {
    let driver: PersonID
    let ride: RideID
    let seeker: PersonID
}
