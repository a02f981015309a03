import Testing
import WireProtocol

@testable import PlacesService

/// What stands behind a comma: in whichever language, and left out where nobody knows it.
@Suite struct ContextTests {
    private static let names = """
        NL\tThe Netherlands\tNiederlande\tPays-Bas\tHolland\tNLD
        FI\tFinland\tSuomi\tFinnland
        FI.01\tUusimaa\tNyland
        US\tUnited States\tUSA\tVereinigte Staaten
        US.IL\tIllinois\t4896861
        """

    private static func with(_ body: (Gazetteer) async throws -> Void) async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(names, as: .regions, from: "names")
            try await gazetteer.bring(
                towns
                    + "\n20,Amsterdam,52.374,4.8897,town,741636,NL,,Amsterodam\n21,Kallio,60.1843,24.9503,town,27051,FI,FI.01,",
                from: "towns")
            try await gazetteer.bring(Extract.text, as: .osm, from: "extract")
            try await body(gazetteer)
        }
    }

    @Test(arguments: [
        ("Amsterdam, Netherlands", "Amsterdam"), ("Amsterdam, The Netherlands", "Amsterdam"),
        ("Amsterdam, Niederlande", "Amsterdam"),
        ("amsterdam, holland", "Amsterdam"), ("Amsterdam, NLD", "Amsterdam"), ("Amsterdam, nl", "Amsterdam"),
        ("Amsterdam, Pays-Bas", "Amsterdam"), ("Fabianinkatu 33, Helsingfors", "Fabianinkatu 33"),
        ("Fabianinkatu 33, Helsingfors, Suomi", "Fabianinkatu 33"),
        ("Fabianinkatu 33, Нельсинки, Nyland", "Fabianinkatu 33"),
        ("Fabianinkatu 33 Helsingfors", "Fabianinkatu 33"), ("Helsinki, Nyland, Finnland", "Helsinki"),
        ("Springfield, Vereinigte Staaten", "Springfield"),
    ]) func other_names_count(_ typed: String, _ wanted: String) async throws {
        try await Self.with { gazetteer in
            let found = try await gazetteer.places.search(PlaceQuery(q: typed))
            #expect(found.items.first?.name == wanted, "\(found.items.map(\.name))")
            // One of these is spelt as nobody spells it.
            #expect(found.leftOut == (typed.contains("Нельсинки") ? ["Нельсинки"] : nil))
        }
    }

    @Test(arguments: [
        ("Amsterdam, Nowhereland", "Amsterdam", ["Nowhereland"]),
        ("Fabianinkatu 33, Hinterhaus, Helsinki", "Fabianinkatu 33", ["Hinterhaus"]),
        ("Fabianinkatu 33, Helsinki, c/o Ada", "Fabianinkatu 33", ["c/o Ada"]), ("Amsterdam, ?", "Amsterdam", []),
        ("Amsterdam, Xyz, Zyx", "Amsterdam", ["Xyz", "Zyx"]), ("Helsinki, Finlan", "Helsinki", []),
        ("Helsinki, Finlandx", "Helsinki", ["Finlandx"]),
    ]) func what_nobody_knows_is_left_out_and_said(_ typed: String, _ wanted: String, _ leftOut: [String]) async throws
    {
        try await Self.with { gazetteer in
            let found = try await gazetteer.places.search(PlaceQuery(q: typed))
            #expect(found.items.first?.name == wanted && found.leftOut ?? [] == leftOut, "\(found)")
        }
    }

    /// Both are known, and what was asked for is not there.
    @Test(arguments: ["Amsterdam, Finland", "Fabianinkatu 33, Amsterdam", "Springfield, Illinois, Suomi"])
    func what_is_known_is_not_left_out(_ typed: String) async throws {
        try await Self.with { gazetteer in
            let found = try await gazetteer.places.search(PlaceQuery(q: typed))
            #expect(found == PlaceSuggestions(items: []))
        }
    }

    @Test(arguments: ["Amsterdam, Niederlande", "Fabianinkatu 33, Helsingfors", "Helsinki, Vereinigtes Nichts"])
    func each_beginning_of_it_goes_on_finding(_ typed: String) async throws {
        try await Self.with { gazetteer in
            let name = String(typed.prefix { $0 != "," })
            for length in name.count...typed.count {
                let found = try await gazetteer.names(String(typed.prefix(length)))
                #expect(found.contains(name), "\(typed.prefix(length)): \(found)")
            }
        }
    }

    /// Whatever town it belongs to.
    @Test func what_is_around_the_middle_of_a_quarter_is_in_it() async throws {
        try await Self.with { gazetteer in
            let found = try await gazetteer.places.search(PlaceQuery(q: "Café Engel, Kallio"))
            #expect(found.items.map(\.name) == ["Café Engel"] && found.leftOut == nil)
        }
    }

    @Test func a_name_is_shown_as_it_is_written_and_in_the_language_that_is_asked_for() async throws {
        try await Self.with { gazetteer in
            let russian = try await gazetteer.places.search(PlaceQuery(q: "хельс")).items.first
            #expect(russian?.name == "Helsinki" && russian?.foundBy == "Хельсинки")
            let street = try await gazetteer.places.search(PlaceQuery(q: "fabiansg", language: "sv-FI")).items.first
            #expect(street?.name == "Fabiansgatan" && street?.foundBy == nil)
            let german = try await gazetteer.places.search(PlaceQuery(q: "fabiansg", language: "de")).items.first
            #expect(german?.name == "Fabianinkatu" && german?.foundBy == "Fabiansgatan")
            let id = try #require(street?.id)
            #expect(try await gazetteer.places.place(id, in: "sv").name == "Fabiansgatan")
            #expect(try await gazetteer.places.place(id).name == "Fabianinkatu")
            let here = try await gazetteer.places.reverse(Position(latitude: 60.1694, longitude: 24.9481), in: "sv")
            #expect(here.name == "Fabiansgatan, Helsinki")
        }
    }
}
