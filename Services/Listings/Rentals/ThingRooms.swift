import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// What rooms about a thing are told of it.

extension RentableThing {
    /// - Parameter partners: who rents it, or waits for an answer, or did so lately: see `Agreement.keepsRoom`.
    func roomFacts(_ partners: [PersonID]) -> RoomSubjectFacts {
        // What moderators hide is not read in the rooms about it either.
        let shown = hidden == nil ? details : nil
        let isOpenToAll = owner != .nobody && isLet
        return RoomSubjectFacts(
            title: shown?.title, photo: shown?.photos.first, owner: owner, partners: partners,
            isOpen: isOpenToAll || (owner != .nobody && !partners.isEmpty), isOpenToAll: isOpenToAll)
    }
}

extension Agreement {
    /// When the two have nothing more to say to each other about something that is over; nil where it is not over, or came to nothing.
    var talkUntil: Date? { talk.until }

    /// Whether the two may write to each other about the thing, listed or not.
    func keepsRoom(at now: Date) -> Bool { talk.goesOn(at: now) }

    private var talk: RentalTalk { RentalTalk(state, since: changedAt, endedOnceBegun: endedOnceBegun) }

    /// Whether it is not over, in SQL, of the rows of `rentals`.
    fileprivate static let isRunning: SQLQuery = "rentals.state IN ('requested', 'accepted', 'handedOver', 'disputed')"
}

extension RentalStore {
    /// Who rents a thing, in the order of their ids.
    static func partners(of thing: SQLQuery, at now: Date) -> SQLQuery {
        """
        ARRAY(
            SELECT rentals.renter FROM rentals
            WHERE rentals.thing = \(thing) AND \(Agreement.isRunning) AND rentals.renter <> \(PersonID.nobody)
            UNION SELECT rentals.renter FROM rentals
            WHERE rentals.thing = \(thing) AND rentals.talk_until > \(now) AND rentals.renter <> \(PersonID.nobody)
            ORDER BY renter)
        """
    }

    func partners(of thing: ThingID, at now: Date) async throws -> [PersonID] {
        try await database.read("SELECT \(Self.partners(of: "\(thing)", at: now)) AS partners")[0].get("partners")
    }
}

extension RentalTransaction {
    /// Tells rooms how it is with these things now. The things are locked, so that what is told last is what is true.
    func tellRooms(of things: [ThingID]) async throws {
        if things.isEmpty { return }
        try tellRooms(try await transaction.query(roomFacts(of: things)))
    }

    /// What `tellRooms` reads.
    func roomFacts(of things: [ThingID]) -> SQLQuery {
        """
        SELECT \(RentableThing.columns), \(RentalStore.partners(of: "things.id", at: now)) AS partners
        FROM things WHERE id = ANY(\(things)) ORDER BY id
        """
    }

    func tellRooms(_ facts: PostgresRows) throws {
        for row in facts {
            let thing = try RentableThing(row, seal)
            let event = RoomSubjectChanged(
                subject: Subject(thing.id), facts: thing.roomFacts(try row.get("partners")))
            transaction.publish(event, about: "subject/\(thing.id)", to: .nobody)
        }
    }

    /// The same, where a change of a thing concerns them.
    func tellRooms(of thing: RentableThing, after before: RentableThing) async throws {
        guard thing.roomFacts([]) != before.roomFacts([]) else { return }
        try await tellRooms(of: [thing.id])
    }

    /// The same, where somebody begins or ceases to rent it.
    func tellRooms(of agreement: Agreement, after before: Agreement) async throws {
        guard agreement.keepsRoom(at: now) != before.keepsRoom(at: now) else { return }
        try await tellRooms(of: [agreement.thing])
    }

    /// Of what is over, the two have had their time to talk.
    func closeRooms(_ rows: DueRows, atMost limit: Int) async throws -> Int {
        let over: [RentalID: ThingID] = try await each(rows, atMost: limit).reduce(into: [:]) {
            $0[$1.id] = $1.thing
        }
        if over.isEmpty { return 0 }
        _ = try await transaction.query("UPDATE rentals SET talk_until = NULL WHERE id = ANY(\(Array(over.keys)))")
        try await tellRooms(of: Array(Set(over.values)))
        return over.count
    }

    /// Locks the things whose rooms somebody has to do with: their own, and those that they rent.
    func roomThings(of person: PersonID) async throws -> [ThingID] {
        try await transaction.query(
            """
            SELECT id FROM things WHERE id IN (
                SELECT id FROM things WHERE owner = \(person)
                UNION SELECT thing FROM rentals
                WHERE renter = \(person) AND (\(Agreement.isRunning) OR talk_until > \(now)))
            ORDER BY id FOR NO KEY UPDATE
            """
        ).map { try $0.get("id") }
    }
}

extension RentalUseCases {
    /// What a room about a thing needs to know, for somebody who sees it, or has rented it lately.
    func roomSubject(_ query: RoomSubjectQuery) async throws -> RoomSubjectFacts {
        guard let id = query.subject.id(of: Thing.self) else { throw RentalError.notFound }
        let now = clock()
        let partners = try await store.partners(of: id, at: now)
        let looks = partners.contains(query.viewer) ? ThingViewer.everything : ThingViewer(person: query.viewer)
        guard let seen = try await store.thing(id, for: looks, at: now) else { throw RentalError.notFound }
        return seen.thing.roomFacts(partners)
    }
}
