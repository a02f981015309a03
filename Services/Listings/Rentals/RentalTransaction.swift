import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

/// What may be done to things and agreements, all together or not at all. Whatever changes one also tells its events.
struct RentalTransaction: Sendable {
    let transaction: CommandTransaction
    let people: PeopleProjection
    let seal: PlateSeal
    let plateTries: Int

    var now: Date { transaction.now }

    // MARK: People

    func people(_ ids: Set<PersonID>, for viewer: PersonID?) async throws -> KnownPeople {
        try await people.summaries(of: ids, for: viewer, in: transaction)
    }

    /// How many things a person has; their others wait until the end of the transaction.
    func things(of person: PersonID) async throws -> Int {
        try await transaction.pipeline([
            .lock("person", person),
            "SELECT count(*) AS things FROM things WHERE owner = \(person) AND state <> 'withdrawn'",
        ])[1][0].get("things")
    }

    // MARK: Things

    /// Locked: agreements about one thing are made one after another.
    func thing(_ id: ThingID, as kind: ThingKind? = nil, for viewer: ThingViewer) async throws -> SeenThing {
        let rows = try await transaction.pipeline(viewer.locked(id, at: now, people.campuses))[1]
        return try SeenThing(rows, as: kind, seal, at: now)
    }

    func add(_ decision: ThingDecision) async throws {
        try await store(decision.thing, try decision.thing.insertion(seal), insteadOf: nil)
        try await publish(decision)
        tellSearches(of: decision.thing, after: nil)
    }

    func keep(_ decision: ThingDecision, insteadOf before: RentableThing) async throws {
        if decision.thing != before {
            try await store(decision.thing, try decision.thing.update(seal), insteadOf: before)
        }
        try await publish(decision)
        try await tellRooms(of: decision.thing, after: before)
        tellSearches(of: decision.thing, after: before)
    }

    /// A draft is nothing that anybody else has to do with.
    func remove(_ thing: RentableThing) async throws {
        _ = try await transaction.query("DELETE FROM things WHERE id = \(thing.id)")
    }

    /// Locks a thing, whoever may see it, and changes it; nothing where there is none.
    func moderate(_ id: ThingID, _ change: @Sendable (inout RentableThing) -> Void) async throws {
        let rows = try await transaction.query(
            "SELECT \(RentableThing.columns) FROM things WHERE id = \(id) FOR NO KEY UPDATE")
        guard let thing = try rows.first.map({ try RentableThing($0, seal) }) else { return }
        try await keep(thing.becoming(change), insteadOf: thing)
    }

    /// Blocks a period. The thing is locked already.
    func block(_ id: DateBlockID, _ thing: ThingID, _ period: RentalPeriod) async throws {
        _ = try await transaction.query(
            """
            INSERT INTO occupied (id, thing, starts, until, period)
            VALUES (\(id), \(thing), \(period.from), \(period.until), tstzrange(\(period.startsAt), \(period.endsAt)))
            """)
        tellSearches(of: thing)
    }

    func unblock(_ id: DateBlockID, by person: PersonID) async throws {
        let gone = try await transaction.query(
            """
            DELETE FROM occupied USING things
            WHERE occupied.id = \(id) AND rental IS NULL AND things.id = occupied.thing AND owner = \(person)
            RETURNING occupied.thing
            """
        )
        guard let row = gone.first else { throw RentalError.notFound }
        tellSearches(of: try row.get("thing"))
    }

    /// What moderators hide is let to nobody, and nobody lets anything to whom they have blocked, or who has blocked them.
    func mayBeLet(_ thing: RentableThing, to renter: PersonID) async throws -> Bool {
        guard thing.hidden == nil, !thing.isWithheld else { return false }
        return try await transaction.query(RentalStore.togetherness(of: renter, thing.owner))[0].get("together")
    }

    // MARK: Agreements

    /// Keeps a new agreement about a thing that is locked already, where its period is free.
    /// - Returns: what is known of the two.
    func add(_ agreement: Agreement) async throws -> KnownPeople {
        let answers = try await transaction.pipeline(
            [
                // Where requests hold nothing, what is taken is taken all the same.
                RentalStore.freedom(of: agreement.thing, agreement.period), agreement.insertion,
                people.selection(of: agreement.people, for: nil), roomFacts(of: [agreement.thing]),
            ] + turnedAway(by: agreement))
        guard try answers[0][0].get("is_free") else { throw RentalError.overlaps }
        let known = try KnownPeople(rows: answers[2])
        let news = RentalNews(agreement, by: agreement.changedBy, among: known)
        tell(RentalRequested(rental: news), agreement)
        if agreement.state == .accepted { tell(RentalAnswered(rental: news), agreement) }
        if agreement.holds { tellSearches(of: agreement.thing) }
        try tellRooms(answers[3])
        if answers.count > 4 { try await turnAway(answers[4]) }
        return known
    }

    /// Locks an agreement that this person has to do with, after its thing.
    func agreement(_ id: RentalID, for person: PersonID, isModerator: Bool) async throws -> Agreement {
        let selection = RentalStore.selection(id, for: person, isModerator: isModerator)
        let rows = try await transaction.pipeline([
            "SELECT FROM things WHERE id = (SELECT thing FROM rentals WHERE id = \(id)) FOR NO KEY UPDATE",
            selection + " FOR NO KEY UPDATE",
        ])[1]
        guard let agreement = try rows.first.map(Agreement.init) else { throw RentalError.notFound }
        let shown = try await transaction.query(RentalStore.evidence(of: [agreement]))
        return try RentalStore.adding(shown, to: [agreement])[0]
    }

    /// The thing is locked already.
    func keep(_ decision: RentalDecision, insteadOf before: Agreement) async throws {
        let after = decision.agreement
        let others = before.state == after.state ? [] : turnedAway(by: after)
        let answers = try await transaction.pipeline(
            [after.update(after: before)] + after.showing(after: before) + others)
        try await tellRooms(of: after, after: before)
        switch decision.told {
        case .nothing: break
        case .answered: tell(RentalAnswered(rental: try await news(of: after, by: decision.by)), after)
        case .changed: tell(RentalChanged(rental: try await news(of: after, by: decision.by)), after)
        case .completed:
            tell(RentalChanged(rental: try await news(of: after, by: decision.by)), after)
            let encounter = EncounterCompleted(
                subject: Subject(after.id), title: after.title,
                people: [after.owner, after.renter], completedAt: now)
            let isWhole = after.owner != .nobody && after.renter != .nobody
            if isWhole { transaction.publish(encounter, about: "rental/\(after.id)", to: .nobody) }
        }
        if after.holds != before.holds { tellSearches(of: after.thing) }
        if !others.isEmpty, let waiting = answers.last { try await turnAway(waiting) }
    }

    /// What time does; those that another process is at are left to it.
    /// - Returns: how many were looked at.
    func pass(_ rows: DueRows, atMost limit: Int) async throws -> Int {
        let due = try await each(rows, atMost: limit)
        for agreement in due {
            guard let decision = agreement.pass(at: now) else { continue }
            try await keep(decision, insteadOf: agreement)
        }
        return due.count
    }

    /// Tells what is due, once.
    func remind(_ rows: DueRows, atMost limit: Int) async throws -> Int {
        let due = try await each(rows, atMost: limit)
        for agreement in due {
            _ = try await transaction.query("UPDATE rentals SET remind_at = NULL WHERE id = \(agreement.id)")
            guard let occasion = agreement.occasion else { continue }
            tell(
                RentalReminder(rental: try await news(of: agreement, by: agreement.changedBy), about: occasion),
                agreement)
        }
        return due.count
    }

    func callOff(by person: PersonID) async throws -> Int {
        // Each half from its own index.
        func theirs(_ column: SQLQuery) -> SQLQuery {
            """
            SELECT \(column) FROM rentals WHERE owner = \(person) AND state IN ('requested', 'accepted')
            UNION ALL SELECT \(column) FROM rentals WHERE renter = \(person) AND state IN ('requested', 'accepted')
            """
        }
        let rows = try await transaction.pipeline([
            "SELECT FROM things WHERE id IN (\(theirs("thing"))) ORDER BY id FOR NO KEY UPDATE",
            "SELECT \(Agreement.columns) FROM rentals WHERE id IN (\(theirs("id"))) ORDER BY id FOR NO KEY UPDATE",
        ])[1]
        for row in rows {
            let agreement = try Agreement(row)
            guard let decision = agreement.callOff(by: person, at: now) else { continue }
            try await keep(decision, insteadOf: agreement)
        }
        return rows.count
    }

    /// Locks those whose time has come, after their things, as everybody does; what another process is at is left to it.
    func each(_ rows: DueRows, atMost limit: Int) async throws -> [Agreement] {
        // As a number in the text: a plan that does not know how few they are would read all things.
        let due: SQLQuery = """
            \(rows.condition(at: now)) ORDER BY \(unescaped: rows.time) LIMIT \(unescaped: "\(limit)")
            """
        let things: [ThingID] = try await transaction.query(
            """
            SELECT id FROM things WHERE id IN (SELECT thing FROM rentals WHERE \(due)) FOR NO KEY UPDATE SKIP LOCKED
            """
        ).map { try $0.get("id") }
        if things.isEmpty { return [] }
        return try await transaction.query(
            """
            SELECT \(Agreement.columns) FROM rentals WHERE thing = ANY(\(things)) AND \(due) FOR NO KEY UPDATE SKIP LOCKED
            """
        ).map(Agreement.init)
    }

    // MARK: Events

    private func news(of agreement: Agreement, by person: PersonID?) async throws -> RentalNews {
        RentalNews(agreement, by: person, among: try await people(agreement.people, for: nil))
    }

    /// The two of an agreement hear of it even where they are apart since.
    private func tell(_ event: some Event, _ agreement: Agreement) {
        transaction.publish(
            event, about: "rental/\(agreement.id)",
            to: .people(Set([agreement.owner, agreement.renter]).subtracting([.nobody])))
    }

    private func publish(_ decision: ThingDecision) async throws {
        let thing = decision.thing
        switch decision.told {
        case .nothing: break
        case .posted: try await publish(ThingPosted(thing: try await announced(thing)), of: thing)
        case .changed: try await publish(ThingChanged(thing: try await announced(thing)), of: thing)
        case .withdrawn: try await publish(ThingWithdrawn(id: thing.id, kind: thing.kind), of: thing)
        }
    }

    private func announced(_ thing: RentableThing) async throws -> PublicThing {
        PublicThing(thing, owner: try await people([thing.owner], for: nil)[thing.owner])
    }

    /// Whoever is apart from its owner does not hear of it.
    private func publish(_ event: some Event, of thing: RentableThing) async throws {
        let (audience, campus) = try await people.campuses.audience(of: thing.owner) {
            try await people([thing.owner], for: nil)
        }
        transaction.publish(
            event, about: "thing/\(thing.id)", to: audience, at: thing.details.position?.onGrid,
            concerning: [thing.owner], within: campus)
    }
}

extension RentalNews {
    fileprivate init(_ agreement: Agreement, by person: PersonID?, among known: KnownPeople) {
        self.init(
            id: agreement.id, thing: agreement.thing, kind: agreement.kind, title: agreement.title,
            owner: known[agreement.owner], renter: known[agreement.renter], state: agreement.state,
            from: agreement.period.from, until: agreement.period.until, startsAt: agreement.period.startsAt,
            endsAt: agreement.period.endsAt, answerBy: agreement.state == .requested ? agreement.answerBy : nil,
            by: person)
    }
}
