import FoundationEssentials
import WireProtocol

// The spots that there are, as listings shows them to whoever asks. What is shared is there; what else becomes of a spot is what a test says.
extension PageDoor {
    func spots() -> [Spot] { shared.value }

    /// From now on somebody has claimed the first spot that there is.
    func claimed(by name: String) throws {
        let claim = SpotClaim(by: try person(name).summary, at: Date(), mine: false)
        shared.mutate { ($0[0].state, $0[0].claim) = (.claimed, claim) }
    }

    func showSpots() {
        services.on(ListingsMethods.spots) { try page(of: $0.parameters, for: $0.caller) }
        services.on(ListingsMethods.spot) { try spot($0.parameters.id, $0.caller) }
        services.on(ListingsMethods.postSpot) { request in
            let by = try summary(of: request.caller)
            let spot = Spot(request.content, by: by)
            shared.mutate { $0.append(spot) }
            return Self.seen(spot, by: request.caller)
        }
        services.on(ListingsMethods.claimSpot) { try spot($0.parameters.id, $0.caller) }
        services.on(ListingsMethods.changeSpot) { try spot($0.parameters.id, $0.caller) }
        services.on(ListingsMethods.observeSpot) { try spot($0.parameters.id, $0.caller) }
        services.on(ListingsMethods.releaseSpot) { try spot($0.parameters.id, $0.caller) }
        services.answer(ListingsMethods.removeSpot, Nothing())
    }

    /// A page of those that the caller asks for.
    func page(of query: SpotQuery, for caller: Caller) throws -> Page<Spot> {
        if query.of != nil { _ = try caller.requirePerson() }
        let found = spots().filter { Self.finds($0, query, caller) }.sorted { $0.postedAt > $1.postedAt }
        return Page(found.map { Self.seen($0, by: caller) }, from: query.cursor, size: query.limit ?? 20)
    }

    private static func finds(_ spot: Spot, _ query: SpotQuery, _ caller: Caller) -> Bool {
        switch query.of {
        case .posted?: return spot.postedBy.id == caller.person
        case .claimed?: return spot.claim?.by.id == caller.person
        case nil: break
        }
        guard spot.state == .free else { return false }
        if let person = query.by { return spot.postedBy.id == person }
        return query.bbox?.contains(spot.position) ?? true
    }

    private func spot(_ id: SpotID, _ caller: Caller) throws -> Spot {
        guard let spot = spots().first(where: { $0.id == id }) else { throw ServiceError.notFound("spot") }
        return Self.seen(spot, by: caller)
    }

    /// As the caller may see it.
    private static func seen(_ spot: Spot, by caller: Caller) -> Spot {
        var spot = spot
        spot.age = Int(Date().timeIntervalSince(spot.postedAt))
        spot.mine = spot.postedBy.id == caller.person
        if var claim = spot.claim {
            claim.mine = claim.by.id == caller.person
            spot.claim = claim.mine || spot.mine ? claim : nil
        }
        return spot
    }
}

extension Spot {
    /// A free one, as somebody has described it.
    fileprivate init(_ draft: SpotDraft, by person: PersonSummary) {
        self.init(
            id: .new(), name: draft.name, position: draft.position, kind: draft.kind ?? .street, state: .free,
            photo: draft.photo, price: draft.price, postedBy: person, postedAt: Date(),
            expiresAt: Date(timeIntervalSinceNow: 1800), age: 0, distance: nil,
            directions: "geo:\(draft.position.latitude),\(draft.position.longitude)",
            observations: ObservationCount(there: 0, gone: 0), likelyGone: false, mine: true, claim: nil)
    }
}
