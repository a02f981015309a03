import Testing
import WireProtocol

@testable import PlacesService

/// Houses, postcodes and abbreviations as people write them.
@Suite struct AddressSearchTests {
    /// Made up.
    private static let houses = """
        id,name,latitude,longitude,kind,address,postcode,locality
        1,Ottostraße 10 C,52.50,13.30,address,,10115,Berlin
        2,Ottostraße 10 A,52.51,13.31,address,,10115,Berlin
        3,Ottostraße 48-50,52.52,13.32,address,,10117,Berlin
        4,Ottostraße,52.51,13.31,street,,,Berlin
        5,Rue de la Gare 11 bis,48.85,2.35,address,,75010,Paris
        6,Großgörschenstraße 5,52.49,13.36,address,,10829,Berlin
        7,Avenue Louise,50.83,4.36,street,,1050,Bruxelles
        8,St.-Martin-Straße 8,48.11,11.59,address,,81541,München
        9,Marina One,1.277,103.852,building,5 Straits View,018935,Singapore
        10,Tanjong Pagar Centre,1.2765,103.8457,building,,018956,Singapore
        11,Palace of Westminster,51.4995,-0.1248,venue,,SW1A 0AA,London
        12,Downing Street 10,51.5034,-0.1276,address,,SW1A 2AA,London
        13,Kansalliskirjasto,60.1704,24.9504,school,Unioninkatu 36,00170,Helsinki
        14,Mannerheimintie 5,60.1690,24.9390,address,,00100,Helsinki
        """

    private static func with(_ body: (Gazetteer) async throws -> Void) async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(houses)
            try await body(gazetteer)
        }
    }

    @Test(arguments: [
        ("Ottostraße 10 A", "Ottostraße 10 A"), ("ottostrasse 10a", "Ottostraße 10 A"),
        ("10 A Ottostraße", "Ottostraße 10 A"),
        ("10a, Ottostraße", "Ottostraße 10 A"), ("Ottostraße, 10 A", "Ottostraße 10 A"),
        ("Ottostr. 10 a", "Ottostraße 10 A"),
        ("Ottostraße10A", "Ottostraße 10 A"), ("Ottostraße Nr. 10 A", "Ottostraße 10 A"),
        ("Ottostraße 10 C, Berlin", "Ottostraße 10 C"),
        ("Ottostraße 10 C Berlin", "Ottostraße 10 C"), ("Ottostraße 50", "Ottostraße 48-50"),
        ("48 Ottostraße", "Ottostraße 48-50"),
        ("Ottostraße 48–50", "Ottostraße 48-50"), ("11 bis rue de la gare", "Rue de la Gare 11 bis"),
        ("11bis, rue de la Gare, Paris", "Rue de la Gare 11 bis"), ("Rue de la Gare 11bis", "Rue de la Gare 11 bis"),
        ("Großgörschenstr. 5", "Großgörschenstraße 5"), ("5 Grossgörschenstr", "Großgörschenstraße 5"),
        ("Av. Louise", "Avenue Louise"),
        ("Sankt-Martin-Str. 8", "St.-Martin-Straße 8"), ("St. Martin-Strasse 8", "St.-Martin-Straße 8"),
        ("saint martin straße 8", "St.-Martin-Straße 8"), ("10 Downing St", "Downing Street 10"),
        ("5 Straits View", "Marina One"),
    ]) func a_house_is_found_however_it_is_written(_ typed: String, _ wanted: String) async throws {
        try await Self.with { gazetteer in
            let found = try await gazetteer.places.search(PlaceQuery(q: typed))
            #expect(
                found.items.first?.name == wanted && found.items.first?.match == .name, "\(found.items.map(\.name))")
            #expect(found.leftOut == nil)
        }
    }

    /// It may be another house or the street that is answered, and never without a word.
    @Test(arguments: [
        "Ottostraße 12", "12 Ottostraße", "Ottostraße 10", "Ottostraße 10 B", "Ottostraße 49", "Ottostraße 1",
        "Ottostr. 500",
        "Großgörschenstraße 7", "Downing Street 11", "Rue de la Gare 11", "Ottostraße 12, Berlin", "Otostraße 12",
    ]) func a_house_that_is_not_known_is_not_another_one(_ typed: String) async throws {
        try await Self.with { gazetteer in
            let found = try await gazetteer.places.search(PlaceQuery(q: typed)).items
            #expect(!found.isEmpty)
            #expect(
                found.allSatisfy { [.otherNumber, .street].contains($0.match) }, "\(found.map { ($0.name, $0.match) })")
        }
    }

    @Test func the_nearest_number_stands_for_one_that_is_not_known_and_the_street_before_it() async throws {
        try await Self.with { gazetteer in
            let found = try await gazetteer.places.search(PlaceQuery(q: "Ottostraße 46")).items
            #expect(found.first?.match == .street && found.dropFirst().first?.name == "Ottostraße 48-50")
            let houses = try await gazetteer.places.search(PlaceQuery(q: "Ottostraße 46", kind: .address)).items
            #expect(houses.first?.name == "Ottostraße 48-50" && houses.allSatisfy { $0.match == .otherNumber })
        }
    }

    /// What was found once goes on being found while it is typed on.
    @Test(arguments: [
        ("Ottostraße 10 A, Berlin", "Ottostraße 10 A"), ("10 A Ottostraße, Berlin", "Ottostraße 10 A"),
        ("11 bis rue de la gare", "Rue de la Gare 11 bis"), ("Großgörschenstr. 5", "Großgörschenstraße 5"),
        ("Av. Louise", "Avenue Louise"),
        ("Sankt-Martin-Str. 8", "St.-Martin-Straße 8"), ("St. Martin-Straße 8", "St.-Martin-Straße 8"),
        ("SW1A 2AA", "Downing Street 10"),
        ("00100 Helsinki", "Mannerheimintie 5"), ("018956", "Tanjong Pagar Centre"),
    ]) func each_beginning_of_a_right_question_finds_it(_ typed: String, _ wanted: String) async throws {
        try await Self.with { gazetteer in
            var text = ""
            for character in typed {
                text.append(character)
                guard
                    text.unicodeScalars.count(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil })
                        >= 2
                else {
                    continue
                }
                let found = try await gazetteer.names(text, limit: 20)
                #expect(found.contains(wanted), "\(text): \(found)")
            }
        }
    }

    @Test(arguments: [
        ("018956", "Tanjong Pagar Centre"), ("S(018956)", "Tanjong Pagar Centre"),
        ("Singapore 018956", "Tanjong Pagar Centre"),
        ("SW1A 2AA", "Downing Street 10"), ("sw1a2aa", "Downing Street 10"), ("London SW1A 2AA", "Downing Street 10"),
        ("SW1A 2AA, London", "Downing Street 10"), ("00100 Helsinki", "Mannerheimintie 5"),
        ("FI-00100", "Mannerheimintie 5"),
        ("00100, Helsinki", "Mannerheimintie 5"), ("Helsinki 00170", "Kansalliskirjasto"),
        ("75010", "Rue de la Gare 11 bis"),
    ]) func a_postcode_says_where(_ typed: String, _ wanted: String) async throws {
        try await Self.with { gazetteer in
            let found = try await gazetteer.places.search(PlaceQuery(q: typed)).items
            #expect(found.map(\.name) == [wanted], "\(found.map(\.name))")
            #expect(found.first?.match == .postcode && found.first?.foundBy == nil)
        }
    }

    @Test func a_postcode_that_is_not_known_is_left_out_and_said() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(towns)
            for (typed, leftOut) in [
                ("00100 Helsinki", "00100"), ("Helsinki 00100", "00100"), ("Helsinki, 00100", "00100"),
                ("York YO1 7HH", "YO1 7HH"), ("Helsinki 20999", "20999"), ("Helsinki 999999", "999999"),
            ] {
                let found = try await gazetteer.places.search(PlaceQuery(q: typed))
                #expect(["Helsinki", "York"].contains(found.items.first?.name), "\(typed)")
                #expect(found.leftOut == [leftOut], "\(typed): \(found.leftOut ?? [])")
            }
        }
    }

    @Test(arguments: [
        ("Mannerheimint. 5", "Mannerheimintie 5"), ("Mannerh. 5", "Mannerheimintie 5"),
        ("Tanj. Pag. Centre", "Tanjong Pagar Centre"),
    ]) func a_full_stop_stands_for_the_rest_of_a_word(_ typed: String, _ wanted: String) async throws {
        try await Self.with { gazetteer in
            let found = try await gazetteer.names(typed)
            #expect(found.first == wanted)
        }
    }

    @Test func a_flat_is_left_out_and_said() async throws {
        try await Self.with { gazetteer in
            for (typed, leftOut) in [("Ottostraße 10 A #05-12", "#05-12"), ("Mannerheimintie 5 as 3", "as 3")] {
                let found = try await gazetteer.places.search(PlaceQuery(q: typed))
                #expect(found.items.first?.match == .name && found.leftOut == [leftOut], "\(typed): \(found)")
            }
        }
    }

    /// Words that are no address are what they were.
    @Test func numbers_that_are_names_are_names() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(
                """
                id,name,latitude,longitude,kind,address
                1,7-Eleven,1.30,103.85,shop,Kai 3
                2,5 a Day,1.30,103.85,shop,
                3,Terminal 2 Arrivals,1.30,103.85,station,
                4,A Street 5,1.30,103.85,address,
                """)
            for (typed, wanted, match) in [
                ("7 Eleven", "7-Eleven", PlaceMatch.name), ("7 El", "7-Eleven", .beginning),
                ("5 a day", "5 a Day", .name),
                ("terminal 2 a", "Terminal 2 Arrivals", .beginning), ("5 A Street", "A Street 5", .name),
            ] {
                let found = try await gazetteer.places.search(PlaceQuery(q: typed)).items
                #expect(found.first?.name == wanted && found.first?.match == match, "\(typed): \(found)")
            }
        }
    }
}
