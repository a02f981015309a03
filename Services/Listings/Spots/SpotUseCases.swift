import FoundationEssentials
import Messaging
import People
import WireProtocol

/// What can be asked of spots: load, decide, save with its event.
struct SpotUseCases: Sendable {
    let store: SpotStore
    let people: PeopleProjection
    let limits: SpotLimits
    let clock: @Sendable () -> Date

    // MARK: Queries

    func spot(_ id: SpotID, for caller: Caller) async throws -> Spot {
        let now = clock()
        guard let spot = try await store.spot(id, for: viewer(caller, at: now)),
            spot.isVisible(to: caller.person)
        else { throw SpotError.notFound }
        // Only of a claim that runs may the two be apart.
        let names = try await people.summaries(of: spot.people, for: spot.claimer == nil ? nil : caller.person)
        return Spot(spot, for: caller.person, among: names, at: now, isModerator: caller.roles.contains(.moderator))
    }

    /// What there is to be judged by moderators, as the one sees it who reports it.
    func subject(_ query: SubjectQuery) async throws -> SubjectSnapshot {
        let looks = query.viewer.map { viewer($0, at: clock()) } ?? .everything
        guard let id = query.subject.id(of: Spot.self), let spot = try await store.spot(id, for: looks),
            query.viewer == nil || spot.isVisible(to: query.viewer)
        else { throw SpotError.notFound }
        return SubjectSnapshot(spot)
    }

    func spots(_ query: SpotQuery, for caller: Caller) async throws -> Page<Spot> {
        let now = clock()
        let page = try SpotPage(query, for: caller, at: now, within: limits)
        let found = FoundPage(try await store.spots(page, for: caller.person, at: now), of: page.limit)
        let names = try await people.summaries(
            of: Set(found.shown.flatMap(\.spot.people)), for: page.selection.isOnesOwn ? caller.person : nil)
        return Page(
            items: found.shown.map { Spot($0, for: caller.person, among: names, at: now) },
            next: found.last.map { SpotCursor($0).text })
    }

    func photosInUse(_ asked: PhotoUse) async throws -> PhotoUse {
        PhotoUse(photos: try await store.photos(among: Array(asked.photos.prefix(PhotoUse.largest))))
    }

    // MARK: Commands

    func post(_ draft: SpotDraft, _ request: RequestContext) async throws -> Spot {
        try await command(request) { spots, person, held in
            let decision = try ParkingSpot.post(
                .new(at: spots.now), draft, by: person, having: held.free, at: spots.now, within: limits)
            try await spots.add(decision)
            return decision.spot
        }
    }

    func change(_ id: SpotID, to draft: SpotDraft, _ request: RequestContext) async throws -> Spot {
        try await command(request) { spots, person, _ in
            try await spots.update(id, for: viewer(person, at: spots.now)) { spot throws(SpotError) in
                try spot.change(to: draft, by: person, at: spots.now, within: limits)
            }
        }
    }

    func remove(_ id: SpotID, _ request: RequestContext) async throws {
        _ = try await command(request) { spots, person, _ in
            try await spots.update(id, for: viewer(person, at: spots.now)) { spot throws(SpotError) in
                try spot.remove(by: person, at: spots.now)
            }
        }
    }

    /// - Parameter price: what the person was shown that it costs; nil where they were shown nothing.
    func claim(_ id: SpotID, expecting price: Int? = nil, _ request: RequestContext) async throws -> Spot {
        try await command(request) { spots, person, held in
            let decide = { @Sendable in
                guard let spot = try await spots.spot(id, for: viewer(person, at: spots.now)) else {
                    throw SpotError.notFound
                }
                return try spot.claim(
                    by: person, holding: held.claims, expecting: price, at: spots.now, within: limits)
            }
            let decision = try await decide()
            if decision.events.isEmpty { return decision.spot }
            if let claimed = try await spots.claim(decision, for: price) { return claimed }
            _ = try await decide()  // throws why not, now that somebody was faster, or it costs something else
            throw SpotError.alreadyClaimed
        }
    }

    func release(_ id: SpotID, _ request: RequestContext) async throws -> Spot {
        try await command(request) { spots, person, _ in
            try await spots.update(id, for: viewer(person, at: spots.now)) { spot throws(SpotError) in
                try spot.release(by: person, at: spots.now)
            }
        }
    }

    func observe(_ id: SpotID, _ seen: ObservedState, _ request: RequestContext) async throws -> Spot {
        try await command(request) { spots, person, _ in
            try await spots.observe(id, seen, by: person, for: viewer(person, at: spots.now)) {
                spot, before throws(SpotError) in
                try spot.observe(seen, by: person, before: before, at: spots.now, within: limits)
            }
        }
    }

    /// What all commands share: a person who may do something (`PeopleProjection.command`), and the spot as that person may see it.
    private func command(
        _ request: RequestContext,
        _ body: @Sendable @escaping (SpotTransaction, PersonID, SpotHoldings) async throws -> ParkingSpot
    ) async throws -> Spot {
        try await store.command(request, within: limits) { spots, person, held in
            let spot = try await body(spots, person, held)
            // Of a spot that one holds, or held until now, the poster may be apart from oneself.
            let names = try await spots.people(spot.people, for: spot.people == [person] ? nil : person)
            return Spot(spot, for: person, among: names, at: spots.now)
        }
    }

    private func viewer(_ person: PersonID?, at now: Date) -> SpotViewer {
        SpotViewer(person: person, claimsSince: now - limits.claimLifetime)
    }

    /// Moderators look at what is hidden too; what they do there, they do as everybody.
    private func viewer(_ caller: Caller, at now: Date) -> SpotViewer {
        var looks = viewer(caller.person, at: now)
        looks.seesHidden = caller.person != nil && caller.roles.contains(.moderator)
        return looks
    }
}
