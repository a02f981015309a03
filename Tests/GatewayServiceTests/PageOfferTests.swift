import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Offering a ride, step by step, without scripts: what one step says is kept in the page of the next.
@Suite struct PageOfferTests {
    static let path = "/rides/new"
    static let places = [
        "from": "Fabianinkatu 33, Testholm", "from.at": "60.1712,24.9501 Fabianinkatu 33, Testholm",
        "to": "Kluuvi, Testholm", "to.at": "60.173,24.952 Kluuvi, Testholm",
    ]
    static let times = ["day": "2027-03-05", "time": "17:00"]
    static let terms = [
        "seats": "3", "cost": "12,50", "detour": "7.5", "luggage": "medium", "accepts": "verified",
        "notes": "No <i>smoking</i>.",
    ]

    /// Up to where all of it is looked over.
    private func lookOver(_ visitor: PageVisitor, _ changes: [String: String] = [:]) async throws -> RawResponse {
        let form = Self.places.merging(Self.times) { $1 }.merging(Self.terms) { $1 }.merging(changes) { $1 }
        return try await visitor.post(
            Self.path, form.merging(["step": "seats", "key": Visit.newKey(), "go": "next"]) { $1 })
    }

    @Test func three_steps_lead_to_a_ride_that_can_be_found() async throws {
        try await PageDoor.run { door in
            let carpool = PageCarpool(at: door)
            let maya = try await door.join("Maya")
            let first = try await maya.get(Self.path)
            #expect(first.text.contains("Step 1 of 3") && first.text.contains("Where do you go?"))
            #expect(first.text.contains("data-places") && first.text.contains("/js/combobox.js"))
            // Typed and not chosen: which one is asked for, at the field.
            let typed = ["from": "Fabian", "to": "Kluuvi, Testholm", "to.at": Self.places["to.at"]!]
            let asked = try await maya.press(first, typed)
            #expect(asked.status == 422 && asked.text.contains("Several places are called so."))
            #expect(asked.text.contains("id=\"from-error\"") && asked.text.contains("Step 1 of 3"))
            let choice = "60.1712,24.9501 Fabianinkatu 33, Testholm"
            #expect(asked.text.contains("value=\"\(choice)\""))
            let chosen = ["from": "Fabian", "from.for": "Fabian", "from.at": choice]
            let more = try await maya.press(asked, typed.merging(chosen) { $1 }, go: "add")
            #expect(more.status == 200 && more.text.contains("name=\"stop1\"") && more.text.contains("Stop 1"))
            let stop = ["stop1": "Fabianinkatu, Testholm", "stop1.at": "60.1711,24.95 Fabianinkatu, Testholm"]
            let when = try await maya.press(more, Self.places.merging(stop) { $1 })
            #expect(when.status == 200 && when.text.contains("Step 2 of 3") && when.text.contains("type=\"time\""))
            #expect(when.text.kept["from.at"] == choice && when.text.kept["stops"] == "1")
            let seats = try await maya.press(when, Self.times.merging(["until": "00:30"]) { $1 })
            #expect(seats.text.contains("Step 3 of 3") && seats.text.contains("Cost of a seat in EUR"))
            carpool.warnings.mutate { $0 = [.roundabout] }
            carpool.highest.mutate { $0 = Money(amount: 2800, currency: "EUR") }
            let summary = try await maya.press(seats, Self.terms)
            for text in [
                "Is everything right?", "Friday, 5 March 2027, 17:00", "60 km", "Fabianinkatu 33, Testholm",
                "Are they in the right order?", "at most €28 here", "€6.25", "€12.50", "up to 7.5 km", "3 seats",
                "No &lt;i&gt;smoking&lt;/i&gt;.", "name=\"go\" value=\"submit\"",
            ] { #expect(summary.text.contains(text), "\(text)") }
            #expect(try door.services.asked(RidesMethods.postRide).isEmpty)
            let sent = try await maya.press(summary, go: "submit")
            let ride = try #require(carpool.rides.value.first)
            #expect(sent["Location"] == "/rides/\(ride.id)/offered")
            let draft = try #require(try door.services.asked(RidesMethods.postRide).first?.content)
            // The door is the riders', the street everybody's.
            #expect(
                draft.stops?.map(\.name) == ["Fabianinkatu, Testholm", "Fabianinkatu, Testholm", "Kluuvi, Testholm"])
            #expect(draft.stops?.map(\.address) == ["Fabianinkatu 33, Testholm", nil, nil])
            #expect(draft.stops?.first?.position == Position(latitude: 60.1712, longitude: 24.9501))
            #expect(draft.departsAt == "2027-03-05T17:00" && draft.leavesBy == "2027-03-06T00:30")
            #expect(draft.cost == Money(amount: 1250, currency: "EUR") && draft.maxDetour == 7500)
            #expect(draft.luggage == .medium && draft.accepts == .verified && draft.seats == 3)
            let done = try await maya.get("/rides/\(ride.id)/offered")
            #expect(done.text.contains("Your ride can be found") && done.text.contains("href=\"/rides/\(ride.id)\""))
            #expect(done.text.contains("href=\"/rides/new?back=\(ride.id)\""))
            #expect(done.text.contains("href=\"/rides/mine\""))
            let back = try await maya.get("/rides/new?back=\(ride.id)")
            #expect(back.text.contains("id=\"from\" name=\"from\" type=\"text\" value=\"Kluuvi, Testholm\""))
            #expect(try await door.join("Ben").get("/rides/\(ride.id)/offered").status == 403)
        }
    }

    @Test func back_and_the_links_of_the_summary_keep_all_that_was_typed() async throws {
        try await PageDoor.run { door in
            _ = PageCarpool(at: door)
            let maya = try await door.join("Maya")
            let summary = try await lookOver(maya, ["stops": "1", "stop1": "Kai", "stop1.at": "60.2,24.9 Kai"])
            let back = try await maya.press(summary, go: "back")
            #expect(back.status == 200 && back.text.contains("Step 3 of 3"))
            #expect(back.text.contains("value=\"12,50\"") && back.text.contains("No &lt;i&gt;smoking"))
            // What can't be read is no reason to stay.
            let when = try await maya.press(back, Self.terms.merging(["seats": "many"]) { $1 }, go: "back")
            #expect(when.text.contains("Step 2 of 3") && when.text.contains("value=\"2027-03-05\""))
            #expect(when.text.kept["seats"] == "many")
            let places = try await maya.press(when, Self.times, go: "back")
            #expect(places.text.contains("Step 1 of 3") && places.text.contains("value=\"60.2,24.9 Kai\""))
            let stop = ["stop1": "Kai", "stop1.at": "60.2,24.9 Kai"]
            let dropped = try await maya.press(places, Self.places.merging(stop) { $1 }, go: "drop 0")
            #expect(!dropped.text.contains("name=\"stop1\"") && dropped.text.contains("Fabianinkatu 33, Testholm"))
            // What was looked over once is looked over again after the step that is changed.
            let edit = try await maya.press(summary, go: "when")
            #expect(edit.text.contains("Step 2 of 3") && edit.text.kept["whole"] == "yes")
            let again = try await maya.press(edit, ["day": "2027-03-06", "time": "18:00"])
            #expect(again.text.contains("Is everything right?"))
            let quoted = try #require(try door.services.asked(RidesMethods.quoteRide).last?.content)
            #expect(quoted.departsAt == "2027-03-06T18:00" && quoted.stops?.count == 3)
        }
    }

    @Test func what_is_wrong_stands_at_its_field_on_its_step() async throws {
        try await PageDoor.run { door in
            let carpool = PageCarpool(at: door)
            let maya = try await door.join("Maya")
            let nothing = try await maya.post(Self.path, ["step": "where", "go": "next", "key": "one"])
            #expect(nothing.status == 422 && nothing.text.components(of: "Which place? Type it") == 2)
            let unknown = try await maya.post(
                Self.path, Self.places.merging(["step": "where", "from": "Atlantis", "key": "one"]) { $1 })
            #expect(unknown.status == 422 && unknown.text.contains("No place of that name is known here."))
            let noTime = try await maya.post(
                Self.path, Self.places.merging(["step": "when", "day": "2027-02-30", "until": "late"]) { $1 })
            #expect(noTime.status == 422 && noTime.text.contains("A day, please."))
            #expect(noTime.text.contains("At which time?") && noTime.text.contains("A time of day, such as 18:30."))
            let odd = try await lookOver(maya, ["seats": "two", "cost": "much", "detour": "-1"])
            for sentence in [
                "Step 3 of 3", "A whole number, such as 3.", "A price is a number, zero or more",
                "Kilometres, such as 5",
            ] { #expect(odd.text.contains(sentence), "\(sentence)") }
            #expect(try door.services.asked(RidesMethods.quoteRide).isEmpty)
            // What the service says, at the first step that has it.
            for (field, code, step, sentence) in [
                ("stops.1", "too_close", 1, "This is where the place before it is."),
                ("stops.0.position", "out_of_range", 1, "No road goes there."),
                ("stops", "too_far", 1, "At most 3,000 km"), ("departsAt", "in_past", 2, "That time is over."),
                ("departsAt", "no_such_time", 2, "Clocks are put forward then"),
                ("leavesBy", "too_long", 2, "At most six hours after"),
                ("seats", "out_of_range", 3, "At least one seat"),
                ("cost.amount", "too_dear", 3, "may not cost that much here"),
                ("maxDetour", "out_of_range", 3, "At most a quarter of the way"),
                ("notes", "too_long", 3, "1,000 characters"),
            ] {
                door.services.refuse(RidesMethods.quoteRide, .invalid([FieldError(field, code, "No.")]))
                let refused = try await lookOver(maya)
                #expect(refused.status == 422, "\(field)")
                #expect(
                    refused.text.contains("Step \(step) of 3") && refused.text.contains(sentence), "\(field) \(code)")
                #expect(refused.text.contains("aria-invalid=\"true\""), "\(field)")
                #expect(refused.text.kept["whole"] == nil)
            }
            // The highest cost is told where it can be had.
            carpool.highest.mutate { $0 = Money(amount: 2800, currency: "EUR") }
            door.services.on(RidesMethods.quoteRide) { request in
                guard request.content.cost?.amount == 0 else {
                    throw ServiceError.invalid([FieldError("cost.amount", "too_dear", "Less.")])
                }
                return RideQuote(
                    stops: [], departsAt: Date(), arrivesAt: Date(), zone: "UTC", length: 1,
                    highestCost: carpool.highest.value)
            }
            #expect(try await lookOver(maya).text.contains("On this way a seat may cost at most €28 here."))
            door.services.refuse(RidesMethods.quoteRide, ServiceError(.unavailable, "Away."))
            let away = try await lookOver(maya)
            #expect(away.status == 503 && away.text.contains("Step 3 of 3") && away.text.contains("value=\"12,50\""))
        }
    }

    @Test func a_ride_is_posted_once_and_another_one_at_that_time_is_named() async throws {
        try await PageDoor.run { door in
            let carpool = PageCarpool(at: door)
            let maya = try await door.join("Maya")
            let summary = try await lookOver(maya)
            let form = summary.text.kept.merging(["go": "submit"]) { $1 }
            let other = RideID.new()
            let twice = ServiceError(.duplicate, "Yours.", errors: [FieldError("ride", "\(other)", "This is it.")])
            door.services.refuse(RidesMethods.postRide, twice)
            let refused = try await maya.post(Self.path, form)
            #expect(refused.status == 409 && refused.text.contains("You drive such a ride at about that time already."))
            #expect(refused.text.contains("href=\"/rides/\(other)\"") && refused.text.contains("Is everything right?"))
            door.services.refuse(RidesMethods.postRide, .invalid([FieldError("departsAt", "in_past", "Over.")]))
            #expect(try await maya.post(Self.path, form).text.contains("Step 2 of 3"))
            door.services.refuse(RidesMethods.postRide, .lost)
            let lost = try await maya.post(Self.path, form)
            #expect(lost.status == 503 && lost.text.kept["key"] == form["key"])
            door.services.refuse(RidesMethods.postRide, nil)
            #expect(try await maya.post(Self.path, form).status == 303)
            let asked = try door.services.asked(RidesMethods.postRide)
            #expect(Set(asked.map(\.id)).count == 1 && asked.allSatisfy { $0.content == asked[0].content })
            door.services.refuse(RidesMethods.postRide, .doneBefore)
            #expect(try await maya.post(Self.path, form)["Location"] == "/rides/mine?done=offer.before")
            #expect(carpool.rides.value.count == 1)
            #expect(try await PageVisitor(port: door.port).get(Self.path)["Location"]?.hasPrefix("/sign-in") == true)
        }
    }

    @Test(
        arguments: [
            ("7", 7000), ("7.5", 7500), ("0,25", 250), ("0", 0), ("", nil), ("-1", nil), ("1e3", nil), ("far", nil),
            ("1.2.3", nil), ("999999", nil),
        ] as [(String, Int?)])
    func typed_kilometres(_ typed: String, _ metres: Int?) {
        #expect(Kilometres.metres(typed) == metres)
    }

    @Test func what_everybody_may_know_of_a_place_has_no_number_of_a_house() {
        let at = Position(latitude: 60, longitude: 25)
        let house = PlaceChoice(position: at, label: "Fabianinkatu 33 B, Testholm")
        #expect(house.open == "Fabianinkatu, Testholm" && house.door == house.label)
        let town = PlaceChoice(position: at, label: "Testholm")
        #expect(town.open == "Testholm" && town.door == nil)
        let number = PlaceChoice(position: at, label: "101")
        #expect(number.open == "101" && number.door == nil)
    }
}

extension PageVisitor {
    /// Presses a button of a step in which a ride is offered, with what is typed there.
    func press(
        _ page: RawResponse, _ typed: [String: String] = [:], go: String = "next"
    ) async throws -> RawResponse {
        try await post(PageOfferTests.path, page.text.kept.merging(typed) { $1 }.merging(["go": go]) { $1 })
    }
}
