import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import TestKit
import WireProtocol

@testable import MatchingService

// What the tests of rounds and of lists ask besides.

extension Deliveries {
    var matching: MatchRounds { MatchRounds(store: store, limits: useCases.limits, logger: .quiet) }
    var times: DeliveryRounds { DeliveryRounds(store: store, logger: .quiet) }

    /// Maya is at Unicafe, goes to Exactum and has one hand, unless it is said otherwise.
    @discardableResult
    func bringing(
        by person: PersonID = maya, _ change: (inout AvailabilityDraft) -> Void = { _ in }
    ) async throws -> Availability {
        var draft = Example.offerDraft
        change(&draft)
        return try await useCases.offerDelivery(draft, .from(person))
    }

    /// Tom would like soup from Unicafe at Exactum, unless it is said otherwise.
    @discardableResult
    func ordering(
        by person: PersonID = tom, _ change: (inout OrderDraft) -> Void = { _ in }
    ) async throws -> DeliveryOrder {
        try await useCases.placeOrder(Example.orderDraft(change), .from(person))
    }

    @discardableResult
    func act(
        _ act: MatchAct, on match: MatchID, by person: PersonID, _ draft: MatchActDraft = MatchActDraft()
    ) async throws -> DeliveryMatch {
        try await useCases.actOnMatch(MatchActReference(id: match, act: act), draft, .from(person))
    }

    /// Everything that is possible by now.
    func decide() async throws {
        while try await matching.round() {}
    }

    /// Everything that is due by now, and what is possible then.
    func pass() async throws {
        for _ in 1...3 {
            while try await times.round() {}
            try await decide()
        }
    }

    func seen(_ order: OrderID, by person: PersonID = tom) async throws -> DeliveryOrder {
        try await useCases.order(order, for: Caller(person: person))
    }

    func seen(_ match: MatchID, by person: PersonID) async throws -> DeliveryMatch {
        try await useCases.match(match, for: Caller(person: person))
    }

    /// The offer that somebody has now.
    func asked(_ person: PersonID) async throws -> MatchID? {
        let own = try await useCases.availability(for: Caller(person: person)).availability
        return own?.matches.first
    }

    /// Tom's soup, in Maya's hands.
    func pickedUp() async throws -> MatchID {
        let id = try await accepted()
        try await act(.pickUp, on: id, by: maya, MatchActDraft(spent: euros(1000)))
        return id
    }

    func accepted() async throws -> MatchID {
        try await bringing()
        try await ordering()
        try await decide()
        guard let id = try await asked(maya) else { throw NobodyAsked() }
        try await act(.accept, on: id, by: maya)
        return id
    }

    // MARK: What is there

    /// How many offers are open.
    func openOffers() async throws -> Int {
        try await database.query("SELECT count(*) AS open FROM matches WHERE state = 'offered'")[0].get("open")
    }

    /// How many marks there are still.
    func marks() async throws -> Int {
        try await database.query("SELECT count(*) AS marks FROM marks")[0].get("marks")
    }

    /// How many availabilities have another number of full hands than there are matches that fill them, or more than they have.
    func miscounted() async throws -> Int {
        try await database.query(
            """
            SELECT count(*) AS wrong FROM availabilities
            WHERE taken > capacity
                OR taken <> (SELECT count(*) FROM matches WHERE availability = availabilities.id AND fills_hand)
            """)[0].get("wrong")
    }
}

struct NobodyAsked: Error {}
