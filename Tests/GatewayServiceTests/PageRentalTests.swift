import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Agreements and what is done to them, lists, print, disputes: with links and forms alone.
@Suite struct PageRentalTests {
    /// A day so many days from now, in UTC.
    static func day(_ days: Int) -> String {
        CivilDay(number: Int(Date().timeIntervalSince1970 / 86400) + days).text
    }

    static let period = ["from": day(10), "until": day(12)]

    struct Two: Sendable {
        let owner: PageVisitor
        let renter: PageVisitor
        let thing: Thing
    }

    func two(
        _ door: PageDoor, _ kind: ThingKind = .car, _ change: (inout Thing) -> Void = { _ in }
    ) async throws -> Two {
        let (owner, renter) = (try await door.join("Maya"), try await door.join("Ben"))
        return Two(
            owner: owner, renter: renter,
            thing: door.letThing(kind, "A quiet Yaris", by: try door.person("Maya"), change))
    }

    /// Ben has asked; answers with the agreement's address.
    func ask(_ two: Two, _ fields: [String: String] = period) async throws -> String {
        let path = "/things/\(two.thing.id)/rent"
        let form = try await two.renter.rentForm(path, fields.merging(["key": "ask"]) { own, _ in own })
        let sent = try await two.renter.post(path, form)
        #expect(sent.status == 303)
        return String(try #require(sent["Location"]?.split(separator: "?").first))
    }

    @Test func who_asks_twice_for_the_same_days_is_led_to_their_own_request() async throws {
        try await PageDoor.run { door in
            let two = try await two(door)
            let rent = "/things/\(two.thing.id)/rent"
            let form = try await two.renter.rentForm(rent, Self.period.merging(["key": Visit.newKey()]) { $1 })
            let path = try await ask(two)
            // Listings says whose it is, and takes no second request for it.
            let own = try #require(door.rentals.value.first).id
            door.services.on(ListingsMethods.quoteRental) { request in
                var quote = try door.quote(request.parameters)
                quote.rental = own
                return quote
            }
            door.services.refuse(
                ListingsMethods.askRental,
                ServiceError(.alreadyAsked, "Yours.", errors: [FieldError("rental", "\(own)", "This is yours.")]))
            let told = try await two.renter.get("\(rent)?from=\(Self.day(12))&until=\(Self.day(13))").text
            #expect(
                told.contains("You have asked for some of this time already")
                    && !told.contains("Somebody else has it then"))
            #expect(told.contains("<a href=\"\(path)\">To your agreement</a>"))
            // A page that was opened before.
            let late = try await two.renter.post(rent, form)
            #expect(late.status == 409 && late.text.contains("You have asked for some of this time already"))
            #expect(late.text.contains("<a href=\"\(path)\">To your agreement</a>"))
            // Nor without its cost having been seen.
            let unseen = try await two.renter.post(rent, Self.period.merging(["do": "ask"]) { $1 })
            #expect(unseen.status == 409 && unseen.text.contains("You have asked for some of this time already"))
            #expect(path == "/rentals/\(own)")
        }
    }

    @Test func what_nobody_answered_was_never_agreed() async throws {
        try await PageDoor.run { door in
            let two = try await two(door, .parking)
            let path = try await ask(two, ["from": "\(Self.day(3))T14:00", "until": "\(Self.day(3))T18:00"])
            // An answer is due by the end at the latest.
            door.rentals.mutate { ($0[0].state, $0[0].changedAt) = (.lapsed, $0[0].endsAt + 1) }
            #expect(try await two.renter.get(path).text.contains("It was not answered in time"))
            door.rentals.mutate { $0[0].acceptedAt = Date() }
            #expect(try await two.renter.get(path).text.contains("nobody said that it was handed over"))
        }
    }

    @Test func a_request_goes_its_way_to_the_review() async throws {
        try await PageDoor.run { door in
            let two = try await two(door)
            let path = try await ask(two, Self.period.merging(["message": "For a move <b>"]) { $1 })
            let asked = try await two.renter.get(path).text
            #expect(asked.contains("Maya is asked; you hear by <time") && !asked.contains("tel:"))
            #expect(asked.contains("Cancel") && !asked.contains("12 Well Street"))
            let seen = try await two.owner.get(path).text
            #expect(seen.contains("Ben asks for it. Answer by <time") && seen.contains("For a move &lt;b&gt;"))
            #expect(try await two.owner.get("/rentals").text.contains("Waiting for your answer"))

            let question = try await two.owner.get("\(path)/accept", [("HX-Request", "true"), ("HX-Target", "dialog")])
            #expect(question.text.contains("id=\"ask-title\"") && !question.text.contains("<html"))
            #expect(try await two.renter.get("\(path)/accept").status == 409)
            let accepted = try await two.owner.post("\(path)/accept", ["key": "yes", "reason": "Ring twice"])
            #expect(accepted["Location"] == "\(path)?done=rental.accept")
            let agreed = try await two.renter.get(path).text
            #expect(agreed.contains("href=\"tel:+6591234567\"") && agreed.contains("12 Well Street"))
            #expect(agreed.contains("If you cancel now") && agreed.contains("Ring twice"))
            #expect(agreed.contains("For a move &lt;b&gt;"))
            // The other window did it meanwhile.
            door.services.refuse(ListingsMethods.actOnRental, ServiceError(.wrongState, "Not possible now."))
            let late = try await two.owner.post("\(path)/decline", ["key": "no"])
            #expect(late.status == 409 && late.text.contains("This is how it stands now"))
            door.services.refuse(ListingsMethods.actOnRental, nil)

            let handOver = try await two.renter.get("\(path)/hand-over").text
            #expect(handOver.contains("multipart/form-data") && handOver.contains("name=\"pictures.file\""))
            let photo = String(repeating: "ab", count: 32)
            let given = try await two.renter.post(
                "\(path)/hand-over", ["key": "have", "pictures": photo, "reason": "Full tank"])
            #expect(given["Location"] == "\(path)?done=rental.handOver")
            let act = try #require(try door.services.asked(ListingsMethods.actOnRental).last)
            #expect(act.parameters.act == .handOver && act.content.photos == [photo])
            let proof = try await two.owner.get(path).text
            #expect(proof.contains("/photos/\(photo)/medium") && proof.contains("Full tank"))
            _ = try await two.owner.post("\(path)/return", ["key": "back"])
            let over = try await two.renter.get(path).text
            let encounter = try #require(RentalID(String(path.split(separator: "/")[1])))
            #expect(over.contains("/review?of=rental~\(encounter)") && !over.contains("tel:"))
            #expect(try await two.renter.get("/rentals").text.contains(">Over</h2>"))
        }
    }

    @Test func cancelling_names_what_is_owed() async throws {
        try await PageDoor.run { door in
            let two = try await two(door)
            let soon = ["from": Self.day(2), "until": Self.day(3)]
            let path = try await ask(two, soon)
            #expect(try await two.renter.get("\(path)/cancel").text.contains("Your request is taken back."))
            _ = try await two.owner.post("\(path)/accept", ["key": "yes"])
            // Less than five days before: half of it.
            #expect(try await two.renter.get("\(path)/cancel").text.contains("You owe €25 of €50 then"))
            #expect(try await two.renter.get(path).text.contains("<dd>€25<br>"))
            #expect(try await two.owner.get("\(path)/cancel").text.contains("Ben owes nothing."))
            let done = try await two.renter.post("\(path)/cancel", ["key": "off"])
            #expect(done["Location"] == "\(path)?done=rental.cancel")
            #expect(try await two.renter.get(path).text.contains("You have cancelled."))
            #expect(try await two.owner.get(path).text.contains("Ben has cancelled."))
        }
    }

    @Test func a_dispute_is_settled_by_a_moderator() async throws {
        try await PageDoor.run { door in
            let two = try await two(door)
            let path = try await ask(two)
            _ = try await two.owner.post("\(path)/accept", ["key": "accept", "reason": "Ring twice"])
            _ = try await two.owner.post("\(path)/hand-over", ["key": "hand-over"])
            let wordless = ServiceError.invalid([FieldError("reason", "required", "Say why.")])
            door.services.refuse(ListingsMethods.actOnRental, wordless)
            let empty = try await two.renter.post("\(path)/dispute", ["key": "one"])
            #expect(empty.status == 422 && empty.text.contains("Please say it in a few words."))
            door.services.refuse(ListingsMethods.actOnRental, nil)
            let photo = String(repeating: "cd", count: 32)
            _ = try await two.renter.post(
                "\(path)/dispute", ["key": "two", "reason": "It would not start.", "pictures": photo])
            // The other one has something to say as well; nothing that was said is lost by it.
            #expect(try await two.owner.get("\(path)/explain").text.contains("name=\"pictures.file\""))
            door.services.refuse(ListingsMethods.actOnRental, wordless)
            let silent = try await two.owner.post("\(path)/explain", ["key": "three"])
            #expect(silent.status == 422 && silent.text.contains("Please say it in a few words."))
            door.services.refuse(ListingsMethods.actOnRental, nil)
            let said = try await two.owner.post("\(path)/explain", ["key": "four", "reason": "It did <i>for me</i>."])
            #expect(said["Location"] == "\(path)?done=rental.explain")
            let both = try await two.renter.get(path).text
            #expect(both.contains("It would not start.") && both.contains("It did &lt;i&gt;for me&lt;/i&gt;."))
            #expect(both.contains("What the two say of it") && both.contains("/photos/\(photo)/medium"))
            let judge = try await door.join("Ada")
            #expect(try await judge.get("/moderation/rentals").status == 403)
            #expect(try await judge.get(path).status == 404)
            door.appoint("Ada", .moderator)
            let cases = try await judge.get("/moderation").text
            #expect(cases.contains("href=\"/moderation/rentals\">Disputed rentals (1)</a>"))
            #expect(try await judge.get("/moderation/rentals").text.contains("href=\"\(path)\""))
            let id = try #require(RentalID(String(path.dropFirst("/rentals/".count))))
            let page = try await judge.get(path).text
            #expect(page.contains("It would not start.") && page.contains("\(path)/settle") && !page.contains("tel:"))
            let ada = try door.person("Ada").id
            let read = try door.services.asked(NotificationMethods.markRead).last
            let told = Subject(kind: .rental, id: ID(id.uuid))
            #expect(read?.content.about == told && read?.caller.person == ada, "who looks at it has read it")
            door.services.refuse(
                ListingsMethods.actOnRental, .invalid([FieldError("share", "out_of_range", "0 to 100.")]))
            let wrong = try await judge.post("\(path)/settle", ["key": "x", "share": "half", "reason": "So so."])
            #expect(wrong.status == 422 && wrong.text.contains("A whole number from 0 to 100."))
            #expect(try door.services.asked(ListingsMethods.actOnRental).last?.content.share == -1)
            door.services.refuse(ListingsMethods.actOnRental, nil)
            let done = try await judge.post("\(path)/settle", ["key": "y", "share": "40", "reason": "Both are right."])
            #expect(done["Location"]?.contains("done=rental.settle") == true)
            #expect(try await judge.get("/moderation").text.contains(">Disputed rentals</a>"))
            let settled = try await two.renter.get(path).text
            #expect(settled.contains("€30, by you") && settled.contains("Both are right."))
            #expect(settled.contains("It would not start.") && settled.contains("Ring twice"))
        }
    }

    @Test func lists_have_pages_and_say_when_they_are_empty() async throws {
        try await PageDoor.run { door in
            let two = try await two(door)
            #expect(try await two.renter.get("/rentals").text.contains("Nothing rented yet"))
            #expect(try await two.owner.get("/rentals?role=owner").text.contains("href=\"/me/things\""))
            for index in 0..<4 { _ = try await ask(two, Self.period.merging(["key": "\(index)"]) { $1 }) }
            let first = try await two.renter.get("/rentals?role=renter&state=requested").text
            let more = try #require(first.firstMatch(of: /href="(\/rentals\?role=renter[^"]+cursor=3)"/)?.1)
            let rest = try await two.renter.get(String(more).replacing("&amp;", with: "&")).text
            #expect(rest.components(separatedBy: "A quiet Yaris").count == 2)
            #expect(try await two.renter.get("/rentals?role=nobody").status == 200)
        }
    }

    @Test func what_waits_comes_up_is_in_hand_or_over_has_an_address_of_its_own() async throws {
        try await PageDoor.run { door in
            let two = try await two(door)
            let path = try await ask(two)
            let waiting = "href=\"/rentals?role=owner&amp;stage=waiting\""
            let asked = try await two.owner.get("/rentals").text
            #expect(asked.contains("\(waiting)>Waiting for my answer (1)</a>"))
            #expect(!(try await two.renter.get("/rentals").text.contains("Waiting for my answer (")))
            let mine = try await two.renter.get("/rentals?role=renter&stage=waiting").text
            #expect(mine.contains("aria-current=\"page\">Waiting for an answer (1)</a>"))
            let answer = try await two.owner.get("/rentals?role=owner&stage=waiting").text
            #expect(answer.contains("Waiting for your answer</h2>") && answer.contains("href=\"\(path)\""))
            // Links that say a state lead to its stage.
            let before = try await two.owner.get("/rentals?role=owner&state=requested").text
            #expect(before.contains("href=\"\(path)\""))
            for (stage, act) in [("upcoming", "accept"), ("inHand", "hand-over"), ("over", "return")] {
                let empty = try await two.renter.get("/rentals?stage=\(stage)").text
                #expect(empty.contains("class=\"empty") && !empty.contains("href=\"\(path)\""), "\(stage)")
                _ = try await two.owner.post("\(path)/\(act)", ["key": act])
                let page = try await two.renter.get("/rentals?stage=\(stage)").text
                #expect(page.contains("href=\"\(path)\"") && !page.contains("class=\"empty"), "\(stage)")
                #expect(page.contains("href=\"/rentals?stage=\(stage)\" aria-current=\"page\""), "\(stage)")
            }
        }
    }

    @Test func an_agreement_can_be_printed() async throws {
        try await PageDoor.run { door in
            let two = try await two(door)
            let path = try await ask(two, Self.period.merging(["message": "For a move"]) { $1 })
            _ = try await two.owner.post("\(path)/accept", ["key": "yes"])
            let paper = try await two.renter.get("\(path)/print").text
            #expect(paper.contains("Agreement: A quiet Yaris") && paper.contains("12 Well Street"))
            #expect(paper.components(separatedBy: "For a move").count == 2)
            #expect(paper.contains("+6591234567") && paper.contains("€75") && paper.contains("data-print"))
            #expect(try await door.join("Eve").get("\(path)/print").status == 404)
        }
    }

    @Test func the_chat_about_a_thing_knows_the_agreement() async throws {
        try await PageDoor.run { door in
            let two = try await two(door)
            let path = try await ask(two)
            let (maya, ben) = (try door.person("Maya"), try door.person("Ben"))
            let subject = Subject(kind: .thing, id: ID(two.thing.id.uuid))
            let room = PageTalk(maya, ben, about: subject, title: "A quiet Yaris", at: door)
            #expect(!(try await two.renter.get("/messages/\(room.id)").text.contains("tel:")))
            // However many there were before.
            door.rentals.mutate { rentals in
                var before = Rental.of(two.thing, Self.day(-9), Self.day(-8), .returned)
                before.renter = rentals[0].renter
                rentals.insert(contentsOf: (0..<120).map { [before] _ in before }, at: 0)
            }
            _ = try await two.owner.post("\(path)/accept", ["key": "yes"])
            let chat = try await two.renter.get("/messages/\(room.id)").text
            #expect(chat.contains("href=\"tel:+6591234567\"") && chat.contains("href=\"\(path)\""))
            door.services.refuse(ListingsMethods.rentals, ServiceError(.unavailable, "Away."))
            #expect(try await two.renter.get("/messages/\(room.id)").status == 200)
        }
    }

    @Test func one_s_own_leads_to_its_calendar_and_a_lost_answer_to_the_agreement() async throws {
        try await PageDoor.run { door in
            let two = try await two(door)
            let path = "/things/\(two.thing.id)/rent"
            #expect(try await two.owner.get(path)["Location"] == "/things/\(two.thing.id)/calendar")
            #expect(try await PageVisitor(port: door.port).get(path)["Location"]?.hasPrefix("/sign-in") == true)
            _ = try await ask(two)
            let other = ["from": Self.day(20), "until": Self.day(21), "key": "ask"]
            door.services.refuse(ListingsMethods.askRental, .doneBefore)
            let again = try await two.renter.post(path, try await two.renter.rentForm(path, other))
            #expect(again.status == 303 && again["Location"]?.contains("rental.askedBefore") == true)
            #expect(try door.services.done(ListingsMethods.askRental).count == 1)
            #expect(try await two.renter.get("/me").text.contains("href=\"/rentals\""))
        }
    }
}
