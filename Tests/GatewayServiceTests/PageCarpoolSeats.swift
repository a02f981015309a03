import FoundationEssentials
import WireProtocol

// Requests for seats, as the rides service shows them to the two and to moderators.
extension PageCarpool {
    func playSeats() {
        let services = door.services
        services.on(RidesMethods.quoteSeat) { request in
            try quote(request.content, of: ride(request.parameters.id, request.caller))
        }
        services.on(RidesMethods.requestSeat) { request in
            let (ride, draft) = (try ride(request.parameters.id, request.caller), request.content)
            let quote = quote(draft, of: ride)
            if quote.free < quote.seats, draft.waitlist != true { throw ServiceError(.soldOut, "There is no room.") }
            let rider = try door.person(try door.summary(of: request.caller).name)
            let state: SeatState =
                draft.waitlist == true ? .waiting : ride.accepts == .everybody ? .accepted : .pending
            var asked = ask(ride, rider, state) { request in
                (request.seats, request.riders, request.message) = (quote.seats, draft.riders ?? [], draft.message)
                (request.boarding, request.leaving) = (quote.boarding, quote.leaving)
                (request.cost, request.detour) = (quote.cost, quote.detour)
                request.role = .rider
                if state == .waiting { request.ahead = 2 }
            }
            if let way = quote.together { asked.together = askBack(way, quote.seats, with: asked, rider, state).id }
            return asked
        }
        services.on(RidesMethods.requests) { request in
            let (query, caller) = (request.parameters, request.caller)
            if query.disputed == true {
                try caller.require(.moderator)
                return Page(items: requests.value.filter { $0.state == .disputed })
            }
            let found = requests.value.compactMap { Self.seen($0, by: caller) }
            return Page(items: found.filter { (query.ride ?? $0.ride.id) == $0.ride.id })
        }
        services.on(RidesMethods.request) { try request($0.parameters.id, $0.caller) }
        services.answer(RidesMethods.contact, SeatContact(phone: "+6591234567"))
        services.on(RidesMethods.actOnRequest) { asked in
            let (reference, draft) = (asked.parameters, asked.content)
            var request = try request(reference.id, asked.caller)
            if let seen = draft.expected, seen != request.state { throw ServiceError(.termsChanged, "Changed.") }
            guard request.possible.contains(reference.act) else { throw ServiceError(.wrongState, "Not now.") }
            let person = try door.summary(of: asked.caller)
            if request.state == .pending, let other = request.together {
                change(other) { $0.take(reference.act, draft, by: person) }
            }
            request.take(reference.act, draft, by: person)
            requests.mutate { [request] in $0 = $0.map { $0.id == request.id ? request : $0 } }
            return request
        }
    }

    /// The other one of two that are asked for at once.
    private func askBack(
        _ way: OtherSeatQuote, _ seats: Int, with first: SeatRequest, _ rider: Person, _ state: SeatState
    ) -> SeatRequest {
        let ride = rides.value.first { $0.id == way.ride.id }!
        let second = ask(ride, rider, state) { request in
            (request.seats, request.boarding, request.leaving) = (seats, way.boarding, way.leaving)
            (request.cost, request.together, request.answerBy) = (way.cost, first.id, first.answerBy)
        }
        change(first.id) { $0.together = second.id }
        return second
    }

    private func quote(_ draft: SeatDraft, of ride: Ride) -> SeatQuote {
        var together: OtherSeatQuote?
        if let way = draft.together, let other = rides.value.first(where: { $0.id == ride.other?.id }) {
            let quote = quote(SeatDraft(seats: draft.seats, from: way.from, to: way.to), of: other)
            together = OtherSeatQuote(
                ride: Self.requested(other), boarding: quote.boarding, leaving: quote.leaving,
                free: other.free.min() ?? 0, detour: quote.detour, cost: quote.cost)
        }
        func point(_ draft: SeatPointDraft?, otherwise number: Int) -> SeatPoint {
            if let name = draft?.name, let position = draft?.position {
                return SeatPoint(
                    name: name, address: draft?.address, position: position, isExact: true, at: 15_000,
                    time: Self.departure + 600)
            }
            let number = draft?.stop ?? number
            return Self.point(ride.stops[number], number)
        }
        let (from, to) = (point(draft.from, otherwise: 0), point(draft.to, otherwise: ride.stops.count - 1))
        let seats = draft.seats ?? 1
        let share = ride.cost.map { $0.amount * (to.at - from.at) / ride.length * seats }
        return SeatQuote(
            boarding: from, leaving: to, seats: seats, free: free.value, detour: from.stop == nil ? 1500 : 0,
            cost: share.map { Money(amount: $0, currency: "EUR") }, waiting: 2, together: together)
    }

    private func request(_ id: SeatRequestID, _ caller: Caller) throws -> SeatRequest {
        guard let found = requests.value.first(where: { $0.id == id }), let request = Self.seen(found, by: caller)
        else { throw ServiceError.notFound("request") }
        return request
    }

    /// As the caller may see it, with what they may do; nil of what is not theirs to see.
    static func seen(_ request: SeatRequest, by caller: Caller) -> SeatRequest? {
        var request = request
        request.role =
            request.driver.id == caller.person ? .driver : request.rider.id == caller.person ? .rider : nil
        let isJudged = caller.roles.contains(.moderator) && request.state == .disputed
        guard request.role != nil || isJudged else { return nil }
        request.possible =
            switch (request.state, request.role) {
            case (.pending, .driver?): [.accept, .reject]
            case (.pending, .rider?), (.waiting, .rider?): [.withdraw]
            case (.waiting, .driver?): [.reject, .approve]
            case (.accepted, .rider?): request.isConfirmed ? [.leave, .reportNoShow] : [.leave, .keep]
            case (.accepted, .driver?): [.remove, .reportNoShow]
            case (.rode, _?), (.noShow, _?): [.dispute]
            case (.disputed, nil): [.settle]
            default: []
            }
        return request
    }
}

extension SeatRequest {
    /// What has been done to it.
    fileprivate mutating func take(_ act: SeatAct, _ draft: SeatActDraft, by person: PersonSummary) {
        switch act {
        case .accept: state = .accepted
        case .reject: state = .rejected
        case .approve: isApproved = true
        case .withdraw: state = .withdrawn
        case .keep: isConfirmed = true
        case .leave: state = .left
        case .remove: state = .removed
        case .reportNoShow: state = .noShow
        case .dispute: state = .disputed
        case .settle: state = .settled
        }
        (changedAt, changedBy, reason) = (Date(), person, draft.reason)
    }
}
