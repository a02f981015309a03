import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// What is looked for among cars, spaces and private parking, and how one comes back to it.
@Suite struct PageThingSearchTests {
    private static let part = [("HX-Request", "true"), ("HX-Target", "results")]

    @Test func days_that_are_over_are_not_looked_for_again() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            for (kept, shown) in [
                ("brand=Toyota&from=2020-01-01&until=2020-01-03", "/cars?brand=Toyota"),
                ("from=2020-01-01T10%3A00&until=2020-01-01T12%3A00", "/cars"),
                ("from=2999-01-01&until=2999-01-03", "/cars?from=2999-01-01&amp;until=2999-01-03"),
                ("from=soon&q=x", "/cars?from=soon&amp;q=x"),
                ("from=&until=2020-01-03&q=x", "/cars?from=&amp;until=2020-01-03&amp;q=x"),
            ] {
                visitor.cookies["kampong_cars"] = kept
                let spaces = try await visitor.get("/spaces").text
                #expect(spaces.contains("href=\"\(shown)\""), "\(kept)")
            }
        }
    }

    @Test func a_filter_that_is_sent_becomes_an_address_that_says_what_it_is() async throws {
        try await PageDoor.run { door in
            let visitor = try await door.join("Maya")
            let maya = try door.person("Maya")
            door.letThing(.car, "Yaris", by: maya) { ($0.brand, $0.model) = ("Toyota", "Yaris") }
            door.letThing(.car, "Jazz", by: maya) { ($0.brand, $0.model) = ("Honda", "Jazz") }
            let sent = try await visitor.get(
                "/cars?q=&sort=price&brand=Toyota&model=Yaris&region=&price=30&from=&until=&place=&place.at=")
            #expect(sent.status == 303)
            #expect(sent["Location"] == "/cars?sort=price&brand=Toyota&model=Yaris&price=30")
            let found = try await visitor.get("/cars?sort=price&brand=Toyota&model=Yaris&price=30")
            let query = try #require(try door.services.asked(ListingsMethods.things).last).parameters
            #expect(query.brand == "Toyota" && query.model == "Yaris" && query.kind == .car)
            #expect(query.sort == .price && query.highestPrice == 3000)
            #expect(found.text.contains(">Yaris</a>") && !found.text.contains(">Jazz</a>"))
            #expect(found.text.contains("<option value=\"Corolla\">") && found.text.contains("Up to 30"))
            // What narrows it is taken out one by one; a model goes with its brand.
            #expect(found.text.contains("href=\"/cars?sort=price&amp;price=30\""))
            #expect(found.text.contains("href=\"/cars?sort=price&amp;brand=Toyota&amp;price=30\""))
            // From elsewhere one comes back to it, until all are shown again.
            let back = "href=\"/cars?sort=price&amp;brand=Toyota&amp;model=Yaris&amp;price=30\""
            #expect(try await visitor.get("/spaces").text.contains(back))
            _ = try await visitor.get("/cars")
            #expect(try await visitor.get("/spaces").text.contains("href=\"/cars\""))
            #expect(try await visitor.get("/cars").text.contains("Choose a brand first"))
            // Who comes to the device next does not come back to it.
            _ = try await visitor.get("/cars?brand=Toyota")
            #expect(try await visitor.get("/spaces").text.contains("href=\"/cars?brand=Toyota\""))
            #expect(try await visitor.post("/sign-out", [:]).status == 303)
            #expect(try await visitor.get("/spaces").text.contains("href=\"/cars\""))
        }
    }

    @Test func what_is_wrong_stands_at_its_field() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            let over = ServiceError.invalid([FieldError("until", "before_from", "It ends before it begins.")])
            for (query, sentence) in [
                ("price=a+lot", "A price is a number"), ("region=Nowhere", "Choose one of the regions"),
                ("from=2026-12-01", "Say both, the beginning and the end."),
                ("from=2026-12-04&until=2026-12-01", "It ends before it begins."),
                ("sort=nearest", "Type an address, or choose another order."),
            ] {
                door.services.refuse(ListingsMethods.things, query.contains("until=") ? over : nil)
                let page = try await visitor.get("/cars?\(query)")
                #expect(page.status == 422 && page.text.contains(sentence), "\(query)")
                let isMarked = page.text.contains("aria-invalid=\"true\"")
                #expect(isMarked && page.text.contains("<details class=\"filters panel\" open"), "\(query)")
                let part = try await visitor.get("/cars?\(query)", Self.part)
                #expect(part.status == 200 && part.text.contains(sentence) && part["HX-Push-Url"] == nil, "\(query)")
            }
            // What nobody could ask for is said as it is to who asks.
            for (kind, field, code, sentence) in [
                ("cars", "from", "past", "That is over already."),
                ("spaces", "from", "too_late", "Nobody can ask for what is that far ahead."),
                ("private-parking", "from", "no_such_time", "Clocks are put forward over this hour"),
                ("cars", "until", "too_long", "That is longer than it may be."),
            ] {
                door.services.refuse(ListingsMethods.things, .invalid([FieldError(field, code, "No.")]))
                let page = try await visitor.get("/\(kind)?from=2026-12-01&until=2026-12-04")
                #expect(page.status == 422 && page.text.contains(sentence), "\(code)")
                #expect(page.text.contains("id=\"\(field)-error\""), "\(code)")
            }
            door.services.refuse(ListingsMethods.things, over)
            // All that is wrong at once, whoever finds it: prices and regions are read here, periods by listings.
            let several = "price=a+lot&region=Nowhere&from=2026-12-04&until=2026-12-01&sort=nearest"
            let sentences = [
                "A price is a number", "Choose one of the regions", "It ends before it begins.",
                "Type an address, or choose another order.",
            ]
            let page = try await visitor.get("/cars?\(several)")
            let part = try await visitor.get("/cars?\(several)", Self.part)
            for sentence in sentences {
                #expect(page.text.contains(sentence) && part.text.contains(sentence), "\(sentence)")
            }
            #expect(page.status == 422 && page.text.components(of: "aria-invalid=\"true\"") == 4)
            #expect(page.text.components(of: "autofocus") == 1)
            // What listings finds wrong with the words stands at the field for them.
            door.services.refuse(
                ListingsMethods.things, .invalid([FieldError("q", "too_long", "At most some words.")]))
            let words = try await visitor.get("/cars?q=one&price=a+lot").text
            #expect(words.contains("id=\"q-error\">That is more than a title holds"))
            #expect(words.contains("A price is a number"))
            door.services.refuse(ListingsMethods.things, nil)
            // A place that was typed and not chosen is offered, and keeps the rest of the form.
            door.knowPlaces()
            let typed = try await visitor.get("/cars?price=30&place=Kluu&place.at=")
            #expect(typed.status == 422 && typed.text.contains("Which one do you mean?"))
            #expect(typed.text.contains("name=\"place.for\" value=\"Kluu\"") && typed.text.contains("value=\"30\""))
        }
    }

    @Test func typing_changes_the_list_and_the_address() async throws {
        try await PageDoor.run { door in
            _ = try await door.join("Maya")
            let maya = try door.person("Maya")
            door.letThing(.car, "Van with a roof", by: maya)
            door.letThing(.car, "Small one", by: maya) { $0.description = "Fits under any ROOF." }
            door.letThing(.car, "Convertible", by: maya)
            let visitor = PageVisitor(port: door.port)
            let typing = Self.part + [("HX-Trigger-Name", "q"), ("HX-Current-URL", "http://share.example/cars")]
            let found = try await visitor.get("/cars?q=roof&place=", typing)
            #expect(found.text.hasPrefix("<div id=\"results\"") && found["HX-Push-Url"] == "/cars?q=roof")
            #expect(found.text.contains("Van with a roof") && found.text.contains("Small one"))
            #expect(!found.text.contains("Convertible") && found.text.contains("data-said=\"2 cars\""))
            #expect(!found.text.contains("id=\"models\""))
            let on = Self.part + [("HX-Trigger-Name", "q"), ("HX-Current-URL", "http://share.example/cars?q=roof")]
            let none = try await visitor.get("/cars?q=roofless&place=", on)
            #expect(none["HX-Replace-Url"] == "/cars?q=roofless" && none.text.contains("Nothing fits"))
            let chosen = Self.part + [("HX-Trigger-Name", "brand")]
            let brand = try await visitor.get("/cars?q=&brand=Toyota&place=", chosen)
            #expect(brand.text.contains("hx-swap-oob=\"true\"") && brand.text.contains("<option value=\"Yaris\">"))
        }
    }

    @Test func a_long_list_goes_on_and_an_empty_one_says_what_to_do() async throws {
        try await PageDoor.run { door in
            _ = try await door.join("Maya")
            let visitor = PageVisitor(port: door.port)
            let empty = try await visitor.get("/spaces")
            #expect(empty.text.contains("No spaces are shared yet") && empty.text.contains("href=\"/spaces/new\""))
            let maya = try door.person("Maya")
            for number in 0..<30 { door.letThing(.space, "Cellar \(number)", by: maya) }
            let first = try await visitor.get("/spaces")
            #expect(first.text.contains("hx-get=\"/spaces?cursor=24\""))
            #expect(first.text.contains("data-said=\"24+ spaces\""))
            let more = try await visitor.get("/spaces?cursor=24", [("HX-Request", "true"), ("HX-Target", "more")])
            #expect(more.text.components(separated: "<li class=\"card thing\"") == 6)
            #expect(!more.text.contains("<html"))
        }
    }
}

extension String {
    /// How often something is in it.
    fileprivate func components(separated text: String) -> Int {
        var (count, rest) = (0, self[...])
        while let found = rest.firstRange(of: text) {
            count += 1
            rest = rest[found.upperBound...]
        }
        return count
    }
}
