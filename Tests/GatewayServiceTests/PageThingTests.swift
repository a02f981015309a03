import FoundationEssentials
import Synchronization
import Testing
import WireProtocol

@testable import GatewayService

/// Cars, spaces and private parking: looked for, narrowed, opened.
@Suite struct PageThingTests {
    private static let part = [("HX-Request", "true"), ("HX-Target", "results")]

    @Test func anybody_looks_at_what_is_for_rent_kind_by_kind() async throws {
        try await PageDoor.run { door in
            _ = try await door.join("Maya")
            let maya = try door.person("Maya")
            door.letThing(.car, "A quiet Yaris", by: maya) {
                ($0.brand, $0.model, $0.region, $0.plate) = ("Toyota", "Yaris", "North", "ABC-123")
            }
            door.letThing(.space, "A dry cellar", by: maya) { ($0.size, $0.place) = (12, "Well Street") }
            door.letThing(.parking, "A driveway", by: maya) { $0.terms.price = nil }
            let visitor = PageVisitor(port: door.port)
            let cars = try await visitor.get("/cars")
            #expect(cars.status == 200 && cars.text.contains("A quiet Yaris") && cars.text.contains("Toyota Yaris"))
            #expect(cars.text.contains("€25 a day") && cars.text.contains("North"))
            #expect(!cars.text.contains("A dry cellar") && !cars.text.contains("ABC-123"))
            let spaces = try await visitor.get("/spaces")
            #expect(spaces.text.contains("A dry cellar") && spaces.text.contains("12 m²"))
            #expect(spaces.text.contains("Well Street") && !spaces.text.contains("name=\"brand\""))
            let parking = try await visitor.get("/private-parking")
            #expect(parking.text.contains("A driveway") && parking.text.contains(">No charge<"))
            #expect(parking.text.contains("type=\"datetime-local\"") && parking.text.contains("step=\"3600\""))
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
            for (query, sentence) in [
                ("price=a+lot", "A price is a number"), ("region=Nowhere", "Choose one of the regions"),
                ("from=2026-12-01", "Say both, the beginning and the end."),
                ("from=2026-12-04&until=2026-12-01", "It ends before it begins."),
                ("sort=nearest", "Type an address, or choose another order."),
            ] {
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
                door.refuse("listings.things", with: .invalid([FieldError(field, code, "No.")]))
                let page = try await visitor.get("/\(kind)?from=2026-12-01&until=2026-12-04")
                #expect(page.status == 422 && page.text.contains(sentence), "\(code)")
                #expect(page.text.contains("id=\"\(field)-error\""), "\(code)")
            }
            door.refuse("listings.things", with: nil)
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
            door.refuse(
                "listings.things", with: .invalid([FieldError("q", "too_long", "At most some words.")]))
            let words = try await visitor.get("/cars?q=one&price=a+lot").text
            #expect(words.contains("id=\"q-error\">That is more than a title holds"))
            #expect(words.contains("A price is a number"))
            door.refuse("listings.things", with: nil)
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

    @Test func a_thing_says_all_that_one_may_know_of_it() async throws {
        try await PageDoor.run { door in
            let own = try await door.join("Maya")
            let ben = try await door.join("Ben")
            let car = door.letThing(.car, "Yaris", by: try door.person("Maya")) {
                ($0.brand, $0.model, $0.region, $0.place) = ("Toyota", "Yaris", "North", "Well Street")
                ($0.plate, $0.description, $0.photos) = ("ABC-123", "Quiet.", ["one", "two"])
                $0.position = Position(latitude: 60.1725, longitude: 24.9525)
                $0.terms.longest = 7
                $0.available = AvailableDays(from: "2026-12-01", until: nil)
            }
            let page = try await ben.get("/cars/\(car.id)")
            #expect(page.status == 200 && page.text.contains("href=\"/things/\(car.id)/rent\""))
            #expect(page.text.contains("Ask to rent") && page.text.contains("7 days") && page.text.contains("Quiet."))
            #expect(page.text.contains("Moderate: no charge until five days before"))
            #expect(page.text.contains("Well Street, North. The map shows the area"))
            #expect(page.text.contains("data-area=") && !page.text.contains("geo:"))
            #expect(page.text.contains("Message Maya") && page.text.contains("/report?kind=post"))
            #expect(page.text.contains("Picture 2 of Yaris") && !page.text.contains("ABC-123"))
            #expect(page.text.contains("data-months"))
            let owned = try await own.get("/cars/\(car.id)")
            #expect(owned.text.contains("Your own car") && owned.text.contains("href=\"/things/\(car.id)/edit\""))
            #expect(owned.text.contains("ABC-123 (only you see it)") && !owned.text.contains("Message Maya"))
            let elsewhere = try await ben.get("/spaces/\(car.id)?from=2026-12-01&until=2026-12-02")
            #expect(elsewhere["Location"] == "/cars/\(car.id)?from=2026-12-01&until=2026-12-02")
            #expect(try await ben.get("/things/\(car.id)")["Location"] == "/cars/\(car.id)")
            #expect(try await ben.get("/posts/\(car.id)")["Location"] == "/cars/\(car.id)")
            #expect(try await ben.get("/cars/\(ThingID.new())").status == 404)
            let stranger = try await PageVisitor(port: door.port).get("/cars/\(car.id)")
            #expect(stranger.status == 200 && !stranger.text.contains("/report?"))
        }
    }

    @Test func there_is_exactly_one_button() async throws {
        try await PageDoor.run { door in
            _ = try await door.join("Maya")
            let ben = try await door.join("Ben")
            let maya = try door.person("Maya")
            let rental = RentalID.new()
            let asked = door.letThing(.space, "Asked", by: maya) { ($0.action, $0.rental) = (.cancel, rental) }
            let away = door.letThing(.space, "Away", by: maya) { $0.action = .unavailable }
            let over = door.letThing(.space, "Over", by: maya) { ($0.action, $0.state) = (.unavailable, .withdrawn) }
            let today = WallTime(at: Date(), in: away.terms.zone).day
            let last = today + 11
            door.backend.state.withLock {
                $0.taken[away.id] = [TakenPeriod(from: (today + -3).text, until: last.text)]
            }
            let cancel = try await ben.get("/spaces/\(asked.id)")
            #expect(cancel.text.contains("href=\"/rentals/\(rental)/cancel\"") && cancel.text.contains("Cancel rent"))
            let taken = try await ben.get("/spaces/\(away.id)")
            #expect(taken.text.contains("disabled>") && taken.text.contains("Unavailable"))
            let until = CivilText.date(last, in: PageRenderingTests.english)
            #expect(taken.text.contains("Somebody has it until \(until)."))
            #expect(taken.text.contains("Ask for another time"))
            let withdrawn = try await ben.get("/spaces/\(over.id)")
            #expect(withdrawn.text.contains("It is not on offer just now.") && !withdrawn.text.contains("/rent\""))
            for page in [cancel, taken, withdrawn] {
                let all = ["Rent now", "Ask to rent", "Cancel rent", "Unavailable", "Your own"]
                let buttons = all.filter { page.text.contains($0) }
                #expect(buttons.count == 1, "\(buttons)")
            }
        }
    }

    @Test func rent_now_is_said_only_where_asking_is_having() async throws {
        try await PageDoor.run { door in
            _ = try await door.join("Maya")
            let ben = try await door.join("Ben")
            let maya = try door.person("Maya")
            let atOnce = door.letThing(.car, "At once", by: maya) { $0.terms.isInstant = true }
            let asked = door.letThing(.car, "Asked for", by: maya)
            let now = try await ben.get("/cars/\(atOnce.id)").text
            #expect(now.contains("Rent now") && !now.contains("Ask to rent"))
            let first = try await ben.get("/cars/\(asked.id)").text
            #expect(first.contains("Ask to rent") && !first.contains("Rent now"))
        }
    }

    @Test func who_has_it_is_told_so_with_the_way_to_the_agreement() async throws {
        try await PageDoor.run { door in
            _ = try await door.join("Maya")
            let renter = try await door.join("Ben")
            let car = door.letThing(.car, "Yaris", by: try door.person("Maya"))
            let today = WallTime(at: Date(), in: car.terms.zone).day
            var rental = Rental.of(car, (today + -1).text, (today + 3).text, .handedOver)
            rental.renter = try door.person("Ben").summary
            door.backend.state.withLock { [rental] state in
                state.rentals = [rental]
                state.taken[car.id] = [TakenPeriod(from: rental.from, until: rental.until, rental: rental.id)]
                for index in state.things.indices {
                    (state.things[index].action, state.things[index].rental) = (.unavailable, rental.id)
                }
            }
            let page = try await renter.get("/cars/\(car.id)").text
            let until = CivilText.date(today + 3, in: PageRenderingTests.english)
            #expect(page.contains("You have it until \(until).") && !page.contains("Somebody has it"))
            #expect(page.contains("<a href=\"/rentals/\(rental.id)\">See how it stands</a>"))
        }
    }

    @Test func the_door_is_shown_with_the_way_to_who_may_know_it_and_what_is_hidden_says_why() async throws {
        try await PageDoor.run { door in
            _ = try await door.join("Maya")
            let ben = try await door.join("Ben")
            let maya = try door.person("Maya")
            let exact = door.letThing(.parking, "Driveway", by: maya) {
                ($0.isExact, $0.address) = (true, "Well Street 4")
                $0.position = Position(latitude: 60.1712, longitude: 24.9501)
            }
            let page = try await ben.get("/private-parking/\(exact.id)")
            #expect(page.text.contains("Well Street 4") && page.text.contains("geo:60.1712,24.9501"))
            #expect(!page.text.contains("data-area="))
            let hidden = door.letThing(.car, "Hidden", by: maya) {
                $0.hidden = Hiding(at: Date(), reason: "Not a car.")
            }
            #expect(try await ben.get("/cars/\(hidden.id)").text.contains("Why: Not a car."))
        }
    }

    @Test func home_shows_what_is_new_and_what_waits() async throws {
        try await PageDoor.run { door in
            let own = try await door.join("Maya")
            _ = try await door.join("Ben")
            let (maya, ben) = (try door.person("Maya"), try door.person("Ben"))
            let car = door.letThing(.car, "Yaris", by: maya)
            door.letThing(.space, "Cellar", by: maya)
            let rental = Rental(
                id: .new(), thing: RentedThing(id: car.id, kind: .car, title: "Yaris"), owner: maya.summary,
                renter: ben.summary, role: .owner, state: .requested, from: "2026-12-01", until: "2026-12-02",
                zone: "Europe/Helsinki", startsAt: Date(timeIntervalSinceNow: 9e5),
                endsAt: Date(timeIntervalSinceNow: 1e6), units: 2, terms: car.terms, cost: nil, owed: nil,
                message: nil, requestedAt: Date(), answerBy: Date(timeIntervalSinceNow: 7200), changedAt: Date(),
                changedBy: nil, reason: nil, evidence: [], possible: [.accept, .decline])
            door.backend.state.withLock { $0.rentals = [rental] }
            let home = try await own.get("/")
            #expect(home.text.contains("href=\"/rentals/\(rental.id)\"") && home.text.contains("Ben asks for it"))
            #expect(home.text.contains("Cars of your neighbours") && home.text.contains("Spaces and private parking"))
            for path in ["/cars", "/spaces", "/private-parking", "/parking"] {
                #expect(home.text.contains("<a class=\"chip\" href=\"\(path)\""), "\(path)")
            }
            let person = try await own.get("/people/\(maya.id)")
            #expect(person.text.contains("What you let") && person.text.contains("Cellar"))
            let share = try await own.get("/share")
            for path in ["/cars/new", "/spaces/new", "/private-parking/new"] {
                #expect(share.text.contains("href=\"\(path)\""), "\(path)")
            }
            door.refuse("listings.things", with: ServiceError(.unavailable, "Away."))
            door.refuse("listings.rentals", with: ServiceError(.unavailable, "Away."))
            #expect(try await own.get("/").status == 200)
            #expect(try await own.get("/cars").status == 503)
        }
    }

    @Test func words_of_things_stay_words() async throws {
        let hostile = "\"\u{301} autofocus <b>&'\u{308} {{t.frame.me}}"
        try await PageDoor.run { door in
            _ = try await door.join("Maya")
            let ben = try await door.join("Ben")
            let car = door.letThing(.car, hostile, by: try door.person("Maya")) {
                ($0.description, $0.brand, $0.place, $0.region) = (hostile, hostile, hostile, hostile)
                $0.position = Position(latitude: 60.17, longitude: 24.95)
            }
            for path in ["/", "/cars", "/cars/\(car.id)", "/people/\(car.owner.id)", "/report?kind=post&id=\(car.id)"] {
                let page = try await ben.get(path)
                #expect(page.status == 200 && !page.text.contains("<b>") && page.text.contains("&lt;"), "\(path)")
            }
            let typed = try await ben.get("/cars?q=%22%3E%3Cscript%3E")
            #expect(!typed.text.contains("\"><script>"))
            let odd = try await ben.get("/cars?sort=x&near=here&cursor=%00&from=%22")
            #expect(odd.status == 422)
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
