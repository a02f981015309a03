import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// What becomes of deliveries of those who are suspended, or gone, and of those who are apart.

extension DeliveryTransaction {
    /// Makes what one person, or everybody, has to do with deliveries follow from who is suspended now; at most so many people.
    /// - Returns: how many were looked at.
    func reconcile(_ person: PersonID? = nil, atMost limit: Int) async throws -> Int {
        // What they are doing is waited for; what they do later finds them suspended.
        if let person { _ = try await transaction.query(.lock("person", person)) }
        let suspended = try await suspendedPeople(person, atMost: limit)
        try await callOff(by: suspended)
        return suspended.count
    }

    /// Who is suspended now and has something to do with deliveries.
    func suspendedPeople(_ person: PersonID? = nil, atMost limit: Int) async throws -> [PersonID] {
        try await transaction.query(Self.suspendedWithSomething(person, at: now, atMost: limit)).map {
            try $0.get("person")
        }
    }

    /// From the suspended, who are few, to what is theirs, each by its index: `OFFSET 0` leaves PostgreSQL nothing else.
    private static func suspendedWithSomething(_ person: PersonID?, at now: Date, atMost limit: Int) -> SQLQuery {
        let theirs: SQLQuery = person.map { "AND suspensions.person = \($0)" } ?? ""
        return """
            SELECT suspensions.person FROM suspensions
            WHERE suspensions.until > \(now) \(theirs) AND (
                EXISTS (
                    SELECT FROM availabilities
                    WHERE availabilities.person = suspensions.person AND availabilities.state <> 'ended' OFFSET 0)
                OR EXISTS (
                    SELECT FROM orders
                    WHERE orderer = suspensions.person AND orders.state IN ('waiting', 'asking', 'offered') OFFSET 0)
                OR EXISTS (
                    SELECT FROM matches WHERE deliverer = suspensions.person AND matches.state = 'accepted' OFFSET 0)
                OR EXISTS (
                    SELECT FROM matches WHERE orderer = suspensions.person AND matches.state = 'accepted' OFFSET 0))
            ORDER BY suspensions.person LIMIT \(unescaped: "\(limit)")
            """
    }

    /// Ends what these people offer, what they have ordered, and what they have agreed on and not picked up: others hear of it. What is picked up is
    /// brought.
    func callOff(by people: [PersonID]) async throws {
        if people.isEmpty { return }
        try await lockAll(of: people)
        for person in people {
            if let availability = try await lockedAvailability(of: person),
                let decision = availability.callOff(at: now)
            {
                try await keep(decision, insteadOf: availability, by: person)
            }
        }
        for held in try await locked(try await accepted(by: people)) {
            let person = people.contains(held.match.orderer) ? held.match.orderer : held.match.deliverer
            if let decision = held.match.callOff(by: person, at: now) { try await keep(decision, of: held) }
        }
        for person in people {
            for held in try await lockedOrders(of: person) {
                if let decision = held.order.callOff(held.offer?.match, at: now) {
                    try await keep(decision, insteadOf: held.order)
                }
            }
        }
    }

    /// Locks everything before anything is done, in the order in which everybody does: availabilities, then orders, then matches, then credits.
    private func lockAll(of people: [PersonID]) async throws {
        let held = MatchAgreement.isHeld
        let found = try await transaction.pipeline([
            """
            SELECT id FROM availabilities WHERE person = ANY(\(people)) AND state <> 'ended'
            UNION SELECT availability FROM matches WHERE orderer = ANY(\(people)) AND \(held)
            """,
            """
            SELECT id FROM orders WHERE orderer = ANY(\(people)) AND \(PlacedOrder.isOpen)
            UNION SELECT "order" FROM matches WHERE deliverer = ANY(\(people)) AND \(held)
            """,
        ])
        let availabilities: [AvailabilityID] = try found[0].map { try $0.get("id") }
        let orders: [OrderID] = try found[1].map { try $0.get("id") }
        if orders.isEmpty {
            _ = try await lockedAvailabilities(availabilities)
        } else {
            _ = try await lockedOrders(orders, naming: availabilities)
        }
        try await lockTurns(givenBackBy: people)
    }

    private func accepted(by people: [PersonID]) async throws -> [MatchID] {
        try await transaction.query(
            """
            SELECT id FROM matches WHERE deliverer = ANY(\(people)) AND state = 'accepted'
            UNION SELECT id FROM matches WHERE orderer = ANY(\(people)) AND state = 'accepted'
            """
        ).map { try $0.get("id") }
    }

    /// Two are apart from now on: what is only offered is withdrawn, and nobody is told whose doing it is. What was accepted runs to its end.
    func part(_ pair: BlockedPair) async throws {
        let (low, high) = (pair.low, pair.high)
        // First: a round that has them sees by then that the two are apart, or its offer is seen here.
        let availabilities: [AvailabilityID] = try await transaction.query(
            "SELECT id FROM availabilities WHERE person = ANY(\([low, high])) AND state <> 'ended'"
        ).map { try $0.get("id") }
        _ = try await lockedAvailabilities(availabilities)
        let offers: [MatchID] = try await transaction.query(
            """
            SELECT id FROM matches WHERE deliverer = \(low) AND orderer = \(high) AND state = 'offered'
            UNION ALL SELECT id FROM matches WHERE deliverer = \(high) AND orderer = \(low) AND state = 'offered'
            """
        ).map { try $0.get("id") }
        for held in try await locked(offers) {
            if let decision = held.match.separate(at: now) { try await keep(decision, of: held) }
        }
    }
}
