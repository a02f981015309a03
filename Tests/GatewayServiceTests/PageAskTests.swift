import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Asking for seats: a part of the way, what it costs, and what is wrong with it.
@Suite struct PageAskTests {
    struct Two: Sendable {
        let carpool: PageCarpool
        let driver: PageVisitor
        let rider: PageVisitor
        let ride: Ride
        var path: String { "/rides/\(ride.id)/ask" }
    }

    static func two(_ door: PageDoor, _ change: (inout Ride) -> Void = { _ in }) async throws -> Two {
        let carpool = PageCarpool(at: door)
        let (driver, rider) = (try await door.join("Maya"), try await door.join("Ben"))
        return Two(carpool: carpool, driver: driver, rider: rider, ride: carpool.drive(try door.person("Maya"), change))
    }

    private static let typed = [
        "from": "0", "to": "1", "seats": "2", "riders": "Ava, , Tom", "message": "Two bags <b>",
    ]

    @Test func the_cost_of_a_part_is_shown_before_it_is_asked_for() async throws {
        try await PageDoor.run { door in
            let two = try await Self.two(door)
            let page = try await two.rider.get(two.path)
            #expect(page.status == 200 && page.text.contains("€12") && page.text.contains("Ask Maya"))
            #expect(
                page.text.contains("Mill Lane, Testholm, 17:00") && page.text.contains("at most 5 km out of the way"))
            // As htmx asks: the part alone.
            let part = try await two.rider.get(
                "\(two.path)?from=0&to=1&seats=2", [("HX-Request", "true"), ("HX-Target", "shown")])
            #expect(part.text.hasPrefix("<div class=\"stack tight\" id=\"shown\"") && !part.text.contains("<html"))
            #expect(part.text.contains("2 seats · recorded here, paid in the car"))
            // Without scripts: another part than the one whose cost the page shows.
            let form = Self.typed.merging(["key": "one", "do": "ask", "within": "6"]) { $1 }
            let review = try await two.rider.post(two.path, page.text.kept.merging(form) { $1 })
            #expect(review.status == 200 && review.text.contains("This is what it costs. “Ask Maya” goes on"))
            for text in [
                "Friday, 5 March 2027, 17:00", "Harbour", "€12", "Ava, , Tom", "Two bags &lt;b&gt;", "6 hours",
                "Maya is asked, and you hear from us",
            ] { #expect(review.text.contains(text), "\(text)") }
            #expect(try door.services.asked(RidesMethods.requestSeat).isEmpty)
            let kept = review.text.kept
            let again = try await two.rider.post(two.path, kept.merging(["do": "change"]) { $1 })
            #expect(again.status == 200 && again.text.contains("value=\"Ava, , Tom\""))
            #expect(again.text.contains("<option value=\"1\" selected>Harbour"))
            let sent = try await two.rider.post(two.path, kept.merging(["do": "ask"]) { $1 })
            let request = try #require(two.carpool.requests.value.first)
            #expect(sent["Location"] == "/seats/\(request.id)?done=seat.asked")
            let draft = try #require(try door.services.asked(RidesMethods.requestSeat).first?.content)
            #expect(draft.riders == ["Ava", "Tom"] && draft.seats == 2 && draft.answerWithin == 6)
            #expect(draft.from == SeatPointDraft(stop: 0) && draft.to == SeatPointDraft(stop: 1))
            #expect(draft.expected == SeatExpectation(cost: 1200, departsAt: PageCarpool.departure))
            #expect(draft.waitlist == nil)
            #expect(try await two.rider.get(two.path)["Location"] == "/seats/\(request.id)")
            // Sent once more, it is the same request.
            _ = try await two.rider.post(two.path, kept.merging(["do": "ask"]) { $1 })
            #expect(try door.services.done(RidesMethods.requestSeat).count == 1)
            door.services.refuse(RidesMethods.requestSeat, .doneBefore)
            let before = try await two.rider.post(two.path, kept.merging(["do": "ask", "message": "Other"]) { $1 })
            #expect(before["Location"] == "/seats/\(request.id)?done=seat.askedBefore")
            #expect(try await two.driver.get(two.path)["Location"] == "/rides/\(two.ride.id)")
        }
    }

    @Test func a_point_of_one_s_own_counts_in_place_of_a_stop() async throws {
        try await PageDoor.run { door in
            let two = try await Self.two(door)
            let typed = try await two.rider.post(
                two.path, ["from": "0", "to": "2", "seats": "1", "boarding": "Fabian", "do": "ask"])
            #expect(typed.status == 422 && typed.text.contains("Several places are called so."))
            #expect(typed.text.contains("id=\"boarding-error\""))
            let own = [
                "boarding": "Fabianinkatu 33, Testholm", "boarding.at": "60.1712,24.9501 Fabianinkatu 33, Testholm",
            ]
            let form = ["from": "0", "to": "2", "seats": "1", "do": "ask", "key": "one"].merging(own) { $1 }
            let review = try await two.rider.post(two.path, form)
            #expect(review.text.contains("Fabianinkatu, Testholm") && review.text.contains("1.5 km out of the way"))
            #expect(try await two.rider.post(two.path, review.text.kept.merging(["do": "ask"]) { $1 }).status == 303)
            let draft = try #require(try door.services.asked(RidesMethods.requestSeat).first?.content)
            #expect(draft.from?.name == "Fabianinkatu, Testholm" && draft.from?.address == "Fabianinkatu 33, Testholm")
            #expect(draft.from?.stop == nil && draft.to == SeatPointDraft(stop: 2))
            // Of who goes no other way than their own none is asked for; a search may bring one all the same.
            let strict = two.carpool.drive(try door.person("Maya")) { ($0.maxDetour, $0.detourLeft) = (0, 0) }
            let path = "/rides/\(strict.id)/ask"
            #expect(!(try await two.rider.get(path).text.contains("name=\"boarding\"")))
            let found = try await two.rider.get("\(path)?from=60.18,24.95%20Kai&seats=2")
            #expect(found.text.contains("value=\"60.18,24.95 Kai\"") && found.text.contains("2 seats · recorded"))
        }
    }

    @Test func where_there_is_no_room_one_joins_the_list() async throws {
        try await PageDoor.run { door in
            let two = try await Self.two(door)
            let page = try await two.rider.get(two.path)
            let form = page.text.kept.merging(["from": "0", "to": "2", "seats": "1", "do": "ask"]) { $1 }
            // The last seat went to somebody else meanwhile.
            two.carpool.free.mutate { $0 = 0 }
            let late = try await two.rider.post(two.path, form)
            #expect(late.status == 409 && late.text.contains("Somebody was faster"))
            #expect(late.text.contains("You can join the list; 2 wait before you."))
            #expect(late.text.contains("name=\"do\" value=\"wait\"") && late.text.contains("Join the list"))
            let joined = try await two.rider.post(two.path, late.text.kept.merging(["do": "wait"]) { $1 })
            let request = try #require(two.carpool.requests.value.first)
            #expect(joined["Location"] == "/seats/\(request.id)?done=seat.waits" && request.state == .waiting)
            #expect(try await two.rider.get("/seats/\(request.id)").text.contains("2 before you on the list"))
        }
    }

    @Test func what_changed_meanwhile_or_is_in_the_way_is_said() async throws {
        try await PageDoor.run { door in
            let two = try await Self.two(door)
            let page = try await two.rider.get(two.path)
            let form = page.text.kept.merging(["from": "0", "to": "2", "seats": "1", "do": "ask"]) { $1 }
            two.carpool.rides.mutate { $0[0].cost?.amount = 1500 }
            door.services.refuse(RidesMethods.requestSeat, ServiceError(.termsChanged, "Changed."))
            let dearer = try await two.rider.post(two.path, form)
            #expect(dearer.status == 409 && dearer.text.contains("The ride has changed meanwhile."))
            #expect(dearer.text.contains("€15") && dearer.text.kept["cost"] == "1500")
            let other = RideID.new()
            door.services.refuse(
                RidesMethods.requestSeat,
                ServiceError(.overlaps, "No.", errors: [FieldError("ride", "\(other)", "This one.")]))
            let overlap = try await two.rider.post(two.path, form)
            #expect(overlap.status == 409 && overlap.text.contains("You are on the way in another ride at that time."))
            #expect(overlap.text.contains("href=\"/rides/\(other)\""))
            door.services.refuse(RidesMethods.requestSeat, ServiceError(.tooManyRequestsOpen, "Ten."))
            #expect(try await two.rider.post(two.path, form).text.contains("You wait for as many answers as one may."))
            let own = two.carpool.ask(two.ride, try door.person("Ben"))
            door.services.refuse(RidesMethods.requestSeat, ServiceError(.alreadyAsked, "Yours."))
            let asked = try await two.rider.post(two.path, form)
            #expect(asked.status == 409 && asked.text.contains("href=\"/seats/\(own.id)\""))
        }
    }

    @Test func what_is_wrong_stands_at_its_field_and_nothing_is_lost() async throws {
        try await PageDoor.run { door in
            let two = try await Self.two(door)
            let form = Self.typed.merging(["do": "ask", "key": "one"]) { $1 }
            for (field, code, name, sentence) in [
                ("to", "out_of_order", "to", "That is before you get in."),
                ("from.position", "out_of_range", "from", "The ride has no such stop."),
                ("riders", "too_many", "riders", "More names than seats."),
                ("message", "too_long", "message", "At most 500 characters."),
                ("seats", "out_of_range", "seats", "From one seat to eight."),
                ("answerWithin", "not_a_choice", "within", "Choose one of these."),
                ("detour", "too_far", "boarding", "farther out of the way than the driver goes"),
            ] {
                door.services.refuse(RidesMethods.quoteSeat, .invalid([FieldError(field, code, "No.")]))
                let refused = try await two.rider.post(two.path, form)
                #expect(refused.status == 422 && refused.text.contains(sentence), "\(field)")
                #expect(refused.text.contains("id=\"\(name)-error\""), "\(field)")
                #expect(refused.text.contains("Two bags &lt;b&gt;") && refused.text.contains("value=\"Ava, , Tom\""))
            }
            door.services.refuse(RidesMethods.quoteSeat, ServiceError(.unavailable, "Away."))
            #expect(try await two.rider.get(two.path).status == 200)
            #expect(try await two.rider.post(two.path, form).status == 503)
            two.carpool.rides.mutate { ($0[0].state, $0[0].action) = (.departed, .unavailable) }
            #expect(try await two.rider.get(two.path).text.contains("Nobody can ask for a seat in this ride any more."))
        }
    }

    @Test(arguments: [RideAcceptance.nobody, .everybody])
    func whoever_has_a_seat_at_once_is_told_so(_ accepts: RideAcceptance) async throws {
        try await PageDoor.run { door in
            let two = try await Self.two(door) { $0.accepts = accepts }
            let page = try await two.rider.get(two.path)
            #expect(page.text.contains("the seat is yours at once") == (accepts == .everybody))
            let form = page.text.kept.merging(["from": "0", "to": "2", "seats": "1", "do": "ask"]) { $1 }
            let sent = try await two.rider.post(two.path, form)
            #expect(sent["Location"]?.hasSuffix(accepts == .everybody ? "done=seat.had" : "done=seat.asked") == true)
        }
    }
}
