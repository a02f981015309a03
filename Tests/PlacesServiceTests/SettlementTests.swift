import Postgres
import Testing
import WireProtocol

@testable import PlacesService

/// A place belongs to the town around it, in whichever order the two come, and whichever of them goes.
@Suite struct SettlementTests {
    private func engel(_ gazetteer: Gazetteer) async throws -> Place {
        try #require(try await gazetteer.places.search(PlaceQuery(q: "engel")).items.first)
    }

    @Test func towns_that_come_later_have_what_was_there_before() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(Extract.text, as: .osm, from: "extract")
            #expect(try await engel(gazetteer).locality == nil)
            try await gazetteer.bring(towns, from: "towns")
            let later = try await engel(gazetteer)
            #expect(later.locality == "Helsinki" && later.country == "FI")
            // The address says its town itself.
            let address = try await gazetteer.places.search(PlaceQuery(q: "fabianinkatu 33")).items[0]
            #expect(address.locality == "Helsinki" && address.country == "FI")
            let ordered = try await gazetteer.everything()

            try await gazetteer.remove("towns")
            try await gazetteer.remove("extract")
            try await gazetteer.bring(towns, from: "towns")
            try await gazetteer.bring(Extract.text, as: .osm, from: "extract")
            #expect(try await gazetteer.everything() == ordered)
        }
    }

    @Test func a_town_that_is_renamed_moved_or_gone_is_followed() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(towns, from: "towns")
            try await gazetteer.bring(Extract.text, as: .osm, from: "extract")
            try await gazetteer.bring(towns.replacing("Helsinki,60", with: "Stadi,60"), from: "towns")
            #expect(try await engel(gazetteer).locality == "Stadi")
            try await gazetteer.bring(
                towns.replacing("1,Helsinki,60.1695,", with: "1,Helsinki,50.1695,"), from: "towns")
            #expect(try await engel(gazetteer).locality == "Espoo")
            try await gazetteer.remove("towns")
            let gone = try await engel(gazetteer)
            #expect(gone.locality == nil && gone.country == nil)
            // What the source says stays.
            #expect(try await gazetteer.places.search(PlaceQuery(q: "fabianinkatu 33")).items[0].locality == "Helsinki")
        }
    }

    @Test func names_of_regions_go_with_their_source() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(towns, from: "towns")
            try await gazetteer.bring("FI\tFinland\nFI.01\tUusimaa\nUS.IL\tIllinois\n", as: .regions, from: "names")
            try await gazetteer.bring("FI\tFinland\nFI.01\tNyland\n", as: .regions, from: "names")
            #expect(try await gazetteer.places.search(PlaceQuery(q: "helsinki")).items[0].region == "Nyland")
            #expect(try await gazetteer.places.search(PlaceQuery(q: "springfield, illin")).leftOut == ["illin"])
            let gone = try await gazetteer.remove("names")
            #expect(gone == (0, 2))
            #expect(try await gazetteer.places.search(PlaceQuery(q: "helsinki")).items[0].region == nil)
        }
    }

    @Test func nothing_is_removed_while_an_import_is_under_way() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(towns, from: "towns")
            try await gazetteer.pool.transaction { transaction in
                try await PostgresPlaceImport.lock(transaction)
                await #expect(throws: ImportProblem.self) { try await gazetteer.remove("towns") }
            }
            #expect(try await gazetteer.names("helsinki").first == "Helsinki")
        }
    }
}
