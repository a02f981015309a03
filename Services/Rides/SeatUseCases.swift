import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import WireProtocol

// What can be asked of seats.

extension RideUseCases {
    func quoteSeat(_ id: RideID, _ draft: SeatDraft, for caller: Caller) async throws -> SeatQuote {
        guard let seen = try await store.ride(id, for: caller.person) else { throw RideError.notFound }
        guard seen.ride.isListed, clock() < seen.ride.leavesBy else { throw RideError.rideOver([]) }
        let wish = try SeatWish(draft, in: seen.ride)
        return SeatQuote(wish, in: seen.ride, waiting: try await store.waiting(in: id))
    }

    func requestSeat(_ id: RideID, _ draft: SeatDraft, _ request: RequestContext) async throws -> SeatRequest {
        try await store.command(request) { rides, person in
            let seen = try await rides.ride(id, for: person)
            // Who rides along goes on seeing it when the two are apart, and gets no more of it.
            if seen.ride.driver != person, try await !rides.mayRide(person, with: seen.ride.driver) {
                throw RideError.rideOver([])
            }
            let isVerified = try await rides.people([person], for: nil)[person].campus != nil
            let decision = try SeatAgreement.ask(
                .new(at: rides.now), in: seen.ride, draft, by: person, isVerified: isVerified,
                waiting: try await rides.openRequests(of: person), own: seen.request, at: rides.now, within: limits)
            let time = decision.agreement.inCar(of: seen.ride)
            if let other = try await rides.overlap(of: person, at: time, besides: id) {
                throw RideError.overlaps(other)
            }
            let ride = try await rides.add(decision, in: seen.ride)
            return try await rides.answer(decision.agreement, in: ride, to: person)
        }
    }

    func act(
        _ id: SeatRequestID, _ act: SeatAct, _ draft: SeatActDraft, _ request: RequestContext
    ) async throws -> SeatRequest {
        let isModerator = request.caller.roles.contains(.moderator)
        return try await store.command(request, on: id) { rides, person in
            let (before, ride) = try await rides.seat(id, for: person, isModerator: isModerator)
            guard let party = SeatParty(before.role(of: person), isModerator: isModerator) else {
                throw RideError.notFound
            }
            let decision = try before.act(act, draft, by: person, as: party, in: ride, at: rides.now)
            if act == .accept, try await !rides.mayTakeAlong(before, in: ride) {
                // Why is the other one's business: they may be in another car at that time.
                let possible = before.possible(for: party, in: ride, at: rides.now)
                throw RideError.wrongState(possible.filter { $0 != .accept })
            }
            let after = try await rides.keep(decision, insteadOf: before, in: ride)
            return try await rides.answer(decision.agreement, in: after, to: person, isModerator: isModerator)
        }
    }

    func request(_ id: SeatRequestID, for caller: Caller) async throws -> SeatRequest {
        let person = try caller.requirePerson()
        let isModerator = caller.roles.contains(.moderator)
        guard let seat = try await store.seat(id, for: person, isModerator: isModerator),
            let answer = try await answers([seat], to: person, isModerator: isModerator).first
        else { throw RideError.notFound }
        return answer
    }

    func requests(_ query: SeatRequestQuery, for caller: Caller) async throws -> Page<SeatRequest> {
        let page = try SeatPage(query, for: caller)
        let person = try caller.requirePerson()
        let found = FoundPage(try await store.seats(page), of: page.limit)
        let isModerator = caller.roles.contains(.moderator)
        return Page(
            items: try await answers(found.shown, to: person, isModerator: isModerator),
            next: found.last?.id.description)
    }

    /// The other one's telephone number, from the acceptance until a day after the arrival. The two may be apart since: then none is told, as if
    /// none were given.
    func contact(_ id: SeatRequestID, for caller: Caller) async throws -> SeatContact {
        let person = try caller.requirePerson()
        guard let seat = try await store.seat(id, for: person, isModerator: false),
            let role = seat.role(of: person), let ride = try await store.rides(of: [seat])[seat.ride]
        else { throw RideError.notFound }
        let now = clock()
        guard seat.mayCall(in: ride, at: now) else {
            throw RideError.wrongState(
                seat.possible(for: SeatParty(role, isModerator: false), in: ride, at: now))
        }
        let other = role == .driver ? seat.rider : seat.driver
        guard other != .nobody, try await store.areTogether(person, other) else { return SeatContact(phone: nil) }
        return SeatContact(phone: try await askForPhone(other))
    }

    /// The two may be apart since; moderators are told who they are.
    func answers(
        _ seats: [SeatAgreement], to person: PersonID, isModerator: Bool
    ) async throws -> [SeatRequest] {
        let now = clock()
        let rides = try await store.rides(of: seats)
        let ahead = try await store.ahead(of: seats)
        let names = try await people.summaries(
            of: Set(seats.flatMap(\.people)), for: isModerator ? nil : person)
        return seats.compactMap { seat in
            rides[seat.ride].map { ride in
                SeatRequest(
                    seat, in: ride, ahead: ahead[seat.id], for: person, isModerator: isModerator, among: names, at: now)
            }
        }
    }
}

extension RideTransaction {
    /// Whether a driver may give somebody a seat: neither has blocked the other, they are of one campus where campuses are apart, and neither is
    /// suspended.
    func mayRide(_ rider: PersonID, with driver: PersonID) async throws -> Bool {
        let sameCampus = people.campuses.condition("\(driver)::uuid", isTogetherWith: rider)
        let suspended: SQLQuery = """
            (\(SuspensionProjection.isSuspended("\(driver)", at: now)) OR \(SuspensionProjection.isSuspended("\(rider)", at: now)))
            """
        return try await transaction.query(
            """
            SELECT (\(BlockProjection.isTogetherHere("\(driver)", with: rider)) \(sameCampus) AND NOT \(suspended)) AS may
            """)[0].get("may")
    }

    /// The same, and who asked is in no other car at that time.
    fileprivate func mayTakeAlong(_ seat: SeatAgreement, in ride: OfferedRide) async throws -> Bool {
        guard try await mayRide(seat.rider, with: seat.driver) else { return false }
        return try await overlap(of: seat.rider, at: seat.inCar(of: ride), besides: ride.id) == nil
    }

    /// A request as somebody sees it who has just done something to it.
    fileprivate func answer(
        _ seat: SeatAgreement, in ride: OfferedRide, to person: PersonID, isModerator: Bool = false
    ) async throws -> SeatRequest {
        let names = try await people(seat.people, for: isModerator ? nil : person)
        let places = try await transaction.query(SeatAgreement.places(of: seat.state == .waiting ? [seat.id] : []))
        return SeatRequest(
            seat, in: ride, ahead: try places.first?.get("ahead"), for: person, isModerator: isModerator,
            among: names, at: now)
    }
}
