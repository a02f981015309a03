import DurableMessaging
import FoundationEssentials
import Messaging
import People
import WireProtocol

/// What can be asked of rides and seats: load, decide, save with its event.
struct RideUseCases: Sendable {
    let store: RideStore
    let people: PeopleProjection
    let limits: RideLimits
    let finder: RideSearch
    /// Asks auth for somebody's telephone number.
    let askForPhone: @Sendable (PersonID) async throws -> String?
    /// Asks auth whether two people are friends.
    let areFriends: @Sendable (PersonID, PersonID) async throws -> Bool
    /// Asks Places in which region a point is.
    let askForRegion: RideRegionRounds.Ask
    /// Asks Places in which town a point is, or by which.
    let askForTown: @Sendable (Position) async throws -> String?
    /// Ask Places for the legs of a way, and for the ways around a point.
    let askForLegs: AskForLegs
    let askForStreets: StreetsQuestion.Ask
    let clock: @Sendable () -> Date
}

// MARK: Finding

extension RideUseCases {
    func regions(for caller: Caller) async throws -> Page<RegionOfRides> {
        Page(items: try await store.regions(for: caller.person, at: clock()))
    }

    func rides(_ query: RideQuery, for caller: Caller) async throws -> Page<Ride> {
        let page = try RidePage(query)
        let now = clock()
        let found = FoundPage(try await store.rides(page, for: caller.person, at: now), of: page.limit)
        let company = try await company(of: found.shown, for: caller.person)
        return Page(
            items: found.shown.map { company.answer($0, to: caller.person, at: now) },
            next: found.last.map { RidePage.cursor($0.ride).text })
    }

    func search(_ query: RideSearchQuery, for caller: Caller) async throws -> FoundRides {
        let now = clock()
        let page = try RideSearchPage(query, at: now)
        let found = try await finder.found(page, for: caller.person, at: now)
        let (offers, beyond) = (found.offers.shown, found.beyond)
        let company = try await company(of: (offers + beyond).map(\.seen), for: caller.person)
        func answer(_ offer: FoundOffer) -> FoundRide {
            FoundRide(
                offer, as: company.answer(offer.seen, to: caller.person, at: now), seats: page.seats,
                for: caller.person)
        }
        return FoundRides(
            items: offers.map(answer), beyond: beyond.map(answer), next: found.offers.last?.key.text)
    }

    func ride(_ id: RideID, for caller: Caller) async throws -> Ride {
        let isModerator = caller.person != nil && caller.roles.contains(.moderator)
        guard let seen = try await store.ride(id, for: caller.person, isModerator: isModerator) else {
            throw RideError.notFound
        }
        let company = try await company(of: [seen], for: caller.person, isModerator: isModerator)
        return company.answer(seen, to: caller.person, isModerator: isModerator, at: clock())
    }

    func myRides(_ query: MyRidesQuery, for caller: Caller) async throws -> Page<MyRide> {
        let page = try MyRidesPage(query, for: caller)
        let found = FoundPage(try await store.mine(page), of: page.limit)
        return Page(items: try await own(found.shown, of: page.person), next: found.last?.place.text)
    }

    /// Rides that somebody has to do with, as they see them.
    func own(_ rides: [OwnRide], of person: PersonID) async throws -> [MyRide] {
        let now = clock()
        let seats = rides.compactMap(\.seat)
        let company = try await company(of: rides.map(\.seen), seats, for: person)
        let ahead = try await store.ahead(of: seats)
        return rides.map { own in
            MyRide(
                ride: company.answer(own.seen, to: person, at: now),
                request: own.seat.map {
                    SeatRequest(
                        $0, in: own.seen.ride, ahead: ahead[$0.id], for: person, among: company.names, at: now)
                })
        }
    }

    /// - Parameter viewer: for whom those are "Someone" who are apart from them, though both ride along.
    func company(
        of rides: [SeenRide], _ seats: [SeatAgreement] = [], for viewer: PersonID?, isModerator: Bool = false
    ) async throws -> RideCompany {
        let all = Array(Set(rides.map(\.ride.id)))
        async let others = store.others(of: all, for: viewer, isModerator: isModerator)
        // Strangers are not told who rides along.
        let passengers = viewer == nil ? [:] : try await store.passengers(of: all)
        let ids = RideCompany.people(in: rides, passengers).union(seats.flatMap(\.people))
        let names = try await people.summaries(of: ids, for: viewer)
        return RideCompany(names: names, passengers, others: try await others.map(\.ride))
    }
}

// MARK: Driving

extension RideUseCases {
    func quote(_ draft: RideDraft, for caller: Caller) async throws -> RideQuote {
        let person = try caller.requirePerson()
        var quote = try RideQuote(draft, for: person, at: clock(), within: limits)
        let driving = try await store.driving(of: person)
        if !driving.close(to: quote.departsAt).isEmpty { quote.warnings.append(.closeToAnother) }
        if let back = quote.returnRide, !driving.close(to: back.departsAt).isEmpty {
            quote.returnRide?.warnings.append(.closeToAnother)
        }
        return quote
    }

    func post(_ draft: RideDraft, _ request: RequestContext) async throws -> Ride {
        async let streets = legs(of: draft)
        let (regions, legs) = (try await regions(of: draft, for: request.caller), await streets)
        return try await store.command(request) { rides, person in
            let driving = try await rides.driving(of: person)
            var posted = try RideOffers(draft, at: rides.now, within: limits)
                .post(by: person, having: driving.open, at: rides.now, within: limits)
            for index in posted.indices {
                if let other = driving.duplicate(of: posted[index]) { throw RideError.duplicate(other.id) }
                posted[index].way.place(in: regions)
                posted[index].legs = legs[posted[index].way.points]
                try await rides.add(posted[index])
            }
            return try await rides.answer(SeenRide(ride: posted[0]), to: person)
        }
    }

    func change(_ id: RideID, to draft: RideDraft, _ request: RequestContext) async throws -> Ride {
        async let streets = legs(of: draft)
        let (regions, legs) = (try await regions(of: draft, for: request.caller), await streets)
        return try await update(id, request) { ride, person, rides in
            let hasRequests = try await !rides.openSeats(of: id).isEmpty
            let change = try ride.change(draft, hasRequests: hasRequests, at: rides.now, within: limits)
            var after = change.ride
            if after.departsAt != ride.departsAt || after.way != ride.way,
                let other = try await rides.driving(of: person).duplicate(of: after)
            {
                throw RideError.duplicate(other.id)
            }
            after.way.place(in: regions)
            if after.way != ride.way { after.legs = after.legs ?? legs[after.way.points] }
            return try await rides.keep(after, insteadOf: ride, telling: change.told, by: person)
        }
    }

    /// - Parameter removal: where it says so, the other way goes with it, if its driver may still remove that.
    func remove(_ id: RideID, _ removal: RideRemoval, _ request: RequestContext) async throws {
        _ = try await update(id, request) { ride, person, rides in
            var steps = [RideStep(before: ride, after: try ride.remove(removal, at: rides.now))]
            if removal.withOther == true, let other = try await rides.other(of: ride),
                RideRule.allows(.remove, other, at: rides.now)
            {
                steps.append(RideStep(before: other, after: try other.remove(removal, at: rides.now)))
            }
            return try await rides.keep(steps, by: person).first ?? ride
        }
    }

    func depart(_ id: RideID, _ request: RequestContext) async throws -> Ride {
        try await update(id, request) { ride, person, rides in
            try await rides.keep(try ride.depart(at: rides.now), insteadOf: ride, by: person)
        }
    }

    func arrive(_ id: RideID, _ request: RequestContext) async throws -> Ride {
        try await update(id, request) { ride, person, rides in
            try await rides.keep(try ride.arrive(at: rides.now), insteadOf: ride, by: person)
        }
    }

    /// What its driver does to a ride, which is locked.
    private func update(
        _ id: RideID, _ request: RequestContext,
        _ decide: @Sendable @escaping (OfferedRide, PersonID, RideTransaction) async throws -> OfferedRide
    ) async throws -> Ride {
        try await store.command(request) { rides, person in
            var seen = try await rides.ride(id, for: person)
            guard seen.ride.driver == person else { throw RideError.forbidden }
            seen.ride = try await decide(seen.ride, person, rides)
            return try await rides.answer(seen, to: person)
        }
    }
}
