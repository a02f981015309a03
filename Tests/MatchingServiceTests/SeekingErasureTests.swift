import DurableMessaging
import FoundationEssentials
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// Erasure and archive of somebody who seeks, and of a driver who has invited others.
@Suite struct SeekingErasureTests {
    @Test func a_driver_goes_with_whom_they_invited() async throws {
        try await Searches.with { searches in
            let (ride, other) = (try await searches.ride(100), try await searches.ride(200, of: lin))
            let id = try await searches.seek().id
            let kims = try await searches.seek(by: kim).id
            try await searches.announce()
            try await searches.invite(id, to: ride)
            try await searches.invite(kims, to: other, by: lin)
            try await searches.deliveries.erase(maya)
            #expect(try await searches.count("invitations WHERE driver = \(maya)") == 0)
            #expect(try await searches.count("announcements WHERE ride = \(ride)") == 0)
            #expect(try await searches.count("invitations WHERE driver = \(lin)") == 1)
            #expect(try await searches.count("announcements WHERE ride = \(other)") == 2)
            #expect(await refusalCode { try await searches.invite(kims, to: ride) } == .notFound)
            let refused = await constraint {
                try await searches.database.query(
                    "INSERT INTO invitations (ride, wanted, driver, at) VALUES (\(ride), \(kims), \(maya), \(noon))")
            }
            #expect(refused == PeopleErasure.constraint)
        }
    }

    @Test func who_seeks_goes_from_every_list() async throws {
        try await Searches.with { searches in
            let ride = try await searches.ride(100)
            let id = try await searches.seek().id
            try await searches.announce()
            try await searches.invite(id, to: ride)
            try await searches.deliveries.erase(tom)
            #expect(try await searches.seekers().isEmpty)
            #expect(try await searches.along(ride).isEmpty)
            #expect(try await searches.count("invitations") == 0)
            // That somebody was told counts for a day, of nobody.
            #expect(try await searches.count("announcements WHERE wanted IS NOT NULL") == 0)
            #expect(await refusalCode { try await searches.seek() } == .unauthenticated)
            let said = try #require(try await searches.deliveries.told(PersonalDataErased.self).first)
            #expect(said.records == [ErasedRecords(.wanted, 1)])
        }
    }

    @Test func an_archive_has_whom_one_invited_and_what_one_showed() async throws {
        try await Searches.with { searches in
            let ride = try await searches.ride(100)
            var ids: [WantedID] = []
            for person in [tom, kim] {
                ids.append(try await searches.seek(by: person).id)
                try await searches.invite(ids.last!, to: ride)
                searches.clock.advance(by: .seconds(1))
            }
            let own = PersonalSections(searches.useCases.ownRecords + searches.useCases.ownInvitations)
            var (records, cursor): ([PersonalRecord], String?) = ([], nil)
            repeat {
                let page = try await own.page(PersonalDataQuery(person: maya, cursor: cursor))
                records += page.items
                cursor = page.next
            } while cursor != nil
            #expect(records.map(\.kind) == ["invitations", "invitations"])
            #expect(records[0].json.contains("\(ids[1])") && records[1].json.contains("\(ids[0])"))
            #expect(records.allSatisfy { $0.json.contains("\(ride)") && !$0.json.contains("\(tom)") })
            let toms = try await own.page(PersonalDataQuery(person: tom)).items
            let shown = try WireJSON.decode(Wanted.self, from: Array(try #require(toms.first).json.utf8))
            #expect(shown.id == ids[0] && shown.isVisible == true)
        }
    }
}
