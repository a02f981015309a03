import Foundation
import KampongClient
import Messaging
import TestKit
import WireProtocol

/// A made-up past of which everything is right, for tests that put one thing wrong.
struct Story {
    var ledger: [LedgerEntry] = []
    var services = Dictionary(
        uniqueKeysWithValues: (["auth"] + PeopleSubject.keepers).map { ($0, ServiceEvidence()) })
    var accounts: [PersonID: (name: String, version: Int)] = [:]
    var spots: [SpotID: Row] = [:]
    var observations: [String] = []
    var heard: [HeardStream.Message] = []
    var taps: [TappedChange] = []
    /// By what name each of those who keep names knows whom.
    var known: [String: [PersonID: String]] = [:]
    private let book = SpotBook()
    private var now = Duration.zero
    private let client = KampongClient(baseURL: URL(string: "http://127.0.0.1:1")!)

    var auth: ServiceEvidence {
        get { services["auth"]! }
        set { services["auth"] = newValue }
    }
    var listings: ServiceEvidence {
        get { services["listings"]! }
        set { services["listings"] = newValue }
    }

    struct Row: Codable {
        var id: SpotID
        var posted_by: PersonID
        var name: String
        var state: SpotState
        var claimed_by: PersonID?
        var there = 0
        var gone = 0
    }

    /// Two people, two spots, a change, a claim that is given back, an observation, a rename; a refusal; and one command that had
    /// no answer and no effect.
    static func ofTwoPeople() throws -> Story {
        var story = Story()
        let (ada, ben) = (try story.join(), try story.join())
        let spot = try story.post(by: ada)
        try story.change(spot, by: ada)
        try story.claim(spot, by: ben)
        try story.release(spot, by: ben)
        try story.observe(spot, by: ben)
        _ = try story.post(by: ben)
        try story.rename(ada)
        story.note(ClaimCommand(spot: spot, book: story.book), by: ada, .fail("forbidden"))
        story.note(ClaimCommand(spot: spot, book: story.book), by: ben, .unknown("outcome_unknown"))
        return story
    }

    // MARK: What happens

    mutating func join() throws -> PersonID {
        let (id, command) = (PersonID.new(), JoinCommand())
        accounts[id] = (command.givenName, 1)
        try name(id, command)
        return id
    }

    mutating func rename(_ id: PersonID) throws {
        let command = RenameCommand(person: id)
        accounts[id] = (command.givenName, accounts[id]!.version + 1)
        try name(id, command)
    }

    private mutating func name(_ id: PersonID, _ command: some NamingCommand) throws {
        let person = PersonSummary(id: id, name: command.givenName, photo: nil)
        let mark = note(command, by: id, .ok("person/\(id)"))
        try auth.publish(PersonChanged(person: person), about: "person/\(id)", to: .nobody, mark)
        for keeper in PeopleSubject.keepers { try apply(person, in: keeper, at: auth.head) }
    }

    /// As another service applies it: one transaction with the step along the stream.
    private mutating func apply(_ person: PersonSummary, in keeper: String, at position: Int64) throws {
        struct Place: Encodable {
            var publisher = "auth"
            var epoch: UUID
            var position: Int64
        }
        let old = Place(epoch: auth.epoch, position: position - 1)
        let new = Place(epoch: auth.epoch, position: position)
        known[keeper, default: [:]][person.id] = person.name
        taps += [
            TappedChange(transaction: position, table: "\(keeper).people", old: nil, new: try text(person)),
            TappedChange(transaction: position, table: "\(keeper).offsets", old: try text(old), new: try text(new)),
        ]
        services[keeper]!.offsets["auth"] = StreamOffset(epoch: auth.epoch, position: position)
    }

    mutating func post(by person: PersonID) throws -> SpotID {
        let draft = SpotDraft(name: "Spot \(UUID())", position: Position(latitude: 1, longitude: 2))
        let row = Row(id: .new(), posted_by: person, name: draft.name, state: .free)
        spots[row.id] = row
        let mark = note(PostCommand(book: book, draft: draft), by: person, .ok("spot/\(row.id)"))
        try publish(SpotAdded(spot: shown(row)), about: row.id, mark)
        return row.id
    }

    mutating func change(_ id: SpotID, by person: PersonID) throws {
        let draft = SpotDraft(name: "Spot \(UUID())", position: Position(latitude: 3, longitude: 4))
        spots[id]!.name = draft.name
        let command = ChangeCommand(spot: id, book: book, draft: draft)
        let mark = note(command, by: person, .ok("spot/\(id)"))
        try publish(
            SpotRemoved(id: id, position: Position(latitude: 1, longitude: 2), reason: .removed), about: id, mark)
        try publish(SpotAdded(spot: shown(spots[id]!)), about: id, mark)
    }

    mutating func claim(_ id: SpotID, by person: PersonID, _ outcome: LedgerEntry.Outcome? = nil) throws {
        spots[id]!.state = .claimed
        spots[id]!.claimed_by = person
        let mark = note(ClaimCommand(spot: id, book: book), by: person, outcome ?? .ok("spot/\(id)"))
        try publish(SpotClaimed(id: id, position: Position(latitude: 3, longitude: 4)), about: id, mark)
        try tell(.made, of: spots[id]!, by: person, mark)
    }

    /// What is said to other services alone.
    private mutating func tell(_ change: ClaimChanged.Change, of row: Row, by person: PersonID, _ mark: Int64) throws {
        let event = ClaimChanged(
            spot: row.id, name: row.name, owner: row.posted_by, claimer: person, change: change)
        try listings.publish(event, about: "spot/\(row.id)", to: .nobody, mark)
    }

    mutating func release(_ id: SpotID, by person: PersonID) throws {
        spots[id]!.state = .free
        spots[id]!.claimed_by = nil
        let mark = note(ReleaseCommand(spot: id, book: book), by: person, .ok("spot/\(id)"))
        try publish(SpotAdded(spot: shown(spots[id]!)), about: id, mark)
        try tell(.released, of: spots[id]!, by: person, mark)
    }

    mutating func observe(_ id: SpotID, by person: PersonID) throws {
        spots[id]!.there += 1
        let command = ObserveCommand(spot: id, book: book, seen: .there)
        let mark = note(command, by: person, .ok("spot/\(id)"))
        observations.append("{\"spot\":\"\(id)\",\"person\":\"\(person)\",\"state\":\"there\"}")
        try publish(SpotChanged(spot: shown(spots[id]!)), about: id, mark)
    }

    // MARK: What it is made of

    /// An entry, with its record where it is in effect; answers the mark of its transaction.
    @discardableResult
    mutating func note(_ command: any LedgerCommand, by person: PersonID?, _ outcome: LedgerEntry.Outcome) -> Int64 {
        now += .milliseconds(10)
        let entry = LedgerEntry(
            number: ledger.count, person: person, command: command, requestID: UUID(), invokedAt: now,
            endedAt: now + .milliseconds(5), outcome: outcome)
        ledger.append(entry)
        let mark = Int64(now / .microseconds(1))
        if case .ok = outcome { record(entry, mark) }
        return mark
    }

    mutating func record(_ entry: LedgerEntry, _ mark: Int64) {
        if entry.command.service == .auth {
            auth.requests[entry.requestID] = mark
        } else {
            listings.requests[entry.requestID] = mark
        }
    }

    mutating func publish(_ event: some Event, about id: SpotID, _ mark: Int64) throws {
        try listings.publish(event, about: "spot/\(id)", to: .everyone, mark)
        heard.append(.init(type: type(of: event).type, payload: try text(event)))
    }

    private func shown(_ row: Row) -> PublicSpot {
        PublicSpot(
            id: row.id, name: row.name, position: Position(latitude: 1, longitude: 2), kind: .private, photo: nil,
            price: nil, postedBy: PersonSummary(id: row.posted_by, name: "", photo: nil), postedAt: Date(),
            expiresAt: Date(), likelyGone: false)
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try WireJSON.encode(value), as: UTF8.self)
    }

    func findings() throws -> [Finding] {
        var rows = try [
            "accounts": accounts.map {
                "{\"id\":\"\($0.key)\",\"email\":\"\($0.key)@example.org\",\"name\":\"\($0.value.name)\",\"version\":\($0.value.version)}"
            },
            "spots": spots.values.map(text), "observations": observations,
        ]
        for (keeper, names) in known {
            rows[PeopleSubject.rows(of: keeper)] = names.map { "{\"id\":\"\($0.key)\",\"name\":\"\($0.value)\"}" }
        }
        let evidence = LedgerEvidence(
            ledger: ledger, services: services, subscriptions: PeopleSubject.keepers.map { ($0, "auth") },
            taps: taps, heard: [HeardStream(listener: "Eve", messages: heard)], rows: rows)
        return Audit(evidence, of: [PeopleSubject(), SpotsSubject()]).findings()
    }
}

extension ServiceEvidence {
    mutating func publish(_ event: some Event, about aggregate: String, to audience: Audience, _ mark: Int64) throws {
        head += 1
        let header = EventHeader(
            id: UUID(), type: type(of: event).type, aggregate: aggregate, audience: audience, occurredAt: Date())
        events.append(
            PublishedEvent(
                number: head, position: head, mark: mark, header: header,
                payload: String(decoding: try WireJSON.encode(event), as: UTF8.self)))
    }
}
