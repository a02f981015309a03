import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// What one is shown is what one agrees to: where it costs something else by the time that the form is sent, one is asked again.
@Suite struct PageExpectationTests {
    private let rentals = PageRentalTests()

    /// The form of the page that says what an act comes to, as it is sent from there.
    private func form(_ page: String, _ fields: [String: String] = [:]) throws -> [String: String] {
        var form = fields
        for name in ["key", "state", "owed", "evidence"] {
            let value: String = try #require(page.hiddenField(name), "\(name)")
            form[name] = value
        }
        return form
    }

    private func begins(_ door: PageDoor, in days: Double) {
        door.rentals.mutate { rentals in
            for index in rentals.indices { rentals[index].startsAt = Date() + days * 86_400 }
        }
    }

    private static let changed = ServiceError(.termsChanged, "The terms have changed meanwhile.")

    @Test func a_page_that_was_opened_while_it_cost_nothing_does_not_cost_half() async throws {
        try await PageDoor.run { door in
            let two = try await rentals.two(door)
            let path = try await rentals.ask(two)
            _ = try await two.owner.post("\(path)/accept", ["key": "yes"])
            let free = try await two.renter.get("\(path)/cancel").text
            #expect(free.contains("It costs you nothing now.") && free.contains("That holds until "))
            #expect(free.contains(" in Helsinki. After that you would owe €37.50 of €75."))
            #expect(try await two.renter.get(path).text.contains("After that you would owe €37.50 of €75."))
            begins(door, in: 3)
            door.services.refuse(ListingsMethods.actOnRental, Self.changed)
            let again = try await two.renter.post("\(path)/cancel", try form(free, ["reason": "Ill <b>"]))
            #expect(again.status == 409 && again.text.contains("This has changed since you opened it."))
            #expect(again.text.contains("You owe €37.50 of €75 then") && again.text.contains("Ill &lt;b&gt;"))
            #expect(again.text.contains("After that you would owe €75 of €75."))
            let known = try form(again.text)
            door.services.refuse(ListingsMethods.actOnRental, nil)
            #expect(known["owed"] == "3750" && known["key"] == free.hiddenField("key"))
            #expect(try await two.renter.post("\(path)/cancel", known)["Location"] == "\(path)?done=rental.cancel")
            let acts = try door.services.asked(ListingsMethods.actOnRental).suffix(2).map(\.content.expected)
            #expect(acts.map { $0?.owed } == [0, 3750] && acts.allSatisfy { $0?.state == .accepted })
        }
    }

    @Test func a_request_that_was_accepted_meanwhile_is_not_called_off_as_one() async throws {
        try await PageDoor.run { door in
            let two = try await rentals.two(door)
            let path = try await rentals.ask(two)
            begins(door, in: 0.5)
            let request = try await two.renter.get("\(path)/cancel", [("HX-Request", "true")]).text
            #expect(request.contains("Your request is taken back.") && !request.contains("<html"))
            let question = try await two.owner.get("\(path)/accept").text
            #expect(question.contains("Ben then owes you €75."))
            #expect(try await two.owner.post("\(path)/accept", try form(question)).status == 303)
            door.services.refuse(ListingsMethods.actOnRental, Self.changed)
            let late = try await two.renter.post("\(path)/cancel", try form(request))
            let seen = try door.services.asked(ListingsMethods.actOnRental).last?.content.expected
            #expect(seen?.state == .requested && seen?.owed == 0)
            #expect(late.status == 409 && late.text.contains("You owe €75 of €75 then"))
            // There is nothing after the last of its edges.
            #expect(!late.text.contains("That holds until"))
        }
    }

    @Test func who_settles_has_read_all_that_was_said() async throws {
        try await PageDoor.run { door in
            let two = try await rentals.two(door)
            let path = try await rentals.ask(two)
            for act in ["accept", "hand-over", "dispute"] {
                _ = try await two.owner.post("\(path)/\(act)", ["key": act, "reason": "So it was."])
            }
            let judge = try await door.join("Ada")
            door.appoint("Ada", .moderator)
            let before = try form(
                try await judge.get("\(path)/settle").text, ["share": "40", "reason": "Both are right."])
            _ = try await two.renter.post("\(path)/explain", ["key": "say", "reason": "It was not."])
            door.services.refuse(ListingsMethods.actOnRental, Self.changed)
            let again = try await judge.post("\(path)/settle", before)
            door.services.refuse(ListingsMethods.actOnRental, nil)
            #expect(again.status == 409 && again.text.contains("This has changed since you opened it."))
            #expect(again.text.contains("value=\"40\"") && again.text.contains("Both are right."))
            let after = try form(again.text, ["share": "40", "reason": "Both are right."])
            #expect(try await judge.post("\(path)/settle", after).status == 303)
            let seen = try door.services.asked(ListingsMethods.actOnRental).suffix(2).map(\.content.expected)
            #expect(seen.map { $0?.evidence } == [3, 4])
        }
    }

    @Test func a_spot_costs_what_it_was_said_to_cost() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            _ = try await maya.post("/share", PageFlowTests.place.merging(["name": "By the well"]) { $1 })
            let path = "/spots/\(try #require(door.spots().first).id)/claim"
            let free = try await ben.get(path, [("HX-Request", "true")]).text
            #expect(free.contains("No charge"))
            door.shared.mutate { $0[0].price = Money(amount: 250, currency: "EUR") }
            door.services.refuse(ListingsMethods.claimSpot, ServiceError(.termsChanged, "It costs something else."))
            let form = ["key": try #require(free.hiddenField("key")), "seen": try #require(free.hiddenField("seen"))]
            let again = try await ben.post(path, form)
            #expect(again.status == 409 && again.text.contains("What it costs has changed meanwhile."))
            #expect(again.text.contains("Cost: €2.50") && again.text.hiddenField("seen") == "250")
            door.services.refuse(ListingsMethods.claimSpot, nil)
            #expect(try await ben.post(path, form.merging(["seen": "250"]) { $1 }).status == 303)
            let claims = try door.services.asked(ListingsMethods.claimSpot)
            #expect(claims.map(\.parameters.expectedPrice) == [0, 250])
        }
    }
}
