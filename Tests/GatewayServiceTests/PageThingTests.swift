import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Cars, spaces and private parking: looked for, narrowed, opened.
@Suite struct PageThingTests {
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
            #expect(page.text.contains("Message Maya") && page.text.contains("/report?kind=thing"))
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
            door.taken.mutate { $0[away.id] = [TakenPeriod(from: (today + -3).text, until: last.text)] }
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
            let days = TakenPeriod(from: rental.from, until: rental.until, rental: rental.id)
            door.rentals.mutate { [rental] in $0 = [rental] }
            door.taken.mutate { $0[car.id] = [days] }
            door.things.mutate { [rental] in ($0[0].action, $0[0].rental) = (.unavailable, rental.id) }
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
            door.waits([.of(rental, .requested)])
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
            door.services.refuse(ListingsMethods.things, ServiceError(.unavailable, "Away."))
            door.services.refuse(PeerRole.listings.methods.waiting, ServiceError(.unavailable, "Away."))
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
            for path in ["/", "/cars", "/cars/\(car.id)", "/people/\(car.owner.id)", "/report?kind=thing&id=\(car.id)"]
            {
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
