import Foundation
import Logging
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// The archive of one's own data, as far as auth makes it.
@Suite struct DataExportTests {
    private func gatherer(
        _ auth: AuthBench, _ listings: @escaping @Sendable (PersonalDataQuery) async throws -> Page<PersonalRecord>
    ) -> DataExportGatherer {
        let own = auth.parts.ownRecords
        return DataExportGatherer(
            database: auth.stores, logger: .init(label: "auth"), now: auth.clock.read
        ) { service, query in
            switch service {
            case "auth": try await own.page(query)
            case "listings": try await listings(query)
            default: Page(items: [])
            }
        }
    }

    private func request(_ person: PersonID, on auth: AuthBench) async throws -> DataExport {
        try await auth.call(AuthMethods.requestExport, Nothing(), Nothing(), as: Caller(person: person))
    }

    private func records(_ person: PersonID, on auth: AuthBench) async throws -> [PersonalRecord] {
        var (found, number): ([PersonalRecord], Int?) = ([], 0)
        while let next = number {
            let page = try await auth.call(
                AuthMethods.exportPage, DataExportPageQuery(number: next), Nothing(), as: Caller(person: person))
            found += page.records
            number = page.next
        }
        return found
    }

    @Test func everything_is_gathered_and_only_for_oneself() async throws {
        try await AuthBench.run { auth in
            let village = BlockVillage(auth: auth)
            let ada = try await auth.signUp("ada@example.org", name: "Adaeze Obi").person.id
            let (ben, cyd) = (try await auth.newcomer("Benno Falk"), try await auth.newcomer("Cyd"))
            try await village.befriend(ada, ben)
            try await village.block(ada, cyd)
            let report = ReportDraft(
                subject: Subject(kind: .person, id: ID(ben.uuid)), reason: .other, text: "He is not Benno.")
            let _: Report = try await auth.call(AuthMethods.report, Nothing(), report, as: Caller(person: ada))
            let notice = KeptNotice(.new(), .warning, for: ada, text: "Be kind.", at: auth.clock.now)
            #expect(try await auth.stores.stores.notices.add(notice))
            let begun = try await request(ada, on: auth)
            let services = Capability.personalData.services.map(\.rawValue)
            #expect(begun.parts.map(\.service) == services && begun.readyAt == nil)
            #expect(try await request(ada, on: auth) == begun, "one at a time")
            let early = try await refusal { try await records(ada, on: auth) }
            #expect(early?.code == .wrongState)
            let gatherer = gatherer(auth) { query in
                query.cursor == nil
                    ? Page(items: [PersonalRecord(kind: "spots", json: "{\"n\":1}")], next: "spots/2")
                    : Page(items: [PersonalRecord(kind: "spots", json: "{\"n\":2}")])
            }
            while try await gatherer.round() > 0 {}
            let ready: DataExport = try await auth.call(
                AuthMethods.export, Nothing(), Nothing(), as: Caller(person: ada))
            #expect(ready.readyAt != nil && ready.expiresAt != nil)
            #expect(ready.parts.filter { $0.records > 0 }.map(\.service) == ["auth", "listings"])
            #expect(ready.parts.map(\.records).filter { $0 > 0 } == [6, 2])
            let found = try await records(ada, on: auth)
            #expect(
                found.map(\.kind) == [
                    "account", "sessions", "friends", "blocks", "reports", "notices", "spots", "spots",
                ])
            #expect(found[0].json.contains("ada@example.org"))
            #expect(found[2].json.contains("Benno Falk"))
            #expect(found[4].json.contains("He is not Benno.") && found[5].json.contains("Be kind."))
            #expect(found.suffix(2).map(\.json) == ["{\"n\":1}", "{\"n\":2}"])
            let others = try await refusal { try await records(ben, on: auth) }
            #expect(others?.code == .wrongState)
            // Nothing of it can be read in the tables.
            let rows = try await auth.pool.query("SELECT t::text AS row FROM export_pages t")
            #expect(try rows.allSatisfy { try !$0.get("row", as: String.self).contains("ada@example.org") })
            auth.clock.advance(by: .seconds(3 * 86_400))
            try await auth.parts.upkeep.prune()
            #expect(try await auth.count("export_pages") == 0)
        }
    }

    @Test func a_service_that_is_away_holds_it_up_and_loses_nothing() async throws {
        try await AuthBench.run { auth in
            let ada = try await auth.newcomer("Ada")
            _ = try await request(ada, on: auth)
            let away = gatherer(auth) { query in
                guard query.cursor != nil else {
                    return Page(items: [PersonalRecord(kind: "spots", json: "1")], next: "spots/1")
                }
                throw ServiceError(.unavailable, "Away.")
            }
            for _ in 0..<20 { _ = try await away.round() }
            let held: DataExport = try await auth.call(
                AuthMethods.export, Nothing(), Nothing(), as: Caller(person: ada))
            #expect(held.readyAt == nil && held.parts.map(\.records).filter { $0 > 0 } == [2, 1])
            auth.clock.advance(by: .seconds(60))
            let back = gatherer(auth) { query in
                #expect(query.cursor == "spots/1", "it goes on where it was")
                return Page(items: [PersonalRecord(kind: "spots", json: "2")])
            }
            while try await back.round() > 0 {}
            #expect(try await records(ada, on: auth).suffix(2).map(\.json) == ["1", "2"])
        }
    }
}
