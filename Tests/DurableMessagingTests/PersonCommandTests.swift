import DurableMessaging
import FoundationEssentials
import Logging
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import People

/// What every command of every service asks of whoever does something.
@Suite struct PersonCommandTests {
    private let ada = PersonID.new()
    private let ben = PersonID.new()
    private let later = Date() + 3600

    private func with(
        campuses: CampusSeparation = .off, _ body: (PeopleProjection, Database) async throws -> Void
    ) async throws {
        let notes = """
            CREATE TABLE notes (person uuid UNIQUE);
            \(PeopleErasure.guarding("notes", columns: ["person"]))
            """
        try await Database.withCommunity(notes) { database in
            try await body(PeopleProjection(database: database, campuses: campuses, ask: { _ in nil }), database)
        }
    }

    /// What it is refused with; nil where it is done.
    private func refusal(
        of person: PersonID?, on people: PeopleProjection,
        meaning: @escaping @Sendable (PostgresError) -> (any Refusal)? = { _ in nil }
    ) async -> ServiceError? {
        await thrown(ServiceError.self) {
            try await people.command(request(.version7(), person: person), meaning: meaning) { transaction, person, _ in
                try await transaction.query("INSERT INTO notes (person) VALUES (\(person))")
                return Nothing()
            }
        }
    }

    private func suspend(_ person: PersonID, until: Date, in database: Database) async throws {
        _ = try await database.query(
            "INSERT INTO suspensions (person, until, generation) VALUES (\(person), \(until), 1)")
    }

    private func know(_ person: PersonID, in database: Database) async throws {
        _ = try await database.query("INSERT INTO people (id, name, campus) VALUES (\(person), 'x', 'kent')")
    }

    private func notes(in database: Database) async throws -> Int {
        try await database.query("SELECT FROM notes").count
    }

    @Test func people_are_signed_in_then_met_then_not_suspended() async throws {
        try await with(campuses: CampusSeparation(isOn: true)) { people, database async throws in
            try await suspend(ada, until: later, in: database)
            #expect(await refusal(of: nil, on: people)?.code == .unauthenticated)
            #expect(await refusal(of: ada, on: people)?.code == .unavailable)
            try await know(ada, in: database)
            #expect(await refusal(of: ada, on: people) == ServiceError(.suspended, "Your account is suspended."))
            #expect(try await notes(in: database) == 0)
            _ = try await database.query("UPDATE suspensions SET until = \(later - 7200)")
            #expect(await refusal(of: ada, on: people) == nil)
            #expect(try await notes(in: database) == 1)
        }
    }

    @Test func tables_refuse_the_erased_and_what_else_they_refuse_means_what_the_service_says() async throws {
        try await with { people, database async throws in
            #expect(await refusal(of: ben, on: people) == nil)
            let taken = await refusal(of: ben, on: people) { error in
                error.constraint == "notes_person_key" ? ServiceError(.wrongState, "Once.") : nil
            }
            #expect(taken?.code == .wrongState)
            _ = try await database.query("INSERT INTO people_erased (id) VALUES (\(ada))")
            let erased = await refusal(of: ada, on: people)
            #expect(erased == ServiceError(.unauthenticated, "This account is erased."))
            #expect(try await notes(in: database) == 1)
        }
    }

    @Test func first_statements_are_answered_and_the_same_request_is_done_once() async throws {
        try await with { people, database async throws in
            let (once, me) = (request(.version7(), person: ada), ada)
            for _ in 1...2 {
                let found = try await people.command(
                    once, asking: { person, _ in [.lock("person", person), "SELECT \(person) AS asked"] }
                ) { transaction, person, answers in
                    try await transaction.query("INSERT INTO notes (person) VALUES (\(person))")
                    #expect(answers.count == 2 && person == me)
                    return PersonReference(id: try answers[1][0].get("asked"))
                }
                #expect(found.id == me)
            }
            #expect(try await notes(in: database) == 1)
        }
    }

    @Test func nobody_begins_anything_with_whom_they_are_apart_from_or_who_is_suspended_or_unknown() async throws {
        try await with { people, database async throws in
            let (one, other) = (ada, ben)
            func may() async throws -> Bool {
                try await database.transaction { try await people.mayBegin(one, with: other, in: $0) }
            }
            #expect(try await !may(), "unknown")
            try await know(ben, in: database)
            #expect(try await may())
            try await suspend(ben, until: later, in: database)
            #expect(try await !may())
            _ = try await database.query("DELETE FROM suspensions")
            _ = try await database.query(
                "INSERT INTO blocks (person, other, generation) VALUES (\(ada), \(ben), 1), (\(ben), \(ada), 1)")
            #expect(try await !may())
        }
    }
}
