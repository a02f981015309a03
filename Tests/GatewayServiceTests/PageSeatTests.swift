import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// The page of a request for seats, for its two and for moderators, and what is done to it.
@Suite struct PageSeatTests {
    private struct Asked {
        let two: PageAskTests.Two
        let request: SeatRequest
        var path: String { "/seats/\(request.id)" }
        var carpool: PageCarpool { two.carpool }
    }

    private func asked(
        _ door: PageDoor, _ state: SeatState = .pending, _ change: (inout SeatRequest) -> Void = { _ in }
    ) async throws -> Asked {
        let two = try await PageAskTests.two(door)
        return Asked(two: two, request: two.carpool.ask(two.ride, try door.person("Ben"), state, change))
    }

    @Test func a_request_says_to_both_how_it_stands_and_what_comes_next() async throws {
        try await PageDoor.run { door in
            let asked = try await asked(door) { request in
                (request.seats, request.riders, request.detour) = (2, ["Ava", "Tom"], 1500)
                (request.message, request.boarding.address) = ("Two bags <b>", "Mill Lane 7, Testholm")
            }
            let rider = try await asked.two.rider.get(asked.path).text
            for text in [
                "Maya is asked; you hear by <time", "Friday, 5 March 2027, 17:00", "Mill Lane 7, Testholm", "Old Town",
                "2 seats", "For Ava, Tom", "€12", "recorded here, paid in the car", "1.5 km out of the way",
                "Two bags &lt;b&gt;", "Take it back", "data-state=\"pending\"", "Times as in Helsinki",
            ] { #expect(rider.contains(text), "\(text)") }
            #expect(rider.contains("name=\"kind\" value=\"ride\"") && !rider.contains("tel:"))
            let driver = try await asked.two.driver.get(asked.path).text
            #expect(driver.contains("Ben asks for a seat. Answer by <time"))
            #expect(
                driver.contains("action=\"\(asked.path)/accept\"") && driver.contains("href=\"\(asked.path)/reject\""))
            let told = Subject(asked.request.id)
            #expect(try door.services.asked(NotificationMethods.markRead).last?.content.about == told)
            #expect(try await door.join("Eve").get(asked.path).status == 404)
        }
    }

    @Test func each_state_has_its_sentence_for_either_role() async throws {
        try await PageDoor.run { door in
            let asked = try await asked(door)
            let (maya, ben) = (try door.person("Maya").summary, try door.person("Ben").summary)
            func become(
                _ state: SeatState, by person: PersonSummary? = nil, _ change: (inout SeatRequest) -> Void = { _ in }
            ) {
                asked.carpool.change(asked.request.id) { request in
                    (request.state, request.changedBy, request.changedAt) = (state, person, Date() - 3600)
                    (request.isConfirmed, request.confirmBy, request.isApproved) = (true, nil, false)
                    request.ride.state = .open
                    change(&request)
                }
            }
            func says(_ rider: String, _ driver: String) async throws {
                let state = asked.carpool.requests.value[0].state
                #expect(try await asked.two.rider.get(asked.path).text.contains(rider), "\(state): \(rider)")
                #expect(try await asked.two.driver.get(asked.path).text.contains(driver), "\(state): \(driver)")
            }
            become(.waiting)
            try await says("When a seat comes free, Maya is asked", "Ben waits for a seat.")
            become(.waiting) { $0.isApproved = true }
            try await says("and Maya agrees", "Ben gets a seat when one comes free.")
            become(.accepted, by: maya)
            try await says("Be there: Friday, 5 March 2027, 17:00 (Helsinki).", "Ben rides along with you")
            become(.accepted) { ($0.isConfirmed, $0.confirmBy) = (false, Date() + 3600) }
            try await says("whether you keep the seat; after that", "They have until <time")
            become(.accepted) { $0.isConfirmed = false }
            try await says("Look at it, and say whether you keep", "has not said yet whether they keep the seat")
            become(.accepted) { $0.ride.state = .departed }
            try await says("You are on the way with Maya", "Ben is on the way with you")
            become(.rejected, by: maya)
            try await says("take you along this time", "You have said no.")
            become(.expired)
            try await says("There was no answer in time", "or nobody said in time that the seat is kept")
            become(.expired) { $0.changedAt = PageCarpool.departure }
            try await says("The ride left, and there was no seat", "The ride left, and there was no seat")
            become(.expired) { $0.isConfirmed = false }
            try await says("You did not say in time that you keep", "Ben did not say in time whether they keep")
            become(.withdrawn, by: ben)
            try await says("You have taken your request back, or got a seat", "Ben has taken the request back.")
            become(.withdrawn)
            try await says("one of you can&#39;t take part any more", "one of you can&#39;t take part any more")
            become(.left, by: ben)
            try await says("You have left the ride.", "Ben does not ride along any more.")
            become(.removed, by: maya)
            try await says("take you along any more", "You have taken the seat back.")
            become(.removed) { $0.ride.state = .removed }
            try await says("The ride was removed", "The ride was removed")
            become(.removed, by: ben)
            try await says("ride together any more", "ride together any more")
            become(.rode, by: maya)
            try await says("You rode along with Maya.", "Ben rode along with you.")
            become(.rode)
            try await says("it counts that you rode along with Maya.", "it counts that Ben rode along with you.")
            become(.noShow, by: maya)
            try await says("Maya says that Ben did not come.", "You said that Ben did not come.")
            become(.noShow, by: ben)
            try await says("You said that Maya did not come.", "Ben says that Maya did not come.")
            become(.disputed, by: ben)
            try await says("You two don&#39;t agree.", "You two don&#39;t agree.")
            become(.settled) { $0.reason = "Both are <i>right</i>." }
            try await says("A moderator has looked at it", "Both are &lt;i&gt;right&lt;/i&gt;.")
        }
    }

    @Test func a_seat_goes_its_way_to_the_review() async throws {
        try await PageDoor.run { door in
            let asked = try await asked(door)
            let page = try await asked.two.driver.get(asked.path)
            let form = ["key": "yes", "expected": "pending"]
            #expect(page.text.kept["expected"] == "pending")
            let accepted = try await asked.two.driver.post("\(asked.path)/accept", form)
            #expect(accepted["Location"] == "\(asked.path)?done=seat.accept")
            let act = try #require(try door.services.asked(RidesMethods.actOnRequest).last)
            #expect(act.parameters.act == .accept && act.content == SeatActDraft(expected: .pending))
            let mine = try await asked.two.rider.get("\(asked.path)?done=seat.accept").text
            #expect(mine.contains("href=\"tel:+6591234567\"") && mine.contains("Call Maya"))
            #expect(mine.contains("Accepted. You can reach each other now.") && mine.contains("data-way="))
            #expect(mine.contains("href=\"\(asked.path)/leave\"") && mine.contains("hx-target=\"#dialog\""))
            asked.carpool.change(asked.request.id) { ($0.state, $0.changedAt) = (.rode, Date()) }
            let over = try await asked.two.rider.get(asked.path).text
            let maya = try door.person("Maya").id
            #expect(over.contains("/people/\(maya)/review?of=seat~\(asked.request.id)") && over.contains("Review Maya"))
            // Once it is written, there is none to write.
            asked.carpool.change(asked.request.id) { $0.changedAt = Date() - 600 }
            #expect(!(try await asked.two.rider.get(asked.path).text.contains("/review?of=")))
        }
    }

    @Test(arguments: [
        (SeatAct.leave, SeatState.accepted, SeatRole.rider, "Leave this ride?", "goes to the next on the list"),
        (.remove, .accepted, .driver, "Leave Ben behind?", "is told at once"),
        (.reject, .pending, .driver, "Say no to Ben?", "can look for another ride"),
        (.reject, .waiting, .driver, "Say no to Ben?", "taken off the list and told"),
        (.reportNoShow, .accepted, .rider, "Did Maya not come?", "three days to see it otherwise"),
        (.dispute, .noShow, .rider, "Ask a moderator to decide?", "whether Ben rode along"),
        (.withdraw, .pending, .rider, "Take your request back?", "You can ask again later."),
        (.keep, .accepted, .rider, "Keep your seat?", "as the ride is now"),
        (.accept, .pending, .driver, "Take Ben along?", "Ben has 1 seat then."),
        (.approve, .waiting, .driver, "Give Ben the next seat?", "without your being asked again"),
    ])
    func each_act_says_first_what_will_happen(
        _ act: SeatAct, _ state: SeatState, _ role: SeatRole, _ title: String, _ text: String
    ) async throws {
        try await PageDoor.run { door in
            let asked = try await asked(door, state) { if act == .keep { $0.isConfirmed = false } }
            let visitor = role == .driver ? asked.two.driver : asked.two.rider
            let path = "\(asked.path)/\(act.path)"
            let page = try await visitor.get(path)
            #expect(page.status == 200 && page.text.contains(title) && page.text.contains(text))
            let dialog = try await visitor.get(path, [("HX-Request", "true"), ("HX-Target", "dialog")])
            #expect(dialog.text.contains("id=\"ask-title\"") && !dialog.text.contains("<html"))
            let done = try await visitor.post(path, page.text.kept.merging(["reason": "So <b>."]) { $1 })
            #expect(done["Location"] == "\(asked.path)?done=seat.\(act.rawValue)")
            let draft = try #require(try door.services.asked(RidesMethods.actOnRequest).last?.content)
            #expect(draft == SeatActDraft(reason: "So <b>.", expected: state))
            let other = role == .driver ? asked.two.rider : asked.two.driver
            #expect(try await other.get(asked.path).text.contains("So &lt;b&gt;."))
            // Nobody else, and not again.
            #expect(try await door.join("Eve").get(path).status == 404)
            if act != .approve, act != .keep { #expect(try await visitor.get(path).status == 409) }
        }
    }

    @Test func whoever_acts_too_late_sees_it_as_it_is_now() async throws {
        try await PageDoor.run { door in
            let asked = try await asked(door)
            let question = try await asked.two.driver.get("\(asked.path)/reject").text.kept
            asked.carpool.change(asked.request.id) { $0.state = .withdrawn }
            for (act, form) in [("reject", question), ("accept", ["key": "a", "expected": "pending"])] {
                let late = try await asked.two.driver.post("\(asked.path)/\(act)", form)
                #expect(late.status == 409 && late.text.contains("This is how it stands now."), "\(act)")
            }
            // Asked anew where it is still possible.
            asked.carpool.change(asked.request.id) { $0.state = .waiting }
            let anew = try await asked.two.driver.post(
                "\(asked.path)/reject", question.merging(["reason": "Full"]) { $1 })
            #expect(anew.status == 409 && anew.text.contains("This has changed since you opened it."))
            #expect(anew.text.contains("Full</textarea>") && anew.text.kept["expected"] == "waiting")
            let room = ServiceError(.soldOut, "No.", errors: [FieldError("seats", "0", "So many.")])
            door.services.refuse(RidesMethods.actOnRequest, room)
            let full = try await asked.two.driver.post("\(asked.path)/accept", ["key": "b", "expected": "waiting"])
            #expect(full.status == 409 && full.text.contains("There is no room on that part of the way any more."))
            door.services.refuse(RidesMethods.actOnRequest, .invalid([FieldError("reason", "too_long", "Less.")]))
            let long = try await asked.two.driver.post("\(asked.path)/reject", anew.text.kept)
            #expect(long.status == 422 && long.text.contains("At most 1,000 characters."))
            door.services.refuse(RidesMethods.actOnRequest, .lost)
            #expect(try await asked.two.driver.post("\(asked.path)/accept", ["key": "c"]).status == 503)
            door.services.refuse(RidesMethods.actOnRequest, .doneBefore)
            let again = try await asked.two.driver.post("\(asked.path)/reject", anew.text.kept)
            #expect(again["Location"] == "\(asked.path)?done=seat.reject")
        }
    }

    @Test func a_dispute_is_settled_by_a_moderator() async throws {
        try await PageDoor.run { door in
            let asked = try await asked(door, .noShow) { $0.changedBy = $0.driver }
            let wordless = ServiceError.invalid([FieldError("reason", "required", "Say why.")])
            door.services.refuse(RidesMethods.actOnRequest, wordless)
            let empty = try await asked.two.rider.post("\(asked.path)/dispute", ["key": "one"])
            #expect(empty.status == 422 && empty.text.contains("Please say it in a few words."))
            door.services.refuse(RidesMethods.actOnRequest, nil)
            _ = try await asked.two.rider.post("\(asked.path)/dispute", ["key": "two", "reason": "I was there."])
            let judge = try await door.join("Ada")
            #expect(try await judge.get("/moderation/seats").status == 403)
            #expect(try await judge.get(asked.path).status == 404)
            door.appoint("Ada", .moderator)
            #expect(
                try await judge.get("/moderation").text.contains("href=\"/moderation/seats\">Disputed seats (1)</a>"))
            let list = try await judge.get("/moderation/seats").text
            #expect(list.contains("href=\"\(asked.path)\"") && list.contains("Maya and Ben"))
            let page = try await judge.get(asked.path).text
            #expect(page.contains("I was there.") && page.contains("\(asked.path)/settle") && !page.contains("tel:"))
            #expect(page.contains("decide whether Ben rode along") && !page.contains("action=\"/messages\""))
            let settle = try await judge.get("\(asked.path)/settle")
            #expect(settle.text.contains("Ben rode along with Maya") && settle.text.contains("Ben did not ride along"))
            door.services.refuse(RidesMethods.actOnRequest, .invalid([FieldError("rode", "required", "Say it.")]))
            let form = settle.text.kept.merging(["reason": "Both say so."]) { $1 }
            let undecided = try await judge.post("\(asked.path)/settle", form)
            #expect(undecided.status == 422 && undecided.text.contains("Choose what you find."))
            #expect(undecided.text.contains("Both say so.</textarea>"))
            door.services.refuse(RidesMethods.actOnRequest, nil)
            let done = try await judge.post("\(asked.path)/settle", form.merging(["rode": "no"]) { $1 })
            #expect(done["Location"]?.hasSuffix("done=seat.settle") == true)
            let draft = try #require(try door.services.asked(RidesMethods.actOnRequest).last?.content)
            #expect(draft == SeatActDraft(reason: "Both say so.", rode: false, expected: .disputed))
            #expect(try await judge.get("/moderation").text.contains(">Disputed seats</a>"))
            #expect(try await judge.get("/moderation/seats").text.contains("Nothing to settle"))
            #expect(try await asked.two.rider.get(asked.path).text.contains("Both say so."))
        }
    }

    @Test func the_chat_is_about_the_ride_as_long_as_there_is_something_to_say() async throws {
        try await PageDoor.run { door in
            let asked = try await asked(door)
            let past = Date() - 10 * 86_400
            func kind(_ state: SeatState, changed: Date) async throws -> String? {
                asked.carpool.change(asked.request.id) {
                    ($0.state, $0.changedAt, $0.ride.arrivesAt) = (state, changed, past)
                }
                let page = try await asked.two.rider.get(asked.path).text
                return page.firstMatch(of: #/name="kind" value="(\w+)"/#).map { String($0.1) }
            }
            for state in [SeatState.pending, .waiting, .accepted, .disputed] {
                #expect(try await kind(state, changed: past) == "ride", "\(state)")
            }
            for state in [SeatState.rode, .left, .removed, .noShow, .settled] {
                #expect(try await kind(state, changed: Date()) == "ride", "\(state)")
                #expect(try await kind(state, changed: past) == "person", "\(state)")
            }
            for state in [SeatState.rejected, .withdrawn, .expired] {
                #expect(try await kind(state, changed: Date()) == "person", "\(state)")
            }
        }
    }
}
