import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import WireProtocol

// What can be asked of those who seek a ride.

extension WantedUseCases {
    /// Those who seek from a region, or to it. One's own searches are not among them.
    func seekers(_ query: SeekingQuery, for caller: Caller) async throws -> Page<Seeker> {
        let viewer = try caller.requirePerson()
        let page = try SeekerPage(query)
        let statement = page.statement(for: viewer, at: clock(), store.people.campuses)
        let found = FoundPage(try await store.database.read(statement).map(FoundSeeker.init), of: page.limit)
        let names = try await store.people.summaries(of: Set(found.shown.map(\.person)), for: viewer)
        return Page(
            items: found.shown.map { Seeker($0.id, of: names[$0.person], $0.seeking) },
            next: found.last?.cursor.text)
    }

    /// Those who seek along the way of a ride that the caller drives, as rides says now. Of others there is no such ride.
    func rideSeekers(_ query: RideSeekersQuery, for caller: Caller) async throws -> Page<SeekerAlong> {
        let driver = try caller.requirePerson()
        let page = try RideSeekersPage(query)
        let ride = Subject(page.ride)
        guard try await store.isDriven(ride, by: driver) else { throw WantedError.rideNotFound }
        let candidates = try await candidates(along: ride, for: driver)
        let own = Dictionary(candidates.map { ($0.search.id, $0) }) { one, _ in one }
        let found = page.cut(try await fits(of: ride, among: candidates).filter { own[$0.id] != nil })
        let people = Set(found.shown.compactMap { own[$0.id]?.search.person })
        let names = try await store.people.summaries(of: people, for: driver)
        let items = found.shown.compactMap { fit in
            own[fit.id].map { one in
                SeekerAlong(
                    Seeker(fit.id, of: names[one.search.person], one.seeking), fit, invitedAt: one.invitedAt)
            }
        }
        return Page(items: items, next: found.last?.cursor.text)
    }

    /// Invites somebody to a ride that the caller drives, once: one whose search finds it now. What is wrong is thrown where it is used: whoever asks for the
    /// same again gets the answer that there was.
    func invite(_ reference: SeekerReference, _ request: RequestContext) async throws {
        let isSought = await isSought(reference, for: try request.caller.requirePerson())
        _ = try await store.command(request) { wanted, driver in
            guard try isSought.get() else { throw WantedError.notFound }
            try await wanted.invite(reference.seeker, to: reference.ride, by: driver)
            return Nothing()
        }
    }

    private func isSought(_ reference: SeekerReference, for driver: PersonID) async -> Result<Bool, any Error> {
        let ride = Subject(reference.ride)
        do {
            guard try await store.isDriven(ride, by: driver) else { throw WantedError.rideNotFound }
            let candidates = try await candidates(along: ride, for: driver, only: reference.seeker)
            return .success(try await !fits(of: ride, among: candidates).isEmpty)
        } catch { return .failure(error) }
    }

    private func candidates(
        along ride: Subject, for driver: PersonID, only search: WantedID? = nil
    ) async throws -> [SeekerCandidate] {
        let statement = SeekerCandidate.statement(
            along: ride, for: driver, only: search, at: clock(), store.people.campuses)
        return try await store.database.read(statement).compactMap { try SeekerCandidate($0) }
    }

    private func fits(of ride: Subject, among candidates: [SeekerCandidate]) async throws -> [SeekerFit] {
        var fits: [SeekerFit] = []
        for part in try SearchJudging.parts(of: candidates.map(\.search)) {
            fits += try await seeking.fits(SearchJudging(of: ride, by: part)).fits
        }
        return fits
    }
}

extension SeekerFit {
    /// What the page after it begins with.
    fileprivate var cursor: DistanceCursor { DistanceCursor(Double(extra), id.uuid) }
}

extension WantedStore {
    /// Whether somebody drives a ride that can be found.
    fileprivate func isDriven(_ ride: Subject, by driver: PersonID) async throws -> Bool {
        try await database.read(
            "SELECT FROM searchables WHERE \(ride.isHere("searchables")) AND owner = \(driver) AND is_there"
        ).isEmpty == false
    }
}
