import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// The page of one ride: what one may know of it, and the one button.
@Suite struct PageRideTests {
    @Test func a_ride_says_all_that_one_may_know_of_it() async throws {
        try await PageDoor.run { door in
            _ = try await door.join("Maya")
            let ben = try await door.join("Ben")
            door.change("Maya") {
                $0.car = PersonCar(make: "Toyota", model: "Yaris", year: 2015, color: "blue")
            }
            door.services.answer(AuthMethods.mutualFriends, MutualFriends(items: [], count: 2))
            let maya = try door.person("Maya").summary
            let ride = Ride.sample(by: maya) { ride in
                ride.notes = "Quiet <b>please</b>."
                ride.passengers = [RidePassenger(person: PersonSummary(id: .new(), name: "Ana"), seats: 2)]
                ride.leavesBy = ride.departsAt + 3600
                ride.stops[1].region = "North"
            }
            door.show(ride)
            let page = try await ben.get("/rides/\(ride.id)")
            #expect(page.status == 200)
            for text in [
                "Friday, 8 March 2999, <strong>17:00 – 18:00</strong> – 19:00", "Times as in Helsinki",
                "data-elsewhere=\"Europe/Helsinki\"", "€12", "Millbridge", "North",
                "<strong>Full · waitlist</strong> · €3", "<strong>2 seats left</strong> · €9",
                "It leaves between 17:00 – 18:00.", "About 120 km", "Up to 5 km more", "Room for a bag each",
                "The driver answers, and you are told", "Quiet &lt;b&gt;please&lt;/b&gt;.", "Toyota Yaris, blue, 2015",
                "2 mutual friends", "Message Maya", "Who rides along", "2 seats",
                "href=\"/rides/\(ride.id)/ask\"", "action=\"/rides/\(ride.id)/save\"",
                "href=\"/report?kind=ride&amp;id=\(ride.id)\"", "http://share.example/rides/\(ride.id)",
                "data-ride=\"\(ride.id)\"",
            ] { #expect(page.text.contains(text), "\(text)") }
            #expect(!page.text.contains("id=\"requests\"") && !page.text.contains("/remove\""))
            #expect(try await ben.get("/rides/\(RideID.new())").status == 404)
            #expect(try await ben.get("/rides/none").status == 404)
        }
    }

    @Test func strangers_look_and_are_led_to_the_door_where_they_act() async throws {
        try await PageDoor.run { door in
            let ride = Ride.sample()
            door.show(ride)
            let visitor = PageVisitor(port: door.port)
            let page = try await visitor.get("/rides/\(ride.id)").text
            #expect(page.contains("Ask for a seat") && !page.contains("/save\"") && !page.contains("/report?"))
            #expect(!page.contains("action=\"/messages\""))
            #expect(try await visitor.get("/rides/\(ride.id)/unsave")["Location"]?.hasPrefix("/sign-in") == true)
            #expect(try await visitor.get("/rides/\(ride.id)/remove")["Location"]?.hasPrefix("/sign-in") == true)
        }
    }

    @Test func there_is_exactly_one_button() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let ben = try await door.join("Ben")
            let driver = try door.person("Maya").summary
            let all = [
                "Ask for a seat", "Join the list", "Cancel request", "Leave this ride", "Unavailable", "Your own ride",
            ]
            let seat = SeatRequestID.new()
            for (action, text, href) in [
                (RideAction.ask, "Ask for a seat", "/ask\""), (.wait, "Join the list", "/ask\""),
                (.withdraw, "Cancel request", "href=\"/seats/\(seat)/withdraw\""),
                (.leave, "Leave this ride", "href=\"/seats/\(seat)/leave\""),
                (.unavailable, "Unavailable", "disabled>"),
            ] {
                let ride = Ride.sample(by: driver) { ride in
                    (ride.action, ride.request) = (action, [.withdraw, .leave].contains(action) ? seat : nil)
                    if action == .unavailable { ride.state = .departed }
                }
                door.show(ride)
                let page = try await ben.get("/rides/\(ride.id)").text
                #expect(all.filter { page.contains($0) } == [text] && page.contains(href), "\(action)")
                if ride.request != nil { #expect(page.contains("<a href=\"/seats/\(seat)\">See how it stands</a>")) }
            }
            let own = Ride.sample(by: driver) { $0.possible = [.change, .remove, .depart] }
            door.show(own)
            door.services.answer(RidesMethods.requests, Page(items: []))
            let page = try await maya.get("/rides/\(own.id)").text
            #expect(all.filter { page.contains($0) } == ["Your own ride"])
            for act in ["change", "remove", "depart"] { #expect(page.contains("href=\"/rides/\(own.id)/\(act)\"")) }
            #expect(
                !page.contains("/arrive\"") && !page.contains("/save\"")
                    && page.contains("Nobody has asked for a seat yet."))
        }
    }

    @Test func what_is_over_or_hidden_says_so() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            door.services.answer(RidesMethods.requests, Page(items: []))
            let visitor = PageVisitor(port: door.port)
            for (state, sentence) in [
                (RideState.departed, "This ride has left."), (.completed, "This ride is over."),
                (.removed, "This ride was removed"),
            ] {
                let ride = Ride.sample { ($0.state, $0.action) = (state, .unavailable) }
                door.show(ride)
                let page = try await visitor.get("/rides/\(ride.id)").text
                #expect(page.contains(sentence) && !page.contains("seats left"), "\(state)")
            }
            let hidden = Ride.sample(by: try door.person("Maya").summary) {
                $0.hidden = Hiding(at: Date(), reason: "An <advert>.")
            }
            door.show(hidden)
            #expect(
                try await maya.get("/rides/\(hidden.id)").text.contains("nobody else finds it. Why: An &lt;advert&gt;.")
            )
        }
    }

    @Test func its_driver_sees_who_asks_and_answers_there() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let ride = Ride.sample(by: try door.person("Maya").summary)
            let people = ["Ana", "Ben", "Cleo", "Dan"].map { PersonSummary(id: .new(), name: $0) }
            let asks = SeatRequest.sample(in: ride, by: people[0]) {
                ($0.possible, $0.message, $0.detour) = ([.accept, .reject], "Me & a <dog>?", 4000)
                ($0.seats, $0.answerBy) = (2, Date() + 7300)
            }
            let others = [
                SeatRequest.sample(in: ride, by: people[1], .accepted),
                SeatRequest.sample(in: ride, by: people[2], .waiting) {
                    ($0.ahead, $0.possible) = (0, [.approve, .reject])
                },
                SeatRequest.sample(in: ride, by: people[3], .withdrawn),
            ]
            door.show(ride)
            door.services.on(RidesMethods.requests) { request in
                request.parameters.cursor == nil ? Page(items: others, next: "on") : Page(items: [asks])
            }
            let page = try await maya.get("/rides/\(ride.id)").text
            #expect(try door.services.asked(RidesMethods.requests).allSatisfy { $0.parameters.ride == ride.id })
            for text in [
                "To answer", "With you", "On the list", "No longer", "Ana, 2 seats", "Me &amp; a &lt;dog&gt;?",
                "4 km detour for the driver", "in 2 h", "action=\"/seats/\(asks.id)/accept\"",
                "href=\"/seats/\(asks.id)/reject?from=ride\"", "name=\"expected\" value=\"pending\"",
                "action=\"/seats/\(others[1].id)/approve\"", "href=\"/seats/\(others[2].id)\"",
            ] { #expect(page.contains(text), "\(text)") }
            let order = ["To answer", "With you", "On the list", "No longer"].compactMap {
                page.firstRange(of: $0)?.lowerBound
            }
            #expect(order == order.sorted())
            door.services.refuse(RidesMethods.requests, ServiceError(.unavailable, "Away."))
            let away = try await maya.get("/rides/\(ride.id)")
            #expect(away.status == 200 && away.text.contains("be shown just now. Try again in a moment."))
        }
    }

    @Test func a_ride_is_kept_and_taken_off_after_a_question() async throws {
        try await PageDoor.run { door in
            let ben = try await door.join("Ben")
            let kept = Ride.sample { $0.isSaved = true }
            door.show(kept)
            door.services.answer(RidesMethods.saveRide, Nothing())
            door.services.answer(RidesMethods.unsaveRide, Nothing())
            let saved = try await ben.post("/rides/\(kept.id)/save", ["key": "1"])
            #expect(saved["Location"] == "/rides/\(kept.id)?done=ride.saved")
            #expect(try door.services.asked(RidesMethods.saveRide).map(\.parameters.id) == [kept.id])
            let page = try await ben.get("/rides/\(kept.id)?done=ride.saved").text
            #expect(page.contains("On your list") && page.contains("href=\"/rides/\(kept.id)/unsave\""))
            #expect(!page.contains("action=\"/rides/\(kept.id)/save\""))
            let asked = try await ben.get("/rides/\(kept.id)/unsave")
            #expect(asked.text.contains("Take it off your list?") && asked.text.contains("Testholm → Harbour"))
            let part = try await ben.get("/rides/\(kept.id)/unsave", [("HX-Request", "true"), ("HX-Target", "dialog")])
            #expect(part.text.hasPrefix("<div class=\"ask") && part.text.contains("id=\"ask-title\""))
            let unsaved = try await ben.post("/rides/\(kept.id)/unsave", ["key": "2"])
            #expect(unsaved["Location"] == "/rides/\(kept.id)?done=ride.unsaved")
            // What cannot be seen any more is gone with it from the list.
            door.services.refuse(RidesMethods.ride, ServiceError.notFound("ride"))
            let gone = try await ben.post("/rides/\(kept.id)/unsave", ["key": "3"])
            #expect(gone["Location"] == "/rides/mine?tab=saved&done=ride.unsaved")
            door.services.refuse(RidesMethods.saveRide, ServiceError(.wrongState, "Your own."))
            #expect(try await ben.post("/rides/\(kept.id)/save", ["key": "4"])["Location"] == "/rides/\(kept.id)")
            door.services.refuse(RidesMethods.ride, nil)
            door.show(Ride.sample { $0.id = kept.id })
            #expect(try await ben.get("/rides/\(kept.id)/unsave")["Location"] == "/rides/\(kept.id)")
        }
    }
}
