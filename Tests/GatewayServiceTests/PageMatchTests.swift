import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// The page of a delivery, for its two and for moderators, and what is done to it.
@Suite struct PageMatchTests {
    struct Two: Sendable {
        let played: PageMatches
        let match: DeliveryMatch
        let orderer: PageVisitor
        let deliverer: PageVisitor
        var path: String { match.path }
    }

    /// Mei has ordered, and Ana may bring it.
    static func two(
        _ door: PageDoor, _ state: MatchState = .offered, _ change: (inout DeliveryMatch) -> Void = { _ in }
    ) async throws -> Two {
        let (orderer, deliverer) = (try await door.join("Mei"), try await door.join("Ana"))
        let played = PageMatches(at: door)
        let match = played.offer(from: try door.person("Mei"), to: try door.person("Ana"), state, change)
        return Two(played: played, match: match, orderer: orderer, deliverer: deliverer)
    }

    @Test func an_offer_says_all_that_one_must_know_and_is_answered_by_a_button() async throws {
        try await PageDoor.run { door in
            let two = try await Self.two(door) { $0.isTurn = true }
            let page = try await two.deliverer.get(two.path).text
            for text in [
                "Mei asks you to bring this. Answer by <time", "data-left>", " left</p>", "Your turn",
                "Two soups &lt;b&gt;", "Cafe &lt;b&gt;", "Exactum", "Physicum", "+140 m on foot, 2 minutes",
                "at most €12", "€2",
                "data-state=\"offered\"", "data-role=\"deliverer\"", "data-until=", "The food is ready in",
                "action=\"\(two.path)/accept\"", "action=\"\(two.path)/decline\"",
            ] { #expect(page.contains(text), "\(text)") }
            // Nobody is hurried by a page that is made anew under their hands, and nobody may call before it is agreed on.
            #expect(!page.contains("content=\"5; url=") && !page.contains("tel:"))
            let form = page.kept.merging(["minutes": "10"]) { $1 }
            let accepted = try await two.deliverer.post("\(two.path)/accept", form)
            #expect(accepted["Location"] == "\(two.path)?done=match.accept")
            let act = try #require(try door.services.asked(MatchingMethods.actOnMatch).last)
            let seen = MatchExpectation(state: .offered, fee: 200, limit: 1200)
            #expect(act.parameters.act == .accept && act.content == MatchActDraft(minutes: 10, expected: seen))
            let mine = try await two.deliverer.get("\(two.path)?done=match.accept").text
            for text in [
                "Accepted. You can reach each other now.", "href=\"tel:+6591234567\"", "name=\"kind\" value=\"match\"",
                "href=\"\(two.path)/pick-up\"", "content=\"5; url=\(two.path)\"", "openstreetmap.org/directions",
            ] { #expect(mine.contains(text), "\(text)") }
            #expect(try await door.join("Eve").get(two.path).status == 404)
        }
    }

    @Test func who_declines_waits_for_the_next_offer() async throws {
        try await PageDoor.run { door in
            let two = try await Self.two(door)
            let declined = try await two.deliverer.post(
                "\(two.path)/decline", try await two.deliverer.get(two.path).text.kept)
            #expect(declined["Location"] == "/deliver?done=match.decline")
        }
    }

    @Test(arguments: [
        ("taken_back", "Mei took the order back."), ("expired", "somebody else is asked"),
        ("ended", "This is not offered to you any more."),
    ])
    func who_answers_too_late_reads_why(_ code: String, _ text: String) async throws {
        try await PageDoor.run { door in
            let two = try await Self.two(door)
            let gone = ServiceError(.offerGone, "Gone.", errors: [FieldError("act", code, "Gone.")])
            door.services.refuse(MatchingMethods.actOnMatch, gone)
            let late = try await two.deliverer.post(
                "\(two.path)/accept", try await two.deliverer.get(two.path).text.kept)
            #expect(late.status == 409 && late.text.contains(text))
        }
    }

    @Test func each_state_has_its_sentence_for_either_role() async throws {
        try await PageDoor.run { door in
            let two = try await Self.two(door)
            let (mei, ana) = (try door.person("Mei").summary, try door.person("Ana").summary)
            func says(
                _ state: MatchState, by person: PersonSummary? = nil, _ orderer: String, _ deliverer: String
            ) async throws {
                two.played.change(two.match.id) { match in
                    (match.state, match.changedBy, match.changedAt) = (state, person, Date() - 600)
                    match.expectedAt = Date() + 900
                }
                #expect(try await two.orderer.get(two.path).text.contains(orderer), "\(state): \(orderer)")
                #expect(try await two.deliverer.get(two.path).text.contains(deliverer), "\(state): \(deliverer)")
            }
            try await says(.offered, "Ana is asked, and has until <time", "Mei asks you to bring this.")
            try await says(.declined, "Ana can&#39;t bring it.", "You have declined.")
            try await says(.expired, "Ana did not answer in time.", "Time&#39;s up: somebody else is asked.")
            try await says(.withdrawn, "Ana is not asked any more.", "This is not offered to you any more.")
            try await says(.accepted, "Ana brings it. It is expected <time", "Mei expects it <time")
            try await says(.pickedUp, "Ana has it and is on the way.", "You have it. Mei expects it <time")
            try await says(.delivered, "Say that you have it.", "You said that it is there.")
            try await says(.received, "You said that you have it.", "Mei says that it is there.")
            try await says(.completed, "Done: Ana has brought it.", "Done: you have brought it to Mei.")
            try await says(.cancelled, by: mei, "You have cancelled it.", "Mei has cancelled the order.")
            try await says(.cancelled, by: ana, "Ana can&#39;t bring it any more.", "You have cancelled it.")
            try await says(.cancelled, "one of you can&#39;t take part", "one of you can&#39;t take part")
            try await says(.givenUp, by: ana, "Ana could not go on.", "You have given it up.")
            try await says(.lapsed, "Nothing was heard of it", "Nothing was heard of it")
            try await says(.noShow, by: ana, "Ana says that Mei was not there.", "You said that Mei was not there.")
            try await says(.noShow, by: mei, "You said that Ana was not there.", "Mei says that Ana never came.")
            try await says(.disputed, "You two don&#39;t agree.", "You two don&#39;t agree.")
            try await says(.settled, "A moderator has looked at it", "A moderator has looked at it")
        }
    }

    @Test func the_door_the_codes_and_what_is_owed_stand_where_they_are_needed() async throws {
        try await PageDoor.run { door in
            let two = try await Self.two(door, .pickedUp) { match in
                (match.door, match.code, match.tip) = ("Room <i>12", "4711", nil)
                match.spent = Money(amount: 850, currency: "EUR")
                match.owed = Money(amount: 1050, currency: "EUR")
            }
            let mine = try await two.orderer.get(two.path).text
            for text in ["4711", "Room &lt;i&gt;12", "Mei owes €10.50", "€8.50", "in cash"] {
                #expect(mine.contains(text), "\(text)")
            }
            #expect(!mine.contains("Physicum") && mine.contains("href=\"/orders/\(two.match.order)\""))
            let theirs = try await two.deliverer.get(two.path).text
            #expect(!theirs.contains("4711") && theirs.contains("Room &lt;i&gt;12"))
            #expect(theirs.contains("id=\"showing\"") && !mine.contains("id=\"showing\""))
        }
    }

    @Test func where_the_deliverer_is_is_said_in_words_and_no_longer_when_they_hide_it() async throws {
        try await PageDoor.run { door in
            let two = try await Self.two(door, .pickedUp) { $0.isShared = true }
            let here = Position(latitude: 60.1725, longitude: 24.9515)
            two.played.position.mutate {
                $0 = MatchPosition(position: here, at: Date() - 90, metres: 240, seconds: 180, stopsBefore: 1)
            }
            let page = try await two.orderer.get(two.path).text
            for text in [
                "240 m away, about 3 minutes", "1 stop before yours.", "match-live old", "data-at=\"60.1725,24.9515\"",
            ] {
                #expect(page.contains(text), "\(text)")
            }
            let part = try await two.orderer.get("\(two.path)/live", [("HX-Request", "true"), ("HX-Target", "live")])
            #expect(part.text.contains("240 m away") && !part.text.contains("<html"))
            let hidden = try await two.deliverer.post("\(two.path)/hide", ["key": "h"])
            #expect(hidden["Location"] == "\(two.path)?done=match.hidden")
            #expect(!(try await two.orderer.get(two.path).text.contains("240 m away")))
            two.played.position.mutate { $0 = nil }
            let gone = try await two.orderer.get("\(two.path)/live", [("HX-Request", "true")])
            #expect(gone.text.contains("They do not show where they are just now."))
        }
    }

    @Test func what_is_over_leads_to_its_review_and_stands_in_the_list() async throws {
        try await PageDoor.run { door in
            let two = try await Self.two(door, .completed) { match in
                (match.changedAt, match.owed) = (Date(), Money(amount: 1050, currency: "EUR"))
            }
            let ana = try door.person("Ana").id
            let page = try await two.orderer.get(two.path).text
            #expect(page.contains("/people/\(ana)/review?of=match~\(two.match.id)") && page.contains("Review Ana"))
            #expect(page.contains("href=\"\(two.path)/tip\"") && !page.contains("id=\"match-map\""))
            let running = try await two.orderer.get("/matches").text
            #expect(running.contains("Nothing is under way") && !running.contains(two.path))
            let over = try await two.orderer.get("/matches?over=yes").text
            #expect(
                over.contains("href=\"\(two.path)\"") && over.contains("brought to you by") && over.contains("€10.50"))
        }
    }
}
