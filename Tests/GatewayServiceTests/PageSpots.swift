import GatewayService
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Listings in memory: the same refusals, none of the storage.
extension PageCall {
    func spots(_ state: PageBackend.State) throws -> Page<Spot> {
        let query = try WireJSON.decode(SpotQuery.self, from: parameters)
        let me = query.of == nil ? caller.person : try caller.requirePerson()
        let found = state.spots.filter { spot in
            if query.of == .posted { return spot.postedBy.id == me }
            if query.of == .claimed { return spot.claim?.by.id == me }
            guard spot.state == .free else { return false }
            if let person = query.by { return spot.postedBy.id == person }
            return query.bbox.map { $0.contains(spot.position) } ?? true
        }
        let start = query.cursor.flatMap { Int($0) } ?? 0
        let limit = query.limit ?? 20
        let items = found.sorted { $0.postedAt > $1.postedAt }.dropFirst(start).prefix(limit)
        let next = start + limit < found.count ? String(start + limit) : nil
        return Page(items: items.map { seen($0, by: me) }, next: next)
    }

    /// As the caller may see it.
    private func seen(_ spot: Spot, by me: PersonID?) -> Spot {
        var spot = spot
        spot.age = Int(Date().timeIntervalSince(spot.postedAt))
        spot.mine = spot.postedBy.id == me
        if var claim = spot.claim {
            claim.mine = claim.by.id == me
            spot.claim = claim.mine || spot.mine ? claim : nil
        }
        return spot
    }

    func spot(_ state: PageBackend.State) throws -> Spot {
        let id = try WireJSON.decode(SpotReference.self, from: parameters).id
        guard let spot = state.spots.first(where: { $0.id == id }) else { throw ServiceError.notFound("spot") }
        return seen(spot, by: caller.person)
    }

    func change(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        let me = try caller.requirePerson()
        let person = state.people[me]
        let by = PersonSummary(
            id: me, name: person?.name ?? "Someone", photo: person?.photo, campus: person?.campus)
        if method == "listings.postSpot" {
            let draft = try WireJSON.decode(SpotDraft.self, from: body)
            let spot = try posted(draft, by: by)
            state.spots.append(spot)
            return (try WireJSON.encode(seen(spot, by: me)), [(SpotAdded(spot: shown(spot)), spot.position)])
        }
        let id = try WireJSON.decode(SpotReference.self, from: parameters).id
        guard let index = state.spots.firstIndex(where: { $0.id == id }) else { throw ServiceError.notFound("spot") }
        var spot = state.spots[index]
        var events: [(any Event, Position)] = []
        switch method {
        case "listings.claimSpot":
            guard spot.state == .free else { throw ServiceError(.alreadyClaimed, "Someone was faster.") }
            let expected = try WireJSON.decode(SpotClaiming.self, from: parameters).expectedPrice
            let costs = spot.price?.amount ?? 0
            guard costs == expected ?? costs else { throw ServiceError(.termsChanged, "It costs something else.") }
            spot.state = .claimed
            spot.claim = SpotClaim(by: by, at: Date(), mine: true)
            events = [(SpotClaimed(id: id, position: spot.position), spot.position)]
        case "listings.releaseSpot":
            spot.state = .free
            spot.claim = nil
            events = [(SpotAdded(spot: shown(spot)), spot.position)]
        case "listings.removeSpot":
            guard spot.postedBy.id == me else { throw ServiceError(.forbidden, "Not yours.") }
            spot.state = .removed
            events = [(SpotRemoved(id: id, position: spot.position, reason: .removed), spot.position)]
        case "listings.changeSpot":
            let draft = try WireJSON.decode(SpotDraft.self, from: body)
            spot.version = try PageBackend.version(after: spot.version, seen: draft.version)
            (spot.name, spot.price, spot.photo) = (draft.name, draft.price, draft.photo)
            (spot.position, spot.kind) = (draft.position, draft.kind ?? .street)
            spot.expiresAt = try expiry(of: draft) ?? spot.expiresAt
            events = [(SpotChanged(spot: shown(spot)), spot.position)]
        case "listings.observeSpot":
            let there = try WireJSON.decode(SpotObservation.self, from: body).state == .there
            if there { spot.observations.there += 1 } else { spot.observations.gone += 1 }
            spot.likelyGone = spot.observations.gone > spot.observations.there
            if spot.likelyGone, spot.observations.gone >= 2 { spot.state = .expired }
        default: throw ServiceError.notFound("method")
        }
        state.spots[index] = spot
        return (try WireJSON.encode(seen(spot, by: me)), events)
    }

    private func posted(_ draft: SpotDraft, by: PersonSummary) throws -> Spot {
        let now = Date()
        let expires = try expiry(of: draft) ?? now.addingTimeInterval(1800)
        return Spot(
            id: .new(), name: draft.name, position: draft.position, kind: draft.kind ?? .street, state: .free,
            photo: draft.photo, price: draft.price, postedBy: by, postedAt: now, expiresAt: expires, age: 0,
            distance: nil, directions: "geo:\(draft.position.latitude),\(draft.position.longitude)",
            observations: ObservationCount(there: 0, gone: 0), likelyGone: false, mine: true, claim: nil)
    }

    private func expiry(of draft: SpotDraft) throws -> Date? {
        switch draft.lifetime {
        case .minutes(let minutes) where minutes > 30:
            throw ServiceError.invalid([FieldError("lifetime", "too_late", "At most 30 minutes.")])
        case .minutes(let minutes): Date(timeIntervalSinceNow: Double(minutes) * 60)
        case .longest: Date(timeIntervalSinceNow: 1800)
        case nil: draft.expiresAt
        }
    }

    private func shown(_ spot: Spot) -> PublicSpot {
        PublicSpot(
            id: spot.id, name: spot.name, position: spot.position, kind: spot.kind, photo: spot.photo,
            price: spot.price, postedBy: spot.postedBy, postedAt: spot.postedAt, expiresAt: spot.expiresAt,
            likelyGone: spot.likelyGone)
    }
}
