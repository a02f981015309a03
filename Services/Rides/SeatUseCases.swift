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
        let (ride, now) = (seen.ride, clock())
        guard ride.isListed, now < ride.leavesBy else { throw RideError.rideOver([]) }
        let other = draft.together == nil ? nil : try await store.others(of: [id], for: caller.person).first?.ride
        let streets = await streets(to: draft, in: ride, and: other)
        let waiting = try await store.waiting(in: id)
        guard let together = draft.together else {
            return SeatQuote(try SeatWish(draft, in: ride, along: streets), in: ride, waiting: waiting)
        }
        let back = try draft.otherWay(other, at: now)
        let wishes = try SeatWish.both(
            { () throws(RideError) in try SeatWish(draft, in: ride, along: streets) },
            { () throws(RideError) in try SeatWish(draft.onOtherWay(together), in: back, along: streets) })
        return SeatQuote(
            wishes.own, in: ride, waiting: waiting, other: OtherSeatQuote(wishes.other, in: back))
    }

    func requestSeat(_ id: RideID, _ draft: SeatDraft, _ request: RequestContext) async throws -> SeatRequest {
        let (streets, isFriend) = try await asking(others: draft, in: id, for: request.caller)
        // One round trip to know, one to write, one to commit.
        return try await store.command(
            request, asking: { SeatInquiry.questions(id, by: $0, at: $1, people.campuses) }
        ) { rides, person, answers in
            var inquiry = try SeatInquiry(answers, by: person)
            // Who rides along goes on seeing it when the two are apart, and gets no more of it.
            guard inquiry.mayRide || inquiry.seen.ride.driver == person else { throw RideError.rideOver([]) }
            inquiry.seeker.isFriendOfDriver = isFriend
            let asked = try inquiry.ask(draft, along: streets, at: rides.now, within: limits)
            let added = try await rides.add(asked)
            let seat = asked[0].after
            return try await rides.answer(
                LockedSeat(seat: seat, ride: added.rides[seat.ride] ?? asked[0].ride), to: person, among: added.names)
        }
    }

    func act(
        _ id: SeatRequestID, _ act: SeatAct, _ draft: SeatActDraft, _ request: RequestContext
    ) async throws -> SeatRequest {
        let isModerator = request.caller.roles.contains(.moderator)
        return try await store.command(request, on: id) { rides, person in
            let seats = try await rides.seats(id, for: person, isModerator: isModerator)
            guard let party = SeatParty(seats.own.seat.role(of: person), isModerator: isModerator) else {
                throw RideError.notFound
            }
            let changes = try seats.act(act, draft, by: person, as: party, at: rides.now)
            if act == .accept, try await !rides.mayTakeAlong(seats) {
                // Why is the other one's business: they may be in another car at that time.
                throw RideError.wrongState(seats.possible(for: party, at: rides.now).filter { $0 != .accept })
            }
            let after = try await rides.keep(changes)
            let own = LockedSeat(seat: changes[0].after, ride: after[seats.own.ride.id] ?? seats.own.ride)
            let names = try await rides.people(own.seat.people, for: isModerator ? nil : person)
            return try await rides.answer(own, to: person, isModerator: isModerator, among: names)
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

extension RideUseCases {
    /// What Places and auth are asked before anything is locked: streets to points of one's own, and whether the two are friends, where it matters.
    private func asking(
        others draft: SeatDraft, in id: RideID, for caller: Caller
    ) async throws -> (streets: KnownStreets, isFriend: Bool) {
        let person = try caller.requirePerson()
        let nothing = (streets: KnownStreets(), isFriend: false)
        // Most ask from stop to stop, and most rides are not for friends alone: then there is nothing to ask, and no ride to read for it.
        if !draft.hasOwnPoints, try await !store.isForFriends(id) { return nothing }
        guard let ride = try await store.ride(id, for: person)?.ride else { return nothing }
        let other = draft.together == nil ? nil : try await store.others(of: [id], for: person).first?.ride
        async let streets = streets(to: draft, in: ride, and: other)
        let isForFriends = ride.driver != person && (ride.accepts == .friends || other?.accepts == .friends)
        let isFriend = isForFriends ? (try? await areFriends(ride.driver, person)) ?? false : false
        return (await streets, isFriend)
    }

    private func streets(to draft: SeatDraft, in ride: OfferedRide, and other: OfferedRide?) async -> KnownStreets {
        var errors: [FieldError] = []
        var parts = [(ride: ride, part: ride.way.part(from: draft.from, to: draft.to, errors: &errors))]
        if let other, let together = draft.together {
            parts.append((other, other.way.part(from: together.from, to: together.to, errors: &errors)))
        }
        return await streets(for: parts.compactMap { ride, part in part.map { (ride, $0) } })
    }
}

extension RideTransaction {
    /// Whether the driver may give them a seat, and they are in no other car at that time.
    fileprivate func mayTakeAlong(_ seats: JoinedSeats) async throws -> Bool {
        let seat = seats.own.seat
        let may = SeatAgreement.mayRide(seat.rider, with: "\(seat.driver)::uuid", at: now, people.campuses)
        let overlaps = seats.all.map { seat -> SQLQuery in
            let time = seat.seat.inCar(of: seat.ride)
            return SeatAgreement.overlaps(
                of: "\(seat.seat.rider)", from: "\(time.lowerBound)", until: "\(time.upperBound)",
                besides: "\(seat.ride.id)")
        }
        let answers = try await transaction.pipeline(["SELECT \(may) AS may"] + overlaps)
        let own = seats.all.map(\.ride.id)
        let others = try answers.dropFirst().joined().filter { try !own.contains($0.get("ride")) }
        return try answers[0][0].get("may", as: Bool?.self) ?? false && others.isEmpty
    }

    /// A request as somebody sees it who has just done something to it.
    fileprivate func answer(
        _ own: LockedSeat, to person: PersonID, isModerator: Bool = false, among names: KnownPeople
    ) async throws -> SeatRequest {
        let waits = own.seat.state == .waiting
        let places = waits ? try await transaction.query(SeatAgreement.places(of: [own.seat.id])) : nil
        return SeatRequest(
            own.seat, in: own.ride, ahead: try places?.first?.get("ahead"), for: person, isModerator: isModerator,
            among: names, at: now)
    }
}

extension SeatDraft {
    /// Whether somebody gets in or out where the ride does not stop.
    fileprivate var hasOwnPoints: Bool {
        [from, to, together?.from, together?.to].contains { $0?.position != nil }
    }
}
