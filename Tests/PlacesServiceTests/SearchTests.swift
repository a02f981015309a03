import Postgres
import Testing
import WireProtocol

@testable import PlacesService

/// What somebody finds while they type.
@Suite struct SearchTests {
    @Test func two_letters_are_enough_and_the_most_important_comes_first() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(towns)
            for (typed, wanted) in [
                ("He", ["Helsinki", "Helsinge"]), ("hel", ["Helsinki", "Helsinge"]),
                ("hels", ["Helsinki", "Helsinge"]),
                ("helsi", ["Helsinki", "Helsinge"]), ("HELSIN", ["Helsinki", "Helsinge"]), ("helsingf", ["Helsinki"]),
                ("sain", ["Saint-Étienne"]), ("Saint Et", ["Saint-Étienne"]), ("etienne", ["Saint-Étienne"]),
                ("york", ["York", "New York City"]), ("nyc", ["New York City"]), ("city", ["New York City"]),
                ("Хел", ["Helsinki"]), ("赫尔", ["Helsinki"]), ("ﾍﾙｼ", ["Helsinki"]), ("هلسن", ["Helsinki"]),
                ("esb", ["Espoo"]), ("xyzzy", []),
            ] {
                let found = try await gazetteer.names(typed)
                #expect(Array(found.prefix(wanted.count)) == wanted, "\(typed): \(found)")
            }
            let other = try await gazetteer.places.search(PlaceQuery(q: "helsingf")).items[0]
            #expect(other.foundBy == "Helsingfors" && other.match == .beginning)
            let own = try await gazetteer.places.search(PlaceQuery(q: "city")).items[0]
            #expect(own.foundBy == nil && own.match == .name)
        }
    }

    @Test func a_slip_of_the_finger_is_forgiven() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(towns)
            for (typed, wanted) in [
                ("helsnki", "Helsinki"), ("Springfeild", "Springfield"), ("saint etiene", "Saint-Étienne"),
                ("new yrok city", "New York City"), ("Yrok", "York"), ("Хельсикни", "Helsinki"),
                ("Хельсикни", "Helsinki"), ("Хелсьинки", "Helsinki"),
            ] {
                let found = try await gazetteer.names(typed)
                #expect(found.first == wanted, "\(typed): \(found)")
            }
        }
    }

    /// Of few letters any may be the wrong one; who has typed six that are some place's means it.
    @Test func what_is_one_letter_away_is_offered_besides_to_few_letters() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(
                """
                id,name,latitude,longitude,kind,population
                1,Merton,51.41,-0.19,town,200000
                2,Marton,54.53,-1.2,town,5000
                """)
            for (typed, wanted) in [
                ("mert", ["Merton", "Marton"]), ("merto", ["Merton", "Marton"]), ("merton", ["Merton"]),
                ("mortan", []), ("murton", ["Merton", "Marton"]),
            ] {
                let found = try await gazetteer.names(typed)
                #expect(found == wanted, "\(typed)")
            }
        }
    }

    @Test func a_town_behind_a_comma_may_be_spelt_with_or_without_accents() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(
                """
                id,name,latitude,longitude,kind,locality
                1,Oro,56.15,10.2,restaurant,Århus
                2,Oro,51.77,19.46,restaurant,Łódź
                3,Oro,45.43,4.39,restaurant,  Saint-Étienne
                4,Oro,60.17,24.95,restaurant,helsinki
                """)
            for (typed, wanted) in [
                ("oro, århus", "Århus"), ("oro, arh", "Århus"), ("oro, łód", "Łódź"), ("Oro, LODZ", "Łódź"),
                ("oro, saint e", "Saint-Étienne"), ("oro, Hel", "helsinki"),
            ] {
                let found = try await gazetteer.places.search(PlaceQuery(q: typed)).items.map(\.locality)
                #expect(found == [wanted], "\(typed)")
            }
        }
    }

    @Test func what_is_near_comes_first() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(towns, from: "towns")
            try await gazetteer.bring(Extract.text, as: .osm, from: "extract")
            let abroad = try await gazetteer.places.search(
                PlaceQuery(q: "hel", near: Position(latitude: 56, longitude: 12.2))
            ).items
            #expect(abroad.map(\.name) == ["Helsinge", "Helsinki"])
            #expect(abroad[0].distance.map { (2000...3500).contains($0) } == true)
            let missouri = try await gazetteer.names("springf", near: Position(latitude: 39.8, longitude: -89.6))
            #expect(missouri.count == 2)
            let near = try await gazetteer.places.search(
                PlaceQuery(q: "fa", near: Position(latitude: 60.17, longitude: 24.95))
            ).items
            #expect(near.first?.name == "Fabianinkatu 33" || near.first?.name == "Fabianinkatu")
            #expect(near.allSatisfy { $0.distance != nil })
        }
    }

    @Test func a_kind_and_a_region_leave_the_others_out() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(towns, from: "towns")
            try await gazetteer.bring("US\tUnited States\nUS.IL\tIllinois\nUS.MO\tMissouri\n", as: .regions)
            try await gazetteer.bring(Extract.text, as: .osm, from: "extract")
            let all = try await gazetteer.places.search(PlaceQuery(q: "springfield")).items
            #expect(all.map(\.region) == ["Missouri", "Illinois"])
            for typed in ["springfield, il", "Springfield, Illinois", "springfield illinois", "springfield，ill"] {
                let found = try await gazetteer.places.search(PlaceQuery(q: typed)).items
                #expect(found.map(\.region) == ["Illinois"], "\(typed)")
            }
            for typed in [
                "springfield, il, usa", "Springfield, Illinois, United States", "springfield, 62701 illinois, us",
            ] {
                let found = try await gazetteer.places.search(PlaceQuery(q: typed)).items
                #expect(found.map(\.region) == ["Illinois"], "\(typed)")
            }
            // Both are known, and nothing is in both.
            let nowhere = try await gazetteer.places.search(PlaceQuery(q: "springfield, illinois, missouri"))
            #expect(nowhere == PlaceSuggestions(items: []))
            let country = try await gazetteer.places.search(PlaceQuery(q: "springfield, us", limit: 1)).items
            #expect(country.map(\.region) == ["Missouri"])
            let cafes = try await gazetteer.names("engel", kind: .restaurant)
            #expect(cafes == ["Café Engel"])
            let noTown = try await gazetteer.names("engel", kind: .town)
            #expect(noTown == [])
            let streets = try await gazetteer.names("fabianin", kind: .street)
            #expect(streets == ["Fabianinkatu"])
            let kinds = try await gazetteer.places.search(PlaceQuery(q: "he", kind: .town)).items.map(\.kind)
            #expect(!kinds.isEmpty && kinds.allSatisfy { $0 == .town })
        }
    }

    @Test func short_names_are_found_among_many_that_begin_so() async throws {
        try await Gazetteer.with { gazetteer in
            let many = (1...300).map { "\($0),Iiland \($0),\(Double($0) / 10),10,town,900000\n" }
            try await gazetteer.bring(
                "id,name,latitude,longitude,kind,population\n" + many.joined() + "0,Ii,65.3,25.4,town,9000\n",
                inPiecesOf: 5000)
            let found = try await gazetteer.names("ii")
            #expect(found.contains("Ii"))
        }
    }

    /// However many streets are called so: those around the towns of that name are looked at.
    @Test func a_street_in_a_town_is_found_among_thousands_of_its_name() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(towns, from: "towns")
            let streets = (1...3000).map { "\($0),Station Road,\(Double($0) / 100),10,street,Elsewhere\n" }
            try await gazetteer.bring(
                "id,name,latitude,longitude,kind,locality\n" + streets.joined()
                    + "0,Station Road,53.96,-1.08,street,York\n",
                from: "streets", inPiecesOf: 5000)
            for typed in ["station road, york", "Station Ro, York"] {
                let found = try await gazetteer.places.search(PlaceQuery(q: typed)).items
                #expect(found.first?.locality == "York", "\(typed)")
            }
        }
    }

    @Test func words_of_other_names_and_numbers_in_front_are_understood() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(towns, from: "towns")
            try await gazetteer.bring(
                """
                id,name,latitude,longitude,kind,alternatives
                1,Kansalliskirjasto,60.17,24.95,school,The National Library
                2,Fabianinkatu 33,60.17,24.95,address,
                """, from: "campus")
            let library = try await gazetteer.names("national lib")
            #expect(library == ["Kansalliskirjasto"])
            let house = try await gazetteer.names("33 Fabianinkatu")
            #expect(house == ["Fabianinkatu 33"])
        }
    }

    @Test func one_joining_word_is_as_good_as_another() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(
                """
                id,name,latitude,longitude,kind,alternatives
                1,Marks & Spencer,60.17,24.95,shop,Marks and Spencer
                2,Fish and Chips,60.17,24.95,restaurant,
                3,Stoke Etna,60.17,24.95,town,
                """)
            for typed in [
                "marks & sp", "marks and", "Marks and Spencer", "marks und spencer", "marks spencer", "marks &",
            ] {
                let found = try await gazetteer.names(typed)
                #expect(found == ["Marks & Spencer"], "\(typed)")
            }
            let chips = try await gazetteer.names("fish & chi")
            #expect(chips == ["Fish and Chips"])
            let town = try await gazetteer.names("stoke et")
            #expect(town == ["Stoke Etna"])
        }
    }

    /// What older versions kept is what an import keeps now.
    @Test func names_that_were_kept_with_their_joining_words_are_found() async throws {
        try await Gazetteer.with { gazetteer in
            let lines =
                "id,name,latitude,longitude,kind,alternatives\n1,Fish and Chips,60.17,24.95,restaurant,Fish & Chips\n"
            try await gazetteer.bring(lines)
            let wanted = try await gazetteer.everything()
            let place = try #require(try await gazetteer.places.search(PlaceQuery(q: "fish")).items.first).id
            for (key, form) in [("fish and chips", 0), ("fish chips", 1), ("and chips", 2), ("chips", 2)] {
                if key == "fish and chips" { _ = try await gazetteer.pool.query("DELETE FROM names") }
                _ = try await gazetteer.pool.query(
                    """
                    INSERT INTO names SELECT \(place.uuid), \(key), 'restaurant', \(Int16(form)),
                        greatest(0, importance - (ARRAY[0, 0.05, 0.15])[\(form)::int + 1]), \(PlaceCell.number(of: helsinki))
                    FROM places
                    """)
            }
            let step = try #require(PlacesSchema.migrations.first { $0.number == 8 })
            // The functions are there; what the step does to rows is what is looked at.
            let rows = try #require(step.sql.split(separator: "-- The later words").last).drop { $0 != "\n" }
            try await gazetteer.pool.transaction { transaction in
                for statement in rows.split(separator: ";") where statement.contains(" ") {
                    try await transaction.query("\(unescaped: String(statement))")
                }
            }
            let kept = try await gazetteer.everything()
            #expect(kept == wanted)
        }
    }

    @Test func what_is_no_question_is_refused_at_its_field() async throws {
        try await Gazetteer.with { gazetteer in
            func fields(_ query: PlaceQuery) async throws -> [String] {
                do throws(PlaceError) { try PlaceSearch.check(query) } catch {
                    guard case .invalid(let errors) = error else { return [] }
                    return errors.map { "\($0.field) \($0.code)" }
                }
                return []
            }
            let long = String(repeating: "x", count: 101)
            #expect(try await fields(PlaceQuery(q: "h")) == ["q too_short"])
            #expect(try await fields(PlaceQuery(q: " \u{0}-- ?")) == ["q too_short"])
            #expect(try await fields(PlaceQuery(q: long)) == ["q too_long"])
            let nowhere = Position(latitude: 91, longitude: 0)
            #expect(
                try await fields(PlaceQuery(q: "he", near: nowhere, limit: 21)) == [
                    "near out_of_range", "limit out_of_range",
                ])
            await #expect(throws: PlaceError.self) { try await gazetteer.places.search(PlaceQuery(q: "a,b")) }
            for odd in ["%%aa", "a_a'; DROP TABLE names; --", "aa\\", "aa\u{0}bb", "\u{10FFFF}aa", "aa,"] {
                let found = try await gazetteer.names(odd)
                #expect(found == [], "\(odd)")
            }
        }
    }
}
