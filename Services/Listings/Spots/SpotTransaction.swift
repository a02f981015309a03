import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

/// What one transaction does to the tables `spots` and `observations`, all together or not at all. Whatever changes a spot also tells its events.
struct SpotTransaction: Sendable {
    let transaction: CommandTransaction
    let people: PeopleProjection
    /// The event and the answer name the same people.
    private let lookedUp: LookedUp

    /// - Parameter lookedUp: Who is known from what was asked before.
    init(transaction: CommandTransaction, people: PeopleProjection, lookedUp: LookedUp = LookedUp()) {
        self.transaction = transaction
        self.people = people
        self.lookedUp = lookedUp
    }

    /// The moment at which all of it happens.
    var now: Date { transaction.now }

    /// The spot as it is committed at this moment; nil also where there is none for this person.
    func spot(_ id: SpotID, for viewer: SpotViewer) async throws -> ParkingSpot? {
        try await transaction.query(viewer.spot(id, people.campuses)).first.map(ParkingSpot.init)
    }

    /// What is known of people, without asking anybody else.
    /// - Parameter viewer: Whom it is told, where people who are apart from them may be among these; nil where they cannot.
    func people(_ ids: Set<PersonID>, for viewer: PersonID?) async throws -> KnownPeople {
        if let known = lookedUp.find(ids, for: viewer) { return known }
        let known = try await people.summaries(of: ids, for: viewer, in: transaction)
        lookedUp.remember(known, of: ids, for: viewer)
        return known
    }

    func add(_ decision: SpotDecision) async throws {
        transaction.last([decision.spot.insertion])
        try await publish(decision)
        tellSearches(of: decision.spot, after: nil)
    }

    /// Locks a spot, whoever may see it, decides, and keeps what was decided; nothing where there is none.
    func moderate(_ id: SpotID, _ decide: @Sendable (ParkingSpot) -> SpotDecision) async throws {
        let rows = try await transaction.query(SpotViewer.everything.spot(id) + " FOR NO KEY UPDATE")
        guard let spot = try rows.first.map(ParkingSpot.init) else { return }
        _ = try await keep(decide(spot), insteadOf: spot)
    }

    /// Locks the spot, decides, and keeps what was decided, at the end of the transaction.
    /// - Throws: What `decide` throws; `notFound`, also where there is none for this person.
    func update(
        _ id: SpotID, for viewer: SpotViewer, _ decide: @Sendable (ParkingSpot) throws(SpotError) -> SpotDecision
    ) async throws -> ParkingSpot {
        let spot = try await lock(id, for: viewer)
        return try await keep(try decide(spot), insteadOf: spot, atTheEnd: true)
    }

    /// The same for what a person sees there; `decide` also gets what that person said before.
    func observe(
        _ id: SpotID, _ seen: ObservedState, by person: PersonID, for viewer: SpotViewer,
        _ decide: @Sendable (ParkingSpot, _ before: ObservedState?) throws(SpotError) -> SpotDecision
    ) async throws -> ParkingSpot {
        let spot = try await lock(id, for: viewer)
        let before = try await transaction.query(
            "SELECT state FROM observations WHERE spot = \(id) AND person = \(person)"
        ).first.map { try ObservedState.stored($0.get("state")) }
        let decision = try decide(spot, before)
        if decision.spot.observations != spot.observations {
            transaction.last([
                """
                INSERT INTO observations (spot, person, state, seen_at)
                VALUES (\(id), \(person), \(seen.rawValue), \(now))
                ON CONFLICT (spot, person) DO UPDATE SET state = excluded.state, seen_at = excluded.seen_at
                """
            ])
        }
        return try await keep(decision, insteadOf: spot, atTheEnd: true)
    }

    /// Keeps a claim if the spot is free at this very moment: one conditional update, so that two people never hold one
    /// spot and nobody waits for one that is taken.
    /// - Parameter price: What it has to cost at that moment; nil where any price will do.
    /// - Returns: The spot as it is now, or nil where somebody was faster, or it costs something else.
    func claim(_ decision: SpotDecision, for price: Int?) async throws -> ParkingSpot? {
        let costs: SQLQuery = price.map { "AND coalesce(price, 0) = \($0)" } ?? ""
        // Whom the answer names, without another round trip.
        let (claimer, involved) = (decision.spot.claimer, decision.spot.people)
        let answers = try await transaction.pipeline([
            """
            UPDATE spots SET state = 'claimed', claimed_by = \(claimer), claimed_at = \(now)
            WHERE id = \(decision.spot.id) AND state = 'free' AND shown AND expires_at > \(now) \(costs)
            RETURNING \(ParkingSpot.columns)
            """,
            people.selection(of: involved, for: claimer),
        ])
        lookedUp.remember(try KnownPeople(rows: answers[1]), of: involved, for: claimer)
        guard let spot = try answers[0].first.map(ParkingSpot.init) else { return nil }
        try await publish(SpotDecision(spot: spot, events: decision.events))
        var before = spot
        before.state = .free
        tellRooms(of: spot, after: before)
        tellOfClaim(of: spot, after: before)
        tellSearches(of: spot, after: before)
        return spot
    }

    /// Ends free spots whose time is over, at most so many. Spots that another process is at are left to it.
    /// - Returns: How many.
    func expire(atMost limit: Int, _ decide: @Sendable (ParkingSpot) -> SpotDecision) async throws -> Int {
        try await sweep(Self.due("state = 'free' AND expires_at <= \(now) ORDER BY expires_at", atMost: limit), decide)
    }

    /// Decides what becomes of claims that were made by `moment` and that nobody has completed; at most so many, and none that another
    /// process is at.
    /// - Returns: How many.
    func settle(
        claimedBy moment: Date, atMost limit: Int, _ decide: @Sendable (ParkingSpot) -> SpotDecision
    ) async throws -> Int {
        try await sweep(Self.unsettled(claimedBy: moment, atMost: limit), decide)
    }

    /// Deletes spots that ended without a claim and whose time was over before `moment`, with what was said of them; at most so many.
    /// - Returns: How many.
    func forget(endedBefore moment: Date, atMost limit: Int) async throws -> Int {
        try await transaction.query(
            """
            DELETE FROM spots WHERE id IN (
                SELECT id FROM spots WHERE state IN ('expired', 'removed') AND expires_at < \(moment)
                ORDER BY expires_at LIMIT \(limit) FOR UPDATE SKIP LOCKED)
            """
        ).affected
    }

    // MARK: What these are made of

    /// Claims that nobody has completed. The index is of claims, and PostgreSQL does not conclude from a time that there is one.
    static func unsettled(claimedBy moment: Date, atMost limit: Int) -> SQLQuery {
        due(
            "claimed_by IS NOT NULL AND claimed_at <= \(moment) AND parked_at IS NULL ORDER BY claimed_at",
            atMost: limit)
    }

    private static func due(_ condition: SQLQuery, atMost limit: Int) -> SQLQuery {
        "SELECT \(ParkingSpot.columns) FROM spots WHERE \(condition) LIMIT \(limit) FOR NO KEY UPDATE SKIP LOCKED"
    }

    func sweep(_ due: SQLQuery, _ decide: (ParkingSpot) throws -> SpotDecision) async throws -> Int {
        let rows = try await transaction.query(due)
        for row in rows {
            let spot = try ParkingSpot(row)
            _ = try await keep(try decide(spot), insteadOf: spot)
        }
        return rows.count
    }

    /// The lock leaves room for observations' references to the spot: its key never changes.
    private func lock(_ id: SpotID, for viewer: SpotViewer) async throws -> ParkingSpot {
        let rows = try await transaction.query(viewer.spot(id, people.campuses) + " FOR NO KEY UPDATE")
        guard let row = rows.first else { throw SpotError.notFound }
        return try ParkingSpot(row)
    }

    /// - Parameter atTheEnd: With COMMIT, where nothing is asked of spots any more.
    private func keep(
        _ decision: SpotDecision, insteadOf spot: ParkingSpot, atTheEnd: Bool = false
    ) async throws -> ParkingSpot {
        if decision.spot != spot {
            let update = decision.spot.update
            if atTheEnd { transaction.last([update]) } else { _ = try await transaction.query(update) }
        }
        try await publish(decision.told(after: spot))
        tellRooms(of: decision.spot, after: spot)
        tellOfClaim(of: decision.spot, after: spot)
        tellSearches(of: decision.spot, after: spot)
        return decision.spot
    }

    private func publish(_ decision: SpotDecision) async throws {
        let spot = decision.spot
        for event in decision.events {
            switch event {
            case .added: try await publish(SpotAdded(spot: try await announced(spot)), of: spot)
            case .changed: try await publish(SpotChanged(spot: try await announced(spot)), of: spot)
            case .claimed: try await publish(SpotClaimed(id: spot.id, position: spot.details.position), of: spot)
            case .completed(let claimer, let time):
                let encounter = EncounterCompleted(
                    subject: Subject(spot.id), title: spot.details.name,
                    people: [spot.postedBy, claimer], completedAt: time)
                transaction.publish(encounter, about: "spot/\(spot.id)", to: .nobody)
            case .posterSuspended(let claimer):
                let event = PosterSuspended(spot: spot.id, name: spot.details.name, claimer: claimer)
                transaction.publish(event, about: "spot/\(spot.id)", to: .people([claimer]))
            case .removed(let position, let reason):
                try await publish(
                    SpotRemoved(id: spot.id, position: position, reason: reason), of: spot, at: position)
            }
        }
    }

    private func announced(_ spot: ParkingSpot) async throws -> PublicSpot {
        PublicSpot(spot, postedBy: try await people([spot.postedBy], for: nil)[spot.postedBy])
    }

    /// It is the poster's: whoever is apart from them does not hear of it, not even that somebody else took it.
    private func publish(_ event: some Event, of spot: ParkingSpot, at position: Position? = nil) async throws {
        let poster = spot.postedBy
        let (audience, campus) = try await people.campuses.audience(of: poster) {
            try await people([poster], for: nil)
        }
        transaction.publish(
            event, about: "spot/\(spot.id)", to: audience, at: position ?? spot.details.position,
            concerning: [poster], within: campus)
    }
}
