import DurableMessaging
import FoundationEssentials
import Logging
import Messaging
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import People

private let maya = PersonID.new()
private let tom = PersonID.new()
private let start = Date(timeIntervalSince1970: 1_790_000_000)

@Suite("What a service knows of people")
struct PeopleTests {
    /// A projection in a schema of its own, and the consumer that feeds it.
    private func with(
        ask: @escaping PeopleProjection.Ask = { _ in nil },
        _ body: (PeopleProjection, DurableConsumer, Database) async throws -> Void
    ) async throws {
        try await Database.withCommunity { database in
            let people = PeopleProjection(database: database, clock: { start }, ask: ask)
            let consumer = DurableConsumer(database: database)
            people.follow(on: consumer)
            try await body(people, consumer, database)
        }
    }

    private func changed(_ id: PersonID, _ name: String, at position: Int64, of epoch: UUID) throws -> EventEnvelope {
        let person = PersonSummary(id: id, name: name)
        return EventEnvelope(
            publisher: "auth", epoch: epoch, position: position,
            header: EventHeader(
                id: .version7(), type: PersonChanged.type, aggregate: "person/\(id)", audience: .nobody,
                occurredAt: start),
            payload: try WireJSON.encode(PersonChanged(person: person)))
    }

    @Test func theLatestNameIsKnown() async throws {
        try await with { people, consumer, _ in
            let epoch = UUID()
            let events = [
                try changed(maya, "Maya", at: 1, of: epoch), try changed(tom, "Tom", at: 2, of: epoch),
                try changed(maya, "Maya Tan", at: 3, of: epoch),
            ]
            try await consumer.consume(events)
            let known = try await people.summaries(of: [maya, tom])
            #expect(known[maya].name == "Maya Tan")
            #expect(known[tom].name == "Tom")
        }
    }

    @Test func whoIsUnknownIsAskedForOnceAndKept() async throws {
        let asked = Mutex<[PersonID]>([])
        let ask: PeopleProjection.Ask = { id in
            asked.withLock { $0.append(id) }
            return id == maya ? PersonSummary(id: id, name: "Asked", photo: "p") : nil
        }
        try await with(ask: ask) { people, _, database in
            for _ in 1...3 {
                let known = try await people.summaries(of: [maya, tom])
                #expect(known[maya] == PersonSummary(id: maya, name: "Asked", photo: "p"))
                #expect(known[tom].name == "Someone")
            }
            #expect(asked.withLock { $0.count { $0 == maya } } == 1)
            #expect(asked.withLock { $0.count { $0 == tom } } == 1, "a person who does not exist, neither")
            let within = try await database.transaction { try await people.summaries(of: [maya], in: $0) }
            #expect(within[maya].name == "Asked", "kept")
        }
    }

    @Test func anAnswerDoesNotReplaceAnEventThatCameMeanwhile() async throws {
        let arrive = Mutex<(@Sendable () async throws -> Void)?>(nil)
        let ask: PeopleProjection.Ask = { id in
            try await arrive.withLock { $0 }?()
            return PersonSummary(id: id, name: "As it was")
        }
        try await with(ask: ask) { people, consumer, _ in
            let event = try changed(maya, "As it is", at: 1, of: UUID())
            arrive.withLock { $0 = { try await consumer.consume([event]) } }
            _ = try await people.summaries(of: [maya])
            let known = try await people.summaries(of: [maya])
            #expect(known[maya].name == "As it is")
        }
    }

    @Test func authBeingAwayIsNoErrorAndIsNotAskedAgainAtOnce() async throws {
        struct Away: Error {}
        let asked = Mutex(0)
        let ask: PeopleProjection.Ask = { _ in
            asked.withLock { $0 += 1 }
            throw Away()
        }
        try await with(ask: ask) { people, _, _ in
            let known = try await people.summaries(of: [maya])
            #expect(known[maya] == PersonSummary(id: maya, name: "Someone"))
            _ = try await people.summaries(of: [tom])
            #expect(asked.withLock { $0 } == 1)
        }
    }

    // MARK: Whom to ask for

    @Test func onePauseForEachPerson() {
        var inquiries = Inquiries()
        #expect(inquiries.begin([maya], at: start) == [maya])
        #expect(inquiries.begin([maya, tom], at: start + 1) == [tom])
        #expect(inquiries.begin([maya], at: start + 29.9).isEmpty)
        #expect(inquiries.begin([maya, tom], at: start + 30) == [maya])
    }

    @Test func nobodyIsAskedForWhileAuthIsAway() {
        var inquiries = Inquiries()
        inquiries.fail(at: start)
        #expect(inquiries.begin([maya], at: start + 29).isEmpty)
        #expect(inquiries.begin([maya], at: start + 30) == [maya])
    }

    @Test func thereIsAnEndToHowManyAreAskedFor() {
        var inquiries = Inquiries()
        let crowd = Set((0..<Inquiries.most).map { _ in PersonID.new() })
        #expect(inquiries.begin(crowd, at: start).count == Inquiries.most)
        #expect(inquiries.begin([maya], at: start + 1).isEmpty)
        #expect(inquiries.begin([maya], at: start + 30) == [maya])
    }
}
