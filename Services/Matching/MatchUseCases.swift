import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import WireProtocol

// What the two of a match do, and moderators.

extension DeliveryUseCases {
    func actOnMatch(
        _ reference: MatchActReference, _ draft: MatchActDraft, _ request: RequestContext
    ) async throws -> DeliveryMatch {
        do {
            let after = try await act(reference, draft, request)
            if reference.act == .accept { await learnWays(amongDropsOf: after) }
            return after
        } catch let error as DeliveryError where error == .wrongCode {
            // What was refused is undone, so it is counted by itself.
            try await store.noteWrongCode(of: reference.id)
            throw error
        }
    }

    private func act(
        _ reference: MatchActReference, _ draft: MatchActDraft, _ request: RequestContext
    ) async throws -> DeliveryMatch {
        let isModerator = request.caller.roles.contains(.moderator)
        return try await store.command(request) { deliveries, person in
            let held = try await deliveries.matchAsItIs(reference.id, for: person, isModerator: isModerator)
            guard let party = MatchParty(held.match.role(of: person), isModerator: isModerator) else {
                throw DeliveryError.matchNotFound
            }
            let decision = try held.match.act(
                reference.act, draft, by: person, as: party, at: deliveries.now, within: limits)
            if reference.act == .accept { try await deliveries.requireTogether(held.match) }
            let after = try await deliveries.keep(decision, of: held)
            let names = try await deliveries.people(after.match.people, for: isModerator ? nil : person)
            return DeliveryMatch(
                after.match, of: after.order, for: person, isModerator: isModerator, among: names, at: deliveries.now)
        }
    }
}

extension DeliveryUseCases {
    /// In which order drop-offs are best gone to depends on the ways between them, which nobody has asked for yet. What is not known is guessed.
    private func learnWays(amongDropsOf match: DeliveryMatch) async {
        guard let availability = try? await store.availability(of: match.deliverer.id), availability.taken > 1,
            let carried = try? await store.held(by: availability.id).filter(\.isUnderWay), carried.count > 1,
            case let places = HeldDeliveries.places(carried, of: availability),
            let unknown = try? await store.ways(among: places).unknown(among: places)
        else { return }
        try? await store.transaction { try await $0.ask(unknown, in: DeliveryArea.of(match.restaurant.position)) }
    }
}

extension DeliveryStore {
    fileprivate func noteWrongCode(of match: MatchID) async throws {
        _ = try await database.query("UPDATE matches SET wrong_codes = wrong_codes + 1 WHERE id = \(match)")
    }
}

extension MatchAgreement {
    /// Whether somebody is told of it: the two are, and moderators of what is or was disputed.
    func isSeen(by person: PersonID, isModerator: Bool) -> Bool {
        role(of: person) != nil || isModerator && (state == .disputed || state == .settled)
    }
}

extension DeliveryTransaction {
    /// Locked, as it is by now: what time has done to it is done.
    /// - Throws: `DeliveryError.matchNotFound`.
    fileprivate func matchAsItIs(
        _ id: MatchID, for person: PersonID, isModerator: Bool
    ) async throws -> LockedMatch {
        guard let held = try await locked([id]).first, held.match.isSeen(by: person, isModerator: isModerator) else {
            throw DeliveryError.matchNotFound
        }
        guard let passed = held.match.pass(at: now) else { return held }
        return try await keep(passed, of: held)
    }

    /// Who is apart by now, or suspended, begins nothing with the other: the offer is not there any more.
    fileprivate func requireTogether(_ match: MatchAgreement) async throws {
        guard match.state == .offered else { return }
        guard try await mayMeet(match.deliverer, match.orderer) else { throw DeliveryError.offerGone(.ended) }
    }
}
