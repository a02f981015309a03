import FoundationEssentials
import WireProtocol

@testable import GatewayService

/// What people bring each other, as the matching service shows it to whoever asks. What is offered and done is so from then on; refusals are what a test says.
struct PageMatches: Sendable {
    let door: PageDoor
    let matches = Mutable<[DeliveryMatch]>([])
    /// What is offered by whoever asks.
    let own = Mutable<Availability?>(nil)
    /// Where the deliverer is; nil where they do not show it.
    let position = Mutable<MatchPosition?>(nil)

    init(at door: PageDoor) {
        self.door = door
        door.knowPlaces()
        playAvailability()
        playMatches()
    }

    /// An order of the one that is offered to the other.
    @discardableResult
    func offer(
        from orderer: Person, to deliverer: Person, _ state: MatchState = .offered,
        _ change: (inout DeliveryMatch) -> Void = { _ in }
    ) -> DeliveryMatch {
        let match = DeliveryMatch.sample(by: orderer.summary, to: deliverer.summary, state, change)
        matches.mutate { $0.append(match) }
        return match
    }

    func change(_ id: MatchID, _ change: (inout DeliveryMatch) -> Void) {
        matches.mutate { all in
            for index in all.indices where all[index].id == id { change(&all[index]) }
        }
    }

    private func playAvailability() {
        let services = door.services
        services.on(MatchingMethods.availability) { _ in OwnAvailability(availability: own.value) }
        services.on(MatchingMethods.offerDelivery) { request in
            var offered = own.value ?? .sample()
            offered.capacity = request.content.capacity ?? offered.capacity
            if let minutes = request.content.minutes { offered.until = Date() + Double(minutes) * 60 }
            own.mutate { [offered] in $0 = offered }
            return offered
        }
        services.on(MatchingMethods.resumeDelivery) { _ in
            own.mutate { $0?.state = .available }
            return own.value!
        }
        services.on(MatchingMethods.endDelivery) { _ in
            own.mutate { $0 = nil }
            return Nothing()
        }
    }

    private func playMatches() {
        let services = door.services
        services.on(MatchingMethods.match) { try match($0.parameters.id, $0.caller) }
        services.on(MatchingMethods.matches) { request in
            let (query, caller) = (request.parameters, request.caller)
            if query.disputed == true {
                try caller.require(.moderator)
                return Page(items: matches.value.filter { $0.state == .disputed })
            }
            let seen = matches.value.compactMap { Self.seen($0, by: caller) }
            return Page(items: seen.filter { (query.isOver ?? $0.state.isOver) == $0.state.isOver })
        }
        services.answer(MatchingMethods.contact, MatchContact(phone: "+6591234567"))
        services.on(MatchingMethods.position) { _ in
            guard let found = position.value else { throw ServiceError.notFound("position") }
            return found
        }
        services.on(MatchingMethods.hidePosition) { request in
            change(request.parameters.id) { $0.isShared = false }
            return Nothing()
        }
        services.on(MatchingMethods.actOnMatch) { asked in
            let (reference, draft) = (asked.parameters, asked.content)
            var match = try match(reference.id, asked.caller)
            if let seen = draft.expected?.state, seen != match.state { throw ServiceError(.termsChanged, "Changed.") }
            guard match.possible.contains(reference.act) else { throw ServiceError(.wrongState, "Not now.") }
            match.take(reference.act, draft, by: try door.summary(of: asked.caller))
            change(reference.id) { [match] in $0 = match }
            return match
        }
    }

    private func match(_ id: MatchID, _ caller: Caller) throws -> DeliveryMatch {
        guard let found = matches.value.first(where: { $0.id == id }), let match = Self.seen(found, by: caller) else {
            throw ServiceError.notFound("delivery")
        }
        return match
    }

    /// As the caller may see it, with what they may do; nil of what is not theirs to see.
    private static func seen(_ match: DeliveryMatch, by caller: Caller) -> DeliveryMatch? {
        var match = match
        let isOrderer = match.orderer.id == caller.person
        match.role = isOrderer ? .orderer : match.deliverer.id == caller.person ? .deliverer : nil
        let isJudged = caller.roles.contains(.moderator) && match.state == .disputed
        guard match.role != nil || isJudged else { return nil }
        if match.role != .orderer { match.code = nil }
        if match.role == nil { (match.door, match.pickUpCode) = (nil, nil) }
        match.possible = possible(match.state, match.role)
        return match
    }

    private static func possible(_ state: MatchState, _ role: MatchRole?) -> [MatchAct] {
        switch (state, role) {
        case (.offered, .deliverer?): [.accept, .decline]
        case (.accepted, .deliverer?): [.cancel, .pickUp, .giveUp, .postpone]
        case (.accepted, .orderer?): [.cancel, .raiseLimit]
        case (.pickedUp, .deliverer?): [.complete, .giveUp, .postpone, .reportNoShow, .dispute]
        case (.pickedUp, .orderer?): [.complete, .reportNoShow, .dispute]
        case (.delivered, .orderer?), (.received, .deliverer?): [.complete, .dispute]
        case (.delivered, .deliverer?), (.received, .orderer?): [.undo, .dispute]
        case (.completed, .orderer?): [.tip, .dispute]
        case (.noShow, _?): [.dispute]
        case (.disputed, _?): [.explain]
        case (.disputed, nil): [.settle]
        default: []
        }
    }
}

extension DeliveryMatch {
    fileprivate mutating func take(_ act: MatchAct, _ draft: MatchActDraft, by person: PersonSummary) {
        state =
            switch act {
            case .accept: .accepted
            case .decline: .declined
            case .cancel: .cancelled
            case .pickUp: .pickedUp
            case .giveUp: .givenUp
            case .complete:
                state == .pickedUp && draft.code == nil ? (role == .orderer ? .received : .delivered) : .completed
            case .undo: .pickedUp
            case .reportNoShow: .noShow
            case .dispute: .disputed
            case .settle: .settled
            case .postpone, .explain, .tip, .raiseLimit: state
            }
        (changedBy, reason, changedAt) = (person, draft.reason, Date())
        if act == .dispute || act == .explain, let reason {
            statements.append(MatchStatement(by: person, text: reason, at: Date()))
        }
        if act == .pickUp { (spent, receipt, owed) = (draft.spent, draft.receipt, draft.spent) }
        if act == .tip { tip = draft.amount }
    }
}

extension DeliveryPlace {
    static let ursula = DeliveryPlace(
        place: PlaceID("00000000-0000-8000-8000-000000000004")!, name: "Cafe <b>\"Ursula\"</b>", address: "Kai 1",
        position: Position(latitude: 60.1720, longitude: 24.9510))
    static let exactum = DeliveryPlace(
        name: "Exactum", address: "Hill 2", position: Position(latitude: 60.1731, longitude: 24.9520))
    static let physicum = DeliveryPlace(name: "Physicum", position: Position(latitude: 60.1740, longitude: 24.9530))
}

extension Availability {
    static func sample(_ change: (inout Availability) -> Void = { _ in }) -> Availability {
        var availability = Availability(
            id: .new(), state: .available, restaurant: .ursula, dropOff: .physicum, capacity: 2, taken: 0, detour: 150,
            until: Date() + 1800, leastFee: Money(amount: 150, currency: "EUR"), isListed: true)
        change(&availability)
        return availability
    }
}

extension DeliveryMatch {
    static func sample(
        by orderer: PersonSummary, to deliverer: PersonSummary, _ state: MatchState = .offered,
        _ change: (inout DeliveryMatch) -> Void = { _ in }
    ) -> DeliveryMatch {
        let now = Date()
        var match = DeliveryMatch(
            id: .new(), order: .new(), state: state, orderer: orderer, deliverer: deliverer, restaurant: .ursula,
            items: "Two soups <b>", dropOff: .exactum, destination: .physicum,
            terms: OrderTerms(
                fee: Money(amount: 200, currency: "EUR"), limit: Money(amount: 1200, currency: "EUR"), paidBy: .cash),
            detour: 140, detourSeconds: 110, offeredAt: now - 10, changedAt: now - 10)
        if state == .offered { match.expiresAt = now + 50 }
        if state != .offered { match.expectedAt = now + 900 }
        change(&match)
        return match
    }
}
